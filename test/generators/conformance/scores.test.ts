import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../cli/run-command.js";
import { PYTHON, PYTHON_ENV } from "../../python/python-env.js";
import { toolsTest, pythonTest } from "../../python/run-python.js";
import { deepDescribe } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";

/** The rows of the published table: decoder, cases, unsupported and differing ones. */
const PUBLISHED = readFileSync(`${ROOT}templates/docs/guides/tool/conformance.md`, "utf8");

async function score(command: readonly string[]): Promise<string> {
  const { out } = await runCommand(["conformance", "--profile", "v1", "--json", "--", ...command], {
    env: PYTHON_ENV,
  });
  const { cases, unsupported, required } = JSON.parse(out) as Readonly<Record<string, number>>;
  return [cases, unsupported, required].map((count) => count!.toLocaleString("en")).join(" | ");
}

function published(decoder: string): string {
  const row = PUBLISHED.split("\n").find((line) => line.startsWith(`| ${decoder} `))!;
  return row
    .split("|")
    .slice(2, 5)
    .map((cell) => cell.trim())
    .join(" | ");
}

const node = (program: string): readonly string[] => [
  "node",
  `test/generators/conformance/${program}`,
];
const python = (program: string): readonly string[] => [
  PYTHON,
  `test/generators/conformance/${program}`,
];

type Run = (name: string, check: () => Promise<void>, timeoutMs: number) => void;

const DECODERS: readonly (readonly [string, Run, readonly string[]])[] = [
  ["`acp-bindings`, TypeScript", test, node("own-codec.mjs")],
  ["`acp-bindings`, Python", pythonTest, python("python-codec.py")],
  ["`@agentclientprotocol/sdk`", test, node("official-codec.mjs")],
  ["`agent-client-protocol`, Python", toolsTest, python("official-codec.py")],
];

deepDescribe("the published scores are those of", () => {
  for (const [name, run, command] of DECODERS)
    run(name, async () => expect(await score(command)).toBe(published(name)), 300_000);
});

test("the published scores are there", () => {
  for (const [name] of DECODERS) expect(published(name)).toMatch(/^71,386 \| /);
});
