import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import { locateProblems } from "../../../../generators/schema/source/locate-problems.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { ROOT } from "../../../support/paths.js";
import { REFERENCE } from "../../../reference/reference.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const SCHEMA = join(ROOT, "schema");
const folder = temporaryFolder();

function problemsOf(document: object): readonly string[] {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  try {
    importInput({ protocol: "v1" }, file, SCHEMA);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).problems.map(({ pointer = "", message, others, hint = "" }) => {
      const count = others === undefined ? "" : ` (and ${others.join(", ")})`;
      return `${pointer}: ${message}${count}. ${hint}`;
    });
  }
  return [];
}

describe("the import of a schema", () => {
  test("reports mistakes of several kinds at once: form, keyword, reference and model", () => {
    const problems = problemsOf({
      definitions: {
        Form: { type: "string", minLength: -1 },
        Keyword: { type: "string", minimun: 1 },
        Reference: { $ref: "#/definitions/Nowhere" },
        Pattern: { type: "string", pattern: "(a+)+" },
      },
    });
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual([
      "",
      "/definitions/Form/minLength",
      "/definitions/Keyword/minimun",
      "/definitions/Pattern/pattern",
      "/definitions/Reference/$ref",
    ]);
    expect(problems.find((problem) => problem.includes("minimun"))).toContain(
      'Did you mean "minimum"? If it may be ignored: --allow-unknown-keywords minimun.',
    );
  });

  test("names switches that a shell takes literally", () => {
    const problems = problemsOf({
      $defs: { A: { $dynamicRef: "#a" }, B: { items: { $ref: "https://e.org/b.json?a&b" } } },
    });
    expect(problems.join("\n")).toContain("--allow-unknown-keywords '$dynamicRef'.");
    expect(problems.join("\n")).toContain("--ref 'https://e.org/b.json?a&b=./b.json?a&b'");
  });

  test("reports mistakes of every stage in one run, also in one definition", () => {
    const shared = { properties: { p: { type: "string", pattern: "a" } } };
    const message = { type: "object", "x-side": "agent" };
    const problems = problemsOf({
      $defs: {
        Form: {
          type: "object",
          properties: {
            a: { type: "string", minLength: -1 },
            b: { type: "string", minimun: 1 },
            c: { $ref: "#/$defs/Nowhere" },
            e: { properties: { f: { type: "string" } } },
            f: { type: "array", items: { not: {} } },
            g: 5,
          },
        },
        Model: {
          anyOf: [
            ...["a", "b"].map((t) => ({
              ...{ type: "object", properties: { t: { const: t } }, required: ["t"] },
            })),
            { type: "object", properties: { x: { type: "string" } } },
            { type: "object", properties: { y: { type: "string" } } },
          ],
        },
        Lost: { enum: ["a", 0.5] },
        Merged: {
          allOf: [
            { type: "object", ...shared },
            { type: "object", properties: { p: { type: "string", pattern: "b" } } },
          ],
        },
        OneRequest: { ...message, "x-method": "do_it" },
        OneResponse: { ...message, "x-method": "do_it" },
        // Only a protocol with the handshake of ACP has handlers.
        InitializeRequest: {
          ...{ ...message, "x-method": "initialize" },
          properties: { protocolVersion: { type: "integer" } },
        },
        InitializeResponse: { ...message, "x-method": "initialize" },
        TwoRequest: { ...message, "x-method": "doIt" },
        TwoResponse: { ...message, "x-method": "doIt" },
      },
    });
    expect(problems.map((problem) => problem.replace(/: .*/, "")).sort()).toEqual([
      "",
      "/$defs/Form/properties/a/minLength",
      "/$defs/Form/properties/b/minimun",
      "/$defs/Form/properties/c/$ref",
      "/$defs/Form/properties/e",
      "/$defs/Form/properties/f/items",
      "/$defs/Form/properties/g",
      "/$defs/Lost/enum",
      "/$defs/Merged/allOf",
      "/$defs/Model/anyOf/3",
      "/$defs/OneRequest",
    ]);
  });

  test("reports problems with one cause and one remedy once, with all places", () => {
    const closed = { type: "object", additionalProperties: false };
    const text = { type: "string", _enum: ["a"] };
    expect(
      problemsOf({
        $defs: {
          A: { ...closed, properties: { a: text, b: text } },
          B: { ...closed, properties: { b: text, o: { ...closed, properties: {} } } },
          C: { type: "string", pattern: "a|b" },
          D: { type: "array", items: { type: "string", pattern: "^(c|d)$" } },
        },
      }),
    ).toEqual([
      '/$defs/A/properties/a/_enum: unknown keyword "_enum" (and /$defs/A/properties/b/_enum, /$defs/B/properties/b/_enum). Did you mean "enum"? If it may be ignored: --allow-unknown-keywords _enum.',
      '/$defs/C/pattern: "a|b" has groups, alternatives, references or assertions, which are unsupported (and /$defs/D/items/pattern). A pattern is a sequence of characters and classes with quantifiers, between ^ and $. An imported schema may have it with --allow patterns.',
      ': all of this is accepted with --allow patterns --allow-unknown-keywords _enum. In a configuration: "allow":["patterns"],"allowUnknownKeywords":["_enum"].',
    ]);
  });

  test("refuses a document of another kind in a sentence", () => {
    const metaModel = { metaData: { version: "3.17" }, requests: [{ method: "a", params: {} }] };
    expect(problemsOf(metaModel)).toEqual([
      ": has no definitions. Give a JSON Schema with definitions in $defs, or with a type at its root.",
    ]);
  });

  test("refuses an OpenAPI document whose schemas are not JSON Schema", () => {
    const message =
      "of version 3.0.3, whose schemas are not JSON Schema. Convert it to OpenAPI 3.1";
    expect(problemsOf({ openapi: "3.0.3" })).toEqual([
      `: is an OpenAPI document ${message} or later.`,
    ]);
  });

  test("counts the problems of a large document by cause", () => {
    const pattern = (index: number): object => ({ type: "string", pattern: `^(a|${index})$` });
    const entries = Array.from({ length: 300 }, (_, index) => [`T${index}`, pattern(index)]);
    const [problem, ...more] = problemsOf({ $defs: Object.fromEntries(entries) as object });
    expect([problem!.match(/T\d+\/pattern/g)!.length, more]).toEqual([300, []]);
  });

  test("says what to write instead of `false` and of a schema without a type", () => {
    const A = {
      type: "object",
      properties: {
        a: { type: "array", items: { not: {} } },
        b: { properties: { c: { type: "string" } } },
        d: { minimum: 1 },
      },
    };
    expect(problemsOf({ $defs: { A } })).toEqual([
      "/$defs/A/properties/a/items: `false` accepts no value. Remove it and what it describes, or describe what may be there: {} is any value.",
      '/$defs/A/properties/b: "properties" without "type" accepts every value of another type. Add "type": "object", or have it implied with --allow implied-types.',
      '/$defs/A/properties/d: "minimum" without "type" accepts every value of another type. Add "type": "number", or have it implied with --allow implied-types.',
      ': all but 1 of this is accepted with --allow implied-types. In a configuration: "allow":["implied-types"].',
    ]);
  });

  test("reports `required` that is not a list", () => {
    const A = { type: "object", properties: { q: { type: "string" } }, required: "q" };
    expect(problemsOf({ $defs: { A } })).toEqual([
      '/$defs/A/required: the value must be array, not "q". ',
    ]);
  });

  test("reports a wrong type once", () => {
    expect(problemsOf({ $defs: { A: { type: "strin" } } })).toEqual([
      '/$defs/A/type: "strin" is not one of the allowed values. Allowed: null, boolean, integer, number, string, array, object.',
    ]);
  });

  test("names places in `definitions` as they are in the file", () => {
    const file = join(folder, "old.json");
    writeFileSync(file, JSON.stringify({ definitions: { A: { type: "string", minLength: -1 } } }));
    const [problem] = locateProblems([{ file, pointer: "/$defs/A/minLength", message: "" }]);
    expect(problem).toMatchObject({ pointer: "/definitions/A/minLength", position: { line: 1 } });
  });

  test("accepts names of envelopes from a protocol without methods", () => {
    expect(problemsOf({ $defs: { ClientRequest: { type: "string" } } })).toEqual([]);
  });

  test("reads a definition that both sides handle as a method of each", () => {
    const message = { type: "object", "x-side": "both", "x-method": "mcp/message" };
    const file = join(folder, "both.json");
    const $defs = { MessageMcpRequest: message, MessageMcpResponse: message };
    writeFileSync(file, JSON.stringify({ $defs }));
    const { bundle } = importInput({ protocol: "v1" }, file, SCHEMA);
    expect(
      bundle.methods.map(({ side, name, params, result }) => [side, name, params, result]),
    ).toEqual([
      ["agent", "mcp/message", "MessageMcpRequest", "MessageMcpResponse"],
      ["client", "mcp/message", "MessageMcpRequest", "MessageMcpResponse"],
    ]);
  });

  test("refuses the meta.json of another release", () => {
    const schema = join(REFERENCE, "v1.json");
    const meta = (version: string, ...names: readonly string[]): string => {
      const file = join(folder, `${version}.json`);
      const known = JSON.parse(readFileSync(schema, "utf8")) as {
        $defs: Record<string, { readonly "x-method"?: string }>;
      };
      const methods = Object.values(known.$defs).flatMap((one) => one["x-method"] ?? []);
      const agentMethods = Object.fromEntries([...methods, ...names].map((name) => [name, name]));
      writeFileSync(file, JSON.stringify({ version: 1, agentMethods }));
      return file;
    };
    expect(importInput({ meta: meta("same") }, schema, SCHEMA).profile.name).toBe("v1");
    expect(() => importInput({ meta: meta("more", "session/more") }, schema, SCHEMA)).toThrow(
      /more\.json: the schema has no method "session\/more": the two files are not of the same release/,
    );
    const other = join(folder, "other.json");
    writeFileSync(other, '{"version":2,"agentMethods":{"initialize":"initialize"}}');
    expect(() => importInput({ meta: other }, schema, SCHEMA)).toThrow(
      /other\.json: does not list the method "authenticate"/,
    );
  });
});
