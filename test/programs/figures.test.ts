import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { count, type Figures } from "./measure/count.js";
import { fileOf, type Library } from "./pairs.js";

/** Returns the cells of the table row that begins with a text. */
function rowOf(file: string, first: string): readonly string[] {
  const line = readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .find((text) => text.startsWith(`| ${first} `));
  return line!.split("|").map((cell) => cell.trim());
}

function figures(name: string, library: Library, keys: readonly (keyof Figures)[]): string {
  const found = count(fileOf(name, library)!);
  return keys.map((key) => found[key]).join(", ");
}

const PAGE = "templates/site/guides/tool/typescript-sdk.md";
const ALL = ["lines", "sessionIds", "casts"] as const;

test("the texts have the figures of the programs that they compare", () => {
  const agent = "an agent with tools, permission, modes and stored sessions";
  for (const [file, first, name, keys] of [
    [PAGE, agent, "realistic-agent", ALL],
    [PAGE, "a client that prints one turn", "terminal-client", ALL],
  ] as const)
    expect(rowOf(file, first).slice(2, 4)).toEqual([
      figures(name, "sdk", keys),
      figures(name, "ours", keys),
    ]);
  const [, , ours, sdk] = rowOf("README.md", "a realistic agent: lines, `sessionId`s");
  const two = ["lines", "sessionIds"] as const;
  expect([ours, sdk]).toEqual([
    figures("realistic-agent", "ours", two),
    figures("realistic-agent", "sdk", two),
  ]);
});
