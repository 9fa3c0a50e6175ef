import { expect, test } from "vitest";
import { runCommand } from "../cli/run-command.js";

const OWN = ["node", "test/generators/conformance/own-codec.mjs"];
const OFFICIAL = ["node", "test/generators/conformance/official-codec.mjs"];

test("our own bindings, started as a process, give every expected result", async () => {
  const { code, out } = await conformance(
    "v2-full",
    "--every",
    "29",
    "--fail-on",
    "recommended",
    "--",
    ...OWN,
  );
  expect(out).toMatch(/^v2-full: \d{4,} cases, 0 differences in verdict or value, 0 in notes/m);
  expect(code).toBe(0);
});

test("differences are counted by definition and the first ones shown, and the command exits with 1", async () => {
  const flags = ["--definition", "ContentBlock,Plan", "--max-differences", "1"];
  const { code, out } = await conformance("v1", ...flags, "--", ...OFFICIAL);
  expect(out).toMatch(/^definition +cases +required +recommended$/m);
  expect(out).toMatch(/^ContentBlock +\d+ +\d+ +\d+$/m);
  expect(out.match(/^ {2}expected \{"verdict"/gm)).toHaveLength(1);
  expect(code).toBe(1);
});

test("the result as JSON has the totals and the differences", async () => {
  const flags = ["--definition", "SessionId", "--json"];
  const { out } = await conformance("v1", ...flags, "--", ...OWN);
  expect(JSON.parse(out)).toMatchObject({ profile: "v1", required: 0, differences: [] });
});

test.each<readonly [string, readonly [string, ...string[]], number, string]>([
  ["an unknown profile", ["v9", "--", ...OWN], 2, 'unknown profile "v9"'],
  ["an unknown definition", ["v1", "--definition", "Nope", "--", ...OWN], 2, "unknown definition"],
  ["a command that does not exist", ["v1", "--", "./no-such-codec"], 3, "cannot be started"],
  ["a codec that ends early", ["v1", "--", "node", "-e", "0"], 3, "requests open"],
  ["a codec that prints something else", ["v1", "--", "node", "-p", "1"], 3, "answers no request"],
])("%s is reported", async (_, args, code, message) => {
  const result = await conformance(...args);
  expect(result.err).toContain(message);
  expect(result.code).toBe(code);
});

function conformance(profile: string, ...args: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(["conformance", "--profile", profile, ...args]);
}
