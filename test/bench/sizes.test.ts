import { expect, test } from "vitest";
import { agentSize } from "./checks/agent-parts.js";

/** The minified bytes that a part may cost; a commit that raises one gives the reason. */
const MOST: { readonly [part: string]: number } = {
  "checks of the definitions": 25_300,
  "table of the methods": 12_500,
  createAgent: 1_700,
  "decode, validate, encode": 19_500,
  "JSON-RPC": 21_000,
  stdio: 2_850,
  gates: 7_100,
  "checks of the options": 5_650,
  extensions: 750,
  roles: 17_700,
  "sessions of the agent": 4_950,
  "sessions of both sides": 2_300,
  "sentences, errors and the rest": 3_650,
};

test("no part of a minimal agent costs more than it did", async () => {
  const { parts, minified, gzipped } = await agentSize();
  expect([...parts].filter(([name, bytes]) => bytes > MOST[name]!)).toEqual([]);
  expect(gzipped).toBeLessThanOrEqual(37_900);
  // What is in none of the parts: the program itself, and what joins the modules.
  expect(minified - [...parts.values()].reduce((sum, bytes) => sum + bytes)).toBeLessThan(300);
});
