import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locateProblems } from "../../../../generators/schema/source/locate-problems.js";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import type { Input } from "../../../../generators/run/inputs/input.js";
import { lintPaths } from "../../../../generators/run/lint/lint.js";
import { formatProblem, InputError } from "../../../../generators/schema/problem.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const folder = temporaryFolder();

function imported(text: string): Input {
  const file = join(folder, "schema.json");
  writeFileSync(file, text);
  return importInput({ protocol: "v1" }, file, join(ROOT, "schema"));
}

/** Returns the problems of an import as the command line prints them, without the folder. */
function problemsOf(text: string): string[] {
  try {
    imported(text);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return locateProblems(error.problems).map((problem) =>
      formatProblem(problem).replace(/^.*schema\.json/, "schema.json"),
    );
  }
}

const definition = (text: string): string =>
  `{\n  "$defs": {\n    "A": {\n      "type": "object",\n      "properties": {\n${text}\n      }\n    }\n  }\n}\n`;

test.each([
  [
    "a name that occurs twice",
    `        "n": { "type": "string" },\n        "n": { "type": "integer" }`,
    "schema.json:7:9#/$defs/A/properties/n: the name occurs twice in the object. Remove or rename one of them.",
  ],
  [
    "a number that no double can hold",
    `        "n": { "type": "number", "maximum": 1e400 }`,
    "schema.json:6:45#/$defs/A/properties/n/maximum: has a number that is too large for a double. Write a number below 1.8e308.",
  ],
  [
    "a dangling reference",
    `        "n": { "$ref": "#/$defs/B" }`,
    expect.stringMatching(/^schema.json:6:24.*nothing is at "#\/\$defs\/B". Add it, or/) as string,
  ],
])("%s is refused with its line and column", (_, text, message) => {
  expect(problemsOf(definition(text))).toEqual([message]);
});

test.each([
  ["another type", `        "n /%": { "type": "integer", "default": "one" }`, "n ~1%/default"],
  [
    "an item of another type",
    `        "n": { "type": "array", "items": { "type": "string" }, "default": ["a", 5] }`,
    "n/default",
  ],
  [
    "a value below a limit",
    `        "n": { "type": "string", "minLength": 3, "default": "ab" }`,
    "n/default",
  ],
  [
    "no required property",
    `        "n": { "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"], "default": {} }`,
    "n/default",
  ],
  [
    "a value of another type in a map",
    `        "n": { "type": "object", "additionalProperties": { "type": "integer" }, "default": { "b/": "c" } }`,
    "n/default",
  ],
])("a default with %s is dropped, with its place", (_, text, place) => {
  const { bundle, lost } = imported(definition(text));
  expect(lost).toEqual({ defaults: [`/$defs/A/properties/${place}`] });
  const [property] = Object.values(bundle.definitions.get("A")!.schema.properties!);
  expect(property).not.toHaveProperty("default");
});

test("a default that fitted only because of another default is dropped with it", () => {
  const inner = `"b": { "type": "string", "default": 1 }`;
  const text = `        "n": { "type": "object", "properties": { ${inner} }, "required": ["b"], "default": {} }`;
  const n = "/$defs/A/properties/n";
  expect(imported(definition(text)).lost).toEqual({
    defaults: [`${n}/properties/b/default`, `${n}/default`],
  });
});

test("defaults that fit, and equal names in different objects, are accepted", () => {
  const text = `        "n": { "type": ["integer", "null"], "default": null },
        "m": { "type": "array", "items": { "type": "string" }, "default": ["a"] },
        "o": { "type": "object", "properties": { "n": { "type": "boolean", "default": false } }, "required": ["n"], "default": {} }`;
  expect(problemsOf(definition(text))).toEqual([]);
});

test("a dangling reference in a variant of a proposal is reported in the proposal", () => {
  const file = join(folder, "pins.json");
  const variant = {
    description: "The session was pinned, or its pin was taken away.",
    type: "object",
    "x-meta": true,
    "x-gate": { always: "ungated" },
    "x-state": {},
    properties: { sessionUpdate: { type: "string", const: "session_pin" } },
    required: ["sessionUpdate"],
    allOf: [{ $ref: "#/$defs/Nowhere" }],
  };
  const feature = {
    $schema: "schema/dialect/feature.schema.json",
    ...{ name: "pins", protocol: "v1", title: "Pins", status: "proposed" },
    description: "Lets a client pin sessions, so that the agent lists them first.",
    add: { SessionUpdate: { oneOf: [variant] } },
  };
  writeFileSync(file, JSON.stringify(feature));
  const { findings } = lintPaths({ paths: [file] });
  expect(findings).toMatchObject([
    {
      rule: "does-not-compose",
      file: expect.stringMatching(/pins\.json$/) as string,
      pointer: "/add/SessionUpdate/oneOf/0/allOf/0/$ref",
      message: 'unknown definition "Nowhere"',
    },
  ]);
});
