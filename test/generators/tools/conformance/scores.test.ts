import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KINDS } from "../../../../generators/tools/conformance/codec/kinds.js";
import { toolsTest, pythonTest } from "../../../python/run-python.js";
import { deepDescribe } from "../../../support/deep.js";
import { ROOT } from "../../../support/paths.js";
import { SCORED, scoreOf, scoreTables, type Scored } from "./scores.js";

/** The rows of the published tables, as cells. */
const PUBLISHED = readFileSync(`${ROOT}templates/site/guides/tool/conformance.md`, "utf8")
  .split("\n")
  .filter((line) => /^\| [^-]/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

/** Returns the published numbers of a decoder: the totals, and those of each kind that it has. */
function published(decoder: Scored): readonly (readonly string[])[] {
  const totals = PUBLISHED.find(([name]) => name === decoder)!;
  const head = PUBLISHED.findIndex(([name]) => name === "Difference");
  const column = PUBLISHED[head]!.indexOf(decoder);
  if (column < 0) return [totals];
  const rows = PUBLISHED.slice(head).filter(([kind]) =>
    (KINDS as readonly string[]).includes(kind!),
  );
  const kinds = rows.map((row) => [row[0]!, row[column]!]).filter(([, count]) => count !== "0");
  return [totals, ...kinds];
}

type Run = (name: string, check: () => Promise<void>, timeoutMs: number) => void;

const RUNS: { readonly [name in Scored]: Run } = {
  "`acp-bindings`, TypeScript": test,
  "`acp-bindings`, Python": pythonTest,
  "`@agentclientprotocol/sdk`": test,
  "`agent-client-protocol`, Python": toolsTest,
};

const names = Object.keys(SCORED) as Scored[];

deepDescribe(
  "the published scores (npx tsx test/generators/tools/conformance/print-scores.ts) are those of",
  () => {
    for (const name of names)
      RUNS[name](
        name,
        async () => {
          const [totals, kinds] = scoreTables(new Map([[name, await scoreOf(name)]]));
          expect([totals![1]!, ...kinds!.slice(1)]).toEqual(published(name));
        },
        300_000,
      );
  },
);

test("the published scores are there", () => {
  for (const name of names) expect(published(name)[0]![1]).toBe("71,386");
});
