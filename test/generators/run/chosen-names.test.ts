import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generate, type GenerateOptions } from "../../../generators/run/generate/generate.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const schema = join(folder, "schema.json");
const Op = { type: "string", enum: ["a-b", "a.b"] };
const Row = { type: "object", properties: { "line-no": Op, line_no: Op } };
writeFileSync(schema, JSON.stringify({ $defs: { Op, Row } }));
const options: GenerateOptions = { out: folder, schema, protocol: "v1", targets: ["go"] };

/** Generates the Go types and returns the names that the run has printed. */
async function renamed(names?: GenerateOptions["names"]): Promise<readonly string[]> {
  const found: string[] = [];
  await generate({
    ...options,
    ...(names !== undefined && { names }),
    onProgress: (step) => {
      if (step.kind === "renamed-parts") found.push(...step.names.keys());
    },
  });
  return found;
}

test("names that would be equal are printed, until the configuration chooses others", async () => {
  expect(await renamed()).toEqual(["Op/a-b", "Op/a.b", "Row#line-no", "Row#line_no"]);
  expect(await renamed({ "Op/a-b": "OpDash", "Row#line-no": "lineNumber" })).toEqual([]);
  const types = readFileSync(join(folder, "go/acpv1/types.go"), "utf8");
  expect(types).toContain('OpDash Op = "a-b"');
  expect(types).toMatch(/\bLineNumber\b/);
});

test("names that a language has already are printed", async () => {
  const file = join(folder, "taken.json");
  const Decode = { type: "object", properties: { from: {}, extra: {}, b: {} } };
  writeFileSync(file, JSON.stringify({ $defs: { Decode, Json: { enum: ["a"] }, Named: {} } }));
  const found = new Map<string, object>();
  await generate({
    ...{ schema: file, protocol: "v1", out: join(folder, "taken"), targets: ["go", "python"] },
    onProgress: (step) => {
      if (step.kind === "renamed-in-target") found.set(step.target, Object.fromEntries(step.names));
    },
  });
  expect(Object.fromEntries(found)).toEqual({
    go: { Decode: "Decode2", Json: "JSON2", "Decode#extra": "Extra2" },
    python: { "Decode#extra": "extra_", "Decode#from": "from_" },
  });
});

test("x-enum-varnames and x-enumNames name the values of definitions", async () => {
  const document = {
    $defs: {
      Limit: { type: "integer", enum: [1, 2], "x-enumNames": ["One", "Two"] },
      Sign: { type: "string", enum: ["<=", "<"], "x-enum-varnames": ["NOT_ABOVE", "below"] },
    },
  };
  const file = join(folder, "named.json");
  writeFileSync(file, JSON.stringify(document));
  const names = { "Sign/<": "SignUnder" };
  const out = join(folder, "named");
  await generate({ ...options, schema: file, out, names });
  const types = readFileSync(join(out, "go/acpv1/types.go"), "utf8");
  const constants = [...types.matchAll(/^const (.*)$/gm)].map(([, one]) => one);
  expect(constants).toEqual([
    "LimitOne Limit = 1",
    "LimitTwo Limit = 2",
    'SignNotAbove Sign = "<="',
    'SignUnder Sign = "<"',
  ]);
});

test.each([
  [["a"], "x-enum-varnames: has 1 names for 2 values. Name each value of enum."],
  ["a", "x-enum-varnames: has no list of names for 2 values"],
  [["a", 1], "x-enum-varnames/1: 1 is not a name"],
  [["a", "-"], 'x-enum-varnames/1: "-" is not a name'],
  [["a_b", "aB"], 'x-enum-varnames/1: "aB" is the name of another value'],
])("refuses the names %j", async (names, message) => {
  const file = join(folder, "wrong.json");
  const Sign = { type: "string", enum: ["<=", "<"], "x-enum-varnames": names };
  writeFileSync(file, JSON.stringify({ $defs: { Sign } }));
  await expect(generate({ ...options, schema: file })).rejects.toThrow(message);
});

test("a name for what the schema does not have is refused, with what it has", async () => {
  await expect(renamed({ "Op/a_b": "OpDash" })).rejects.toThrow('Did you mean "Op/a-b"?');
});

test("a Go module with a path of its own is not titled with the name of ours", async () => {
  const out = join(folder, "own");
  await generate({ ...options, out, go: { name: "example.com/me/marks" } });
  expect(readFileSync(join(out, "go/README.md"), "utf8")).toMatch(/^# marks\n/);
});
