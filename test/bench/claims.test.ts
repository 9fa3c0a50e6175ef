import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentSize } from "./checks/agent-parts.js";
import { bundledSize } from "./checks/bundled-size.js";
import { sizeClaim } from "./checks/compare-sizes.js";
import { countCalls } from "./dispatch/count-calls.js";
import { readmeRow, recordedClaims } from "./claims.js";
import { ROOT, sdkZod } from "./paths.js";

/** The minified bytes that a part may cost; a commit that raises one gives the reason. */
const MOST: { readonly [part: string]: number } = {
  "checks of the definitions": 25_300,
  "table of the methods": 12_550,
  createAgent: 1_700,
  "decode, validate, encode": 19_700,
  "JSON-RPC": 21_050,
  stdio: 3_000,
  gates: 7_150,
  "checks of the options": 5_500,
  extensions: 800,
  roles: 17_900,
  "sessions of the agent": 4_950,
  "sessions of both sides": 2_400,
  "forms, sentences, errors and the rest": 5_370,
};

test("no part of a minimal agent costs more than it did", async () => {
  const { parts, minified, gzipped } = await agentSize();
  expect([...parts].filter(([name, bytes]) => bytes > MOST[name]!)).toEqual([]);
  expect(gzipped).toBeLessThanOrEqual(38_600);
  // What is in none of the parts: the program itself, and what joins the modules.
  expect(minified - [...parts.values()].reduce((sum, bytes) => sum + bytes)).toBeLessThan(300);
});

test("the README has the rows that `npm run bench -- record` has kept", () => {
  const rows = readFileSync(join(ROOT, "README.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|") && line.includes("`npm run bench"))
    .map((line) => line.replace(/ +/g, " "));
  const claims = Object.entries(recordedClaims());
  expect(rows).toEqual(claims.map(([what, claim]) => readmeRow(what, claim)));
});

test("the recorded size of all checks is what a bundle has", async () => {
  const [ours, peer] = await Promise.all(
    [join(ROOT, "out/typescript/src/v1/schemas.ts"), sdkZod()].map((path) =>
      bundledSize(`export * from ${JSON.stringify(path)};`),
    ),
  );
  const [what, ...cells] = sizeClaim(ours!, peer!);
  const recorded = recordedClaims()[what]!;
  expect(cells).toEqual([recorded.ours, recorded.peer]);
  expect(ours!.gzipped).toBeLessThanOrEqual(15_500);
});

test("an update takes no more calls of functions than it did", () => {
  expect(countCalls()).toBeLessThanOrEqual(164);
});
