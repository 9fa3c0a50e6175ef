import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importInput } from "../../../../../generators/run/inputs/import-schema.js";
import { ALLOWED_FORMS } from "../../../../../generators/schema/import/allowed-forms.js";
import { ROOT } from "../../../../support/paths.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";
import { takeCensus } from "./take-census.js";

/*
 * The forms that published schemas have, and what becomes of each: the manual has the table. The
 * command beside this test prints the same about the schemas of a folder.
 */

const folder = temporaryFolder();
const FORMS = [
  `{ "type": "boolean", "default": "true" }`,
  `{ "anyOf": [{ "type": "string", "default": "a" }, { "type": "integer" }] }`,
  `{ "type": "string", "anyOf": [{ "enum": ["a"] }, { "pattern": "^b+$" }] }`,
  `{ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": { "type": "integer" } }`,
  `{ "type": "object", "patternProperties": { "^a": { "type": "string" }, "^b": { "type": "integer" } } }`,
  `{ "type": "object", "properties": { "a": false } }`,
  `{ "type": "string", "markdownDescription": "A *text*.", "deprecationMessage": "Use b." }`,
  `{ "type": "array", "properties": {}, "items": { "type": "string" } }`,
  `{ "type": "object", "patternProperties": { "^a": { "type": "string" } }, "additionalProperties": false }`,
  `{ "properties": { "a": { "type": "string" } } }`,
  `{ "type": "object", "not": { "required": ["a"] } }`,
  `{ "type": "object", "not": { "required": ["a", "b"] } }`,
  `{ "type": "object", "if": { "required": ["a"] }, "then": { "required": ["b"] } }`,
  `{ "type": "array", "items": { "type": "string" }, "uniqueItems": true }`,
  `{ "type": "object", "properties": { "a": { "$ref": "https://example.org/a.json" } } }`,
  `{ "$ref": "https://example.org/a.json" }`,
  `{ "type": "array", "items": false, "minItems": 1 }`,
  `{ "type": "string", "pattern": "(?<!a)b" }`,
  `{ "const": { "a": 1 } }`,
];

function rowOf(form: string): string {
  const file = join(folder, "schema.json");
  writeFileSync(file, form);
  const { outcome, switches, messages } = takeCensus(file);
  const { allow, allowUnknownKeywords: ignored } = switches;
  const flags = [
    ...(allow.length > 0 ? [`--allow ${allow.join(",")}`] : []),
    ...(ignored.length > 0 ? [`--allow-unknown-keywords ${ignored.join(",")}`] : []),
  ];
  const result = {
    accepted: "accepted",
    switched: `with \`${flags.join(" ")}\``,
    refused: `refused: ${messages[0]}`,
  };
  return `| \`${form}\` | ${result[outcome]} |`;
}

test("the manual has the table of these forms", () => {
  const page = readFileSync(join(ROOT, "templates/site/guides/tool/imports.md"), "utf8");
  const section = page.split("## Forms of published schemas")[1]!.split("\n## ")[0]!;
  const rows = section.split("\n").filter((line) => line.startsWith("| `{"));
  expect(rows.map((row) => row.replaceAll(/ +/g, " "))).toEqual(FORMS.map(rowOf));
});

test("the manual lists the forms that are allowed on request, in both places", () => {
  const manual = (page: string): string =>
    readFileSync(join(ROOT, `templates/site/guides/tool/${page}.md`), "utf8");
  const section = manual("imports").split("## What is allowed on request")[1]!.split("## ")[0]!;
  const rows = [...section.matchAll(/^\| `([\w-]+)` /gm)].map(([, form]) => form);
  expect(rows).toEqual(["--allow", ...ALLOWED_FORMS]);
  const [row = ""] = manual("command").match(/^\| `--allow <list>`.*takes (.*), see/m) ?? [];
  expect([...row.matchAll(/`([a-z]+-?[a-z]+)`/g)].map(([, form]) => form)).toEqual(ALLOWED_FORMS);
});

test("the last line of a run has the switches of all runs, to paste or to configure", () => {
  const file = join(folder, "schema.json");
  const inner = { properties: { a: { type: "string" } }, additionalProperties: false };
  const not = { required: ["b", "c"] };
  writeFileSync(file, JSON.stringify({ type: "object", properties: { inner }, not }));
  expect(() => importInput({ protocol: "v1" }, file, join(ROOT, "schema"))).toThrow(
    'all of this is accepted with --allow implied-types --allow-unknown-keywords not. In a configuration: "allow":["implied-types"],"allowUnknownKeywords":["not"].',
  );
});

test("what is not checked is counted, and named in the description of its type", () => {
  const file = join(folder, "schema.json");
  const A = { type: "object", patternProperties: { "^a": {} }, additionalProperties: false };
  const B = { oneOf: [A, { type: "object", properties: { b: { type: "string" } } }] };
  writeFileSync(file, JSON.stringify({ $defs: { A: { description: "An A.", ...A }, B } }));
  const options = { protocol: "v1", allowUnknownKeywords: ["patternProperties"] };
  const { bundle, lost } = importInput(options, file, join(ROOT, "schema"));
  expect(lost).toEqual({
    unchecked: { patternProperties: 2, additionalProperties: 2, oneOf: 1 },
  });
  expect(bundle.definitions.get("A")!.schema).toEqual({
    type: "object",
    description: "An A.\n\nNot checked: `patternProperties`, `additionalProperties`.",
  });
  expect(bundle.definitions.get("B")!.schema).toHaveProperty("anyOf");
});

test("keywords beside a `$ref` of draft-07 are counted, and read on request", () => {
  const file = join(folder, "schema.json");
  const $schema = "http://json-schema.org/draft-07/schema#";
  const Base = { type: "object", properties: { a: { type: "string" } } };
  const Use = { $ref: "#/definitions/Base", required: ["a"] };
  writeFileSync(file, JSON.stringify({ $schema, definitions: { Base, Use } }));
  const read = (allow: readonly "ref-siblings"[]): ReturnType<typeof importInput> =>
    importInput({ protocol: "v1", allow }, file, join(ROOT, "schema"));
  expect(read([]).lost).toEqual({ siblings: 1 });
  const { bundle, lost, allowed } = read(["ref-siblings"]);
  expect([lost, allowed]).toEqual([undefined, { "ref-siblings": 1 }]);
  expect(bundle.definitions.get("Use")!.schema).toMatchObject({ required: ["a"] });
});

test("a root has the name that is given, that of its title, or that of its file", () => {
  const file = join(folder, "tree-node.json");
  const nameOf = (title: string, rootName?: string): string[] => {
    writeFileSync(file, JSON.stringify({ title, type: "object" }));
    const options = { protocol: "v1", ...(rootName !== undefined && { rootName }) };
    return [...importInput(options, file, join(ROOT, "schema")).bundle.definitions.keys()];
  };
  expect(nameOf("A node of trees")).toEqual(["ANodeOfTrees"]);
  expect(nameOf("A node of all trees")).toEqual(["TreeNode"]);
  expect(nameOf("Node", "Tree")).toEqual(["Tree"]);
});
