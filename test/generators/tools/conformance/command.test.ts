import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { ownFeature } from "../../cli/own-feature.js";
import { runCommand } from "../../cli/run-command.js";

const folder = temporaryFolder();
const OWN = ["node", "test/generators/tools/conformance/own-codec.mjs"];
const OFFICIAL = ["node", "test/generators/tools/conformance/official-codec.mjs"];

function conformance(flags: string, command: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(["conformance", "codec", ...flags.split(" "), "--", ...command]);
}

/** Writes a codec whose answers an expression gives, with the value of the input, or undefined, as `value`. */
function codec(expression: string): readonly string[] {
  const file = join(folder, `${codecs++}.cjs`);
  writeFileSync(
    file,
    `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, op, profile, definition, input } = JSON.parse(line);
      let value;
      try { value = JSON.parse(input); } catch {}
      console.log(JSON.stringify({ id, ...(${expression}) }));
    });`,
  );
  return ["node", file];
}
let codecs = 0;

test.each([
  ["decode", "v2-full"],
  ["validate", "v1"],
  ["encode", "v1"],
])("our own bindings, started as a process, %s every case as expected: %s", async (op, profile) => {
  const flags = `--profile ${profile} --op ${op} --every 61 --fail-on recommended`;
  const { code, out } = await conformance(flags, OWN);
  expect(out).toMatch(/^\S+ \w+: \d{4,} cases, 0 differences in verdict or value, 0 in notes.*\n$/);
  expect(code).toBe(0);
});

describe("differences", () => {
  test("are counted by definition and the command exits with 1", async () => {
    const flags = "-p v1 --definition ContentBlock,Plan --max-differences 1";
    const { code, out } = await conformance(flags, OFFICIAL);
    expect(out).toMatch(/^definition +cases +required +recommended$/m);
    expect(out).toMatch(/^ContentBlock +\d+ +\d+ +\d+$/m);
    expect(out.match(/^ {2}expected \{"verdict"/gm)).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("are counted by kind, of which each has an example", async () => {
    const flags = "-p v1 --definition ContentBlock,Plan,ToolKind --by kind";
    const { out } = await conformance(flags, OFFICIAL);
    expect(out).toMatch(/^A refuses an unknown tag or value +\d+ +2$/m);
    expect(out).toMatch(/^C drops an unknown property +\d+ +2$/m);
    expect(out).toMatch(/^definition +A +B +C/m);
    expect(out).toMatch(/^ToolKind +\d+ +\. +\.( +\.)*$/m);
    expect(out).toMatch(/^Plan .* \(required\): drops an unknown property at \/another$/m);
  });

  test("that are recommended are shown on request only", async () => {
    const reports = codec(
      `value === undefined ? { verdict: "malformed" } : { verdict: "ok", value, notes: [["/x", "own"]] }`,
    );
    const flags = "-p v1 --definition EmbeddedResourceResource";
    const { out } = await conformance(flags, reports);
    expect(out).toContain("(required)");
    expect(out).not.toContain("(recommended)");
    const all = await conformance(`${flags} --all --max-differences 99`, reports);
    expect(all.out).toMatch(/\(recommended\): notes differ$/m);
    expect(all.out.lastIndexOf("(required)")).toBeLessThan(all.out.indexOf("(recommended)"));
  });

  test("are written to a file, one JSON object on each line, and as JSON and JUnit", async () => {
    const [out, junit] = [join(folder, "a/differences.ndjson"), join(folder, "b/junit.xml")];
    const flags = `-p v1 --definition Plan,SessionId --out ${out} --junit ${junit} --json`;
    const result = JSON.parse((await conformance(flags, OFFICIAL)).out) as Report;
    const lines = readFileSync(out, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(result.required);
    expect(result.definitions["Plan"]!.required).toBe(result.required);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      ...{ level: "required", kind: "drops an unknown property", op: "decode" },
      ...{ definition: "Plan", expected: { verdict: "ok" }, found: { verdict: "ok" } },
    });
    const report = readFileSync(junit, "utf8");
    expect(report).toContain('<testsuites tests="2" failures="1" errors="0" skipped="0"');
    expect(report).toContain('<testcase name="SessionId" classname="v1.decode" time="0.000"/>');
    expect(report).toMatch(/<failure message="\d+ differences in \d+ cases">/);
  });
});

interface Report {
  readonly required: number;
  readonly definitions: { readonly [name: string]: { readonly required: number } };
}

describe("an answer", () => {
  test("without notes or issues is not compared in these", async () => {
    const silent = codec(
      `typeof value === "string" ? { verdict: "ok", value } : { verdict: value === undefined ? "malformed" : "invalid" }`,
    );
    const { out, code } = await conformance(
      "-p v1 --definition SessionId --fail-on recommended",
      silent,
    );
    expect(out).toMatch(/^v1, decode: \d+ cases, 0 differences in verdict or value, 0 in notes/m);
    expect(out).toMatch(/^\d+ without notes or issues, which were not compared$/m);
    expect(code).toBe(0);
  });

  test("may say that an input cannot be represented, or is refused by a parser, where the case allows it", async () => {
    const isHard = "/ud800|1e400|1844674407370955161|1e21|\\[{128}/.test(input)";
    const answers = [
      '{ verdict: "malformed" }',
      '{ verdict: "invalid", issues: [["", "representation"]] }',
    ];
    for (const answer of answers) {
      const limited = codec(
        `${isHard} ? ${answer} : typeof value === "string" ? { verdict: "ok", value } : { verdict: value === undefined ? "malformed" : "invalid" }`,
      );
      const { out, code } = await conformance("-p v1 --definition SessionId", limited);
      expect(out).toMatch(/^\d+ that the codec does not represent, which is allowed$/m);
      expect(code).toBe(0);
    }
    const refusing = codec('{ verdict: "invalid", issues: [["", "representation"]] }');
    expect((await conformance("-p v1 --definition SessionId", refusing)).code).toBe(1);
  });

  test("may leave out or add what is the default when it encodes, and undeclared properties", async () => {
    const without = codec(
      `value === undefined ? { verdict: "malformed" } : { verdict: "ok", value: value?.constructor === Object ? { ...value, loadSession: value.loadSession ?? false } : value }`,
    );
    const flags = "-p v1 --op encode --definition AgentCapabilities --by kind";
    const { out } = await conformance(flags, without);
    expect(out).toMatch(/^A accepts an invalid value /m);
    expect(out).not.toMatch(/^B/m);
  });

  test("may be unsupported, for a definition or an operation", async () => {
    const { out, code } = await conformance("-p v1 --op encode --definition Plan", OFFICIAL);
    expect(out).toMatch(/^v1, encode: (\d+) cases, 0 differences.*\n\1 unsupported$/m);
    expect(code).toBe(0);
  });
});

test("a custom selection is compared, whose name the requests have", async () => {
  const file = join(folder, "mine.json");
  writeFileSync(file, JSON.stringify(ownFeature("A proposal.")));
  const named = codec('{ verdict: profile === "v1-mine" ? "unsupported" : "ok" }');
  const flags = `--protocol v1 --with ${file} --name v1-mine --every 99`;
  const { out, code } = await conformance(flags, named);
  expect(out).toMatch(/^v1-mine, decode: (\d+) cases, 0 differences.*\n\1 unsupported$/m);
  expect(code).toBe(0);
});

test.each<readonly [string, string, readonly string[], number, string | RegExp]>([
  ["an unknown profile", "-p v9", OWN, 2, 'unknown profile "v9"'],
  ["no profile", "--every 9", OWN, 2, "Give one --profile"],
  ["an unknown definition", "-p v1 --definition Nope", OWN, 2, "unknown definition"],
  ["a step of zero", "-p v1 --every 0", OWN, 2, "above 0"],
  ["a command that does not exist", "-p v1", ["./no-such-codec"], 3, "cannot be started"],
  [
    "a codec that ends early",
    "-p v1",
    ["node", "-e", "0"],
    3,
    /node exited with code 0; the first of 512 cases without an answer is \w+, typical, with the input {/,
  ],
  ["a codec that crashes", "-p v1", ["node", "-e", "process.exit(3)"], 3, "exited with code 3;"],
  [
    "a codec that a signal ends",
    "-p v1",
    ["node", "-e", "process.kill(process.pid, 'SIGSEGV')"],
    3,
    "was ended by the signal SIGSEGV;",
  ],
  [
    "a codec that hangs",
    "-p v1 --timeout 1",
    ["node", "-e", "setInterval(() => {}, 1000)"],
    3,
    "gave no answer for 1 seconds;",
  ],
  [
    "a codec that prints something else",
    "-p v1",
    ["node", "-e", "console.log('hello')"],
    3,
    /a line that is not a JSON object: hello; the first of 512 cases/,
  ],
  ["an answer to no request", "-p v1", ["node", "-p", "'{}'"], 3, "answers no open request: {};"],
  ["a file that cannot be written", "-p v1 --out /dev/null/x", OWN, 3, "cannot be written"],
])("%s is reported", async (_, flags, command, code, message) => {
  const result = await conformance(flags, command);
  expect(result.err).toMatch(message);
  expect(result.code).toBe(code);
});

test("the command without a subject, and another subject, are refused with the right form", async () => {
  const old = await runCommand(["conformance", "-p", "v1", "--", "./my-codec"]);
  expect(old.err).toContain("Run acp-codegen conformance codec -p v1 -- ./my-codec");
  expect(old.code).toBe(2);
  const other = await runCommand(["conformance", "codex", "--", "./my-codec"]);
  expect(other.err).toContain('unknown subject "codex". Did you mean "codec"?');
  expect(other.code).toBe(2);
});
