import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import type { Input } from "../../../../generators/run/inputs/input.js";
import { InputError } from "../../../../generators/schema/problem.js";
import type { Json, JsonObject } from "../../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { importSchemas, type Schemas } from "./exporters/typescript-schemas.js";

/*
 * Forms that generators of schemas write. Each means exactly what a form of the dialect means: ajv is
 * asked about the schema as it was written, the generated code about the same values.
 */

const folder = temporaryFolder();

function importDocument(document: object): Input {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  return importInput({ protocol: "v1" }, file, join(ROOT, "schema"));
}

function problemsOf(document: object): readonly string[] {
  try {
    importDocument(document);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.flatMap(({ pointer = "", message, others = [] }) =>
      [pointer, ...others].map((place) => `${place}: ${message}`),
    );
  }
}

const S = { type: "string" };
const I = { type: "integer" };
const NONE = { type: "null" };
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const object = (
  properties: JsonObject,
  required?: readonly string[],
  more: JsonObject = {},
): JsonObject => ({ type: "object", properties, ...(required && { required }), ...more });
const tagged = (tag: string, value: Json, more: JsonObject = {}): JsonObject =>
  object({ [tag]: { const: value }, ...more }, [tag]);

/** Definitions by what is special about them. */
const FORMS: { readonly [what: string]: JsonObject } = {
  "null before a type": { A: object({ a: { type: ["null", "string"] } }) },
  "a definition that may be null": {
    A: { type: ["string", "null"] },
    B: object({ a: ref("A") }),
  },
  "a list of one type": { A: { type: ["string"] }, B: object({ a: { type: ["integer"] } }) },
  "integers among numbers": {
    A: { type: ["integer", "number"] },
    B: object({ a: { type: ["number", "null", "integer"] } }),
  },
  "null in an enumeration": {
    A: { enum: ["a", "b", null] },
    B: object({
      a: { enum: ["a", "b", null] },
      b: { type: ["string", "null"], enum: ["a", null] },
      c: { type: "string", enum: ["a", null] },
    }),
  },
  "the constant null": {
    A: { const: null },
    B: object({ a: { const: null }, b: { enum: [null] } }),
  },
  "boolean constants": {
    A: { const: true },
    B: object(
      {
        a: { const: false },
        b: { enum: [true] },
        c: { enum: [true, false] },
        d: { type: "boolean", const: true },
      },
      ["a"],
    ),
  },
  "an enumeration of several types": {
    A: { enum: ["a", 1, true, null] },
    B: object({ a: { enum: ["a", 1, true] } }),
  },
  "an enumeration with limits": {
    A: { enum: ["a", "ab", "abcd"], minLength: 2, maxLength: 3 },
    B: { type: "number", enum: [1, 2] },
    C: { type: "number", const: 1 },
  },
  "boolean tags": {
    A: { oneOf: [tagged("ok", true, { v: S }), tagged("ok", false, { e: S })] },
    B: {
      anyOf: [
        object({ ok: { type: "boolean", const: true }, v: S }, ["ok", "v"]),
        object({ ok: { type: "boolean", enum: [false] }, e: S }, ["ok"]),
      ],
    },
  },
  "integer tags": { A: { oneOf: [tagged("k", 1, { v: S }), tagged("k", 2, { e: S })] } },
  "tags of several types": { A: { oneOf: [tagged("k", 1), tagged("k", "a"), tagged("k", null)] } },
  "a reference among variants with tags": {
    X: object({ u: S }, ["u"]),
    A: { anyOf: [tagged("t", "a"), tagged("t", "b", { n: I }), ref("X")] },
  },
  "a reference beside the tag of a variant": {
    X: object({ u: S }, ["u"]),
    A: { oneOf: [{ ...tagged("t", "a"), ...ref("X") }, tagged("t", "b")] },
  },
  "keywords beside a reference": {
    X: object({ u: S }, ["u"]),
    T: S,
    A: { ...ref("X"), ...object({ v: I }, ["v"]) },
    B: object({
      a: { ...ref("X"), description: "It." },
      b: { ...ref("X"), type: "object", required: ["u"] },
      c: { ...ref("T"), minLength: 2 },
    }),
    C: { ...ref("T"), maxLength: 3 },
  },
  "variants with tags or null": {
    A: { oneOf: [tagged("t", "a"), tagged("t", "b"), NONE] },
    B: object({ x: { anyOf: [tagged("t", "a"), tagged("t", "b"), NONE] } }),
  },
  "variants with tags or values without": {
    T: S,
    A: { oneOf: [tagged("t", "a"), tagged("t", "b"), S] },
    B: { anyOf: [S, tagged("t", "a"), tagged("t", "b")] },
    C: { anyOf: [{ enum: ["x", "y"] }, tagged("t", "a", { v: I })] },
    D: { anyOf: [tagged("t", "a"), ref("T"), { type: "array", items: S }] },
  },
  "limits of values that are not listed": {
    A: { anyOf: [{ const: -32700 }, { const: -5 }, { type: "integer", minimum: 0, maximum: 2 }] },
    B: { anyOf: [{ const: "" }, { type: "string", minLength: 2 }] },
    C: { oneOf: [{ const: 1 }, { type: "integer", minimum: 1 }] },
  },
  "names of properties that are texts": {
    A: { type: "object", propertyNames: S, additionalProperties: I },
    B: object({ a: { type: "object", propertyNames: S, additionalProperties: {} } }),
    C: { type: "object", propertyNames: {}, additionalProperties: S },
  },
  "names that properties must not have": {
    A: { ...object({ a: S }, ["a"]), propertyNames: { not: { const: "b" } } },
    B: { ...object({ b: S }, ["b"]), propertyNames: { not: { enum: ["a", "c"] } } },
    C: { oneOf: [ref("A"), ref("B")] },
  },
  "a pattern that every name fits": {
    A: { type: "object", patternProperties: { "": S } },
    B: { type: "object", patternProperties: { ".*": I }, additionalProperties: false },
    C: object({ a: { type: "object", patternProperties: { "^(.*)$": S } } }),
  },
  annotations: {
    A: object(
      {
        a: { type: "string", deprecated: true, readOnly: true, contentMediaType: "text/plain" },
        b: { type: "string", writeOnly: false, description: "" },
        c: { type: "string", "x-order": 1, $comment: "For tools." },
      },
      undefined,
      { deprecated: true },
    ),
  },
  "keywords without effect": {
    A: { type: "array", items: S, minItems: 0, uniqueItems: false },
    B: object({ a: { type: "string", minLength: 0 } }, undefined, {
      minProperties: 0,
      patternProperties: {},
      dependentRequired: {},
      unevaluatedProperties: true,
    }),
    C: { type: "string", if: { minLength: 3 } },
    D: { type: "string", then: { minLength: 3 } },
  },
  "exclusive limits of integers": {
    A: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
    B: { type: "integer", multipleOf: 1 },
    C: { type: "number", multipleOf: 1, exclusiveMinimum: 0.5 },
    D: object({ a: { type: ["integer", "null"], exclusiveMinimum: 0, minimum: 2 } }),
  },
  "one alternative, or one part": {
    A: { anyOf: [S] },
    B: { oneOf: [object({ a: S }, ["a"])] },
    C: object({ a: { anyOf: [ref("A")] }, b: { allOf: [S] } }),
  },
  "alternatives in alternatives": {
    A: { anyOf: [{ anyOf: [S, I] }, NONE] },
    B: object({ a: { anyOf: [{ anyOf: [S, { type: "array", items: S }] }, NONE] } }),
    C: { anyOf: [{ type: ["string", "integer"] }, NONE] },
  },
  "equal alternatives": {
    A: { anyOf: [S, S] },
    B: { anyOf: [S, { type: "string", format: "uri" }] },
  },
  "a union with properties beside it": {
    U: { anyOf: [tagged("t", "a", { v: S }), tagged("t", "b")] },
    A: {
      allOf: [{ oneOf: [tagged("t", "a", { v: S }), tagged("t", "b")] }, object({ id: S }, ["id"])],
    },
    B: {
      allOf: [
        { anyOf: [object({ v: S }, ["v"]), object({ w: S }, ["w"])] },
        object({ id: S }, ["id"]),
      ],
    },
    C: { allOf: [ref("U"), object({ id: S }, ["id"])] },
    D: { allOf: [ref("U"), object({ v: { type: "string", minLength: 2 } })] },
    E: { allOf: [{ anyOf: [S, object({ v: S }, ["v"])] }, object({ id: S }, ["id"])] },
  },
  "required properties without a description": {
    A: object({ a: S }, ["a", "b"]),
    B: { type: "object", required: ["x"] },
  },
  "exclusive alternatives that null fits": {
    A: { oneOf: [{ type: ["string", "null"] }, { type: ["integer", "null"] }] },
    B: object({ a: { oneOf: [{ type: ["string", "null"] }, { type: ["integer", "null"] }] } }),
  },
  "exclusive alternatives with properties that every object inherits": {
    A: { oneOf: [object({ valueOf: S }), object({ b: S })] },
    B: { oneOf: [object({ toString: S }, ["toString"]), object({ constructor: S })] },
  },
  "combinations in combinations": {
    X: object({ a: S }, ["a"]),
    A: { allOf: [{ allOf: [ref("X")] }, object({ b: S })] },
    B: { allOf: [{ allOf: [ref("X"), object({ b: S })], ...object({ c: I }) }, object({ d: S })] },
  },
  "properties beside alternatives that are objects": {
    X: tagged("t", "a"),
    A: { properties: { n: I }, oneOf: [tagged("t", "a"), tagged("t", "b")] },
    B: { properties: { n: I }, required: ["n"], anyOf: [ref("X"), object({ u: S }, ["u"])] },
  },
  "constants beside values of other types": {
    A: { anyOf: [{ const: "auto" }, I] },
    B: { anyOf: [S, { const: 1 }] },
    C: { anyOf: [{ const: "a" }, { const: "b" }, I, NONE] },
    D: { anyOf: [{ const: "x" }, { const: 1 }] },
    E: { oneOf: [{ const: "x" }, { const: 1 }, { const: 2 }] },
    F: { anyOf: [{ const: "a" }, I, S] },
    G: { oneOf: [{ const: "a" }, S, I] },
    H: object({ a: { type: "array", items: { anyOf: [{ const: "a" }, I] } } }),
  },
  "the type of alternatives that are objects": {
    X: tagged("t", "a", { v: S }),
    Y: tagged("t", "b"),
    A: { type: "object", oneOf: [ref("X"), ref("Y")] },
    B: { type: "object", properties: {}, anyOf: [ref("X"), ref("Y")], additionalProperties: true },
    C: { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    D: { allOf: [{ type: "object" }, { oneOf: [tagged("t", "a"), tagged("t", "b")] }] },
    E: { type: ["object", "null"], properties: { n: I }, oneOf: [ref("X"), ref("Y")] },
  },
  "references among variants with tags": {
    X: tagged("t", "a", { v: S }),
    Y: tagged("t", "b", { n: I }),
    A: { oneOf: [tagged("t", "c"), ref("X")] },
    B: { anyOf: [ref("X"), tagged("t", "c", { n: S })] },
    C: { oneOf: [ref("X"), ref("Y"), tagged("t", "c")] },
    D: { oneOf: [ref("X"), tagged("t", "a", { n: I })] },
    E: { oneOf: [ref("X"), tagged("t", "c")], type: "object", properties: { n: S } },
  },
  "a variant with several tags": {
    A: { oneOf: [object({ t: { enum: ["a", "b"] }, v: S }, ["t"]), tagged("t", "c")] },
    B: { anyOf: [object({ t: { enum: ["a", "x"] }, v: S }, ["t"]), tagged("t", "b", { n: I })] },
  },
  "variants with the same tag": {
    A: { oneOf: [tagged("t", "a"), tagged("t", "a")] },
    B: { oneOf: [object({ t: { const: "a" }, v: S }, ["t", "v"]), tagged("t", "a", { v: I })] },
    C: { anyOf: [object({ t: { const: "a" }, v: S }, ["t", "v"]), tagged("t", "a", { n: I })] },
    D: { oneOf: [tagged("t", "a"), tagged("t", "b", { v: S }), tagged("t", "b", { n: I })] },
  },
  "unions among variants with tags": {
    X: { oneOf: [tagged("t", "a"), tagged("t", "b")] },
    A: { anyOf: [{ anyOf: [tagged("t", "a", { v: S }), tagged("t", "b")] }, tagged("t", "c")] },
    B: { oneOf: [ref("X"), tagged("t", "c", { n: I })] },
    C: { anyOf: [ref("X"), tagged("t", "c", { n: I }), NONE] },
  },
  "alternatives that nothing fits": {
    A: { anyOf: [S, { not: {} }] },
    B: object({ a: { oneOf: [I, false, NONE] } }),
  },
  "items with one schema": {
    A: { type: "array", prefixItems: [S, S], minItems: 2, maxItems: 2 },
    B: { type: "array", prefixItems: [S, S], items: false },
    C: { type: "array", prefixItems: [I], items: I },
    D: { type: "array", items: false },
  },
  "names of properties with a definition, and patterns that allow everything": {
    T: S,
    A: { type: "object", propertyNames: ref("T"), additionalProperties: I },
    B: object({ a: S }, undefined, { patternProperties: { "^x-": {} } }),
    C: object({ a: S }, undefined, { unevaluatedProperties: {} }),
  },
  "formats of what is not one text, and defaults of what is not a property": {
    A: { anyOf: [{ type: "string", maxLength: 2 }, NONE], format: "uuid" },
    B: object({ a: { ...ref("A"), format: "uuid" }, b: { format: "uuid" } }),
    C: { type: "array", items: { type: "string", default: "a" }, format: "set" },
    D: { type: "string", default: "a" },
  },
  "a reason for what is deprecated, and definitions inside": {
    A: object({ a: { type: "string", deprecated: "Use b." }, b: { $ref: "#/$defs/B/$defs/C" } }),
    B: object({ a: S }, undefined, { $defs: { C: I } }),
  },
  "scalars, and several nulls": { A: S, B: NONE, C: NONE, D: { anyOf: [ref("B"), ref("C")] } },
};

/** The prefix of the definitions of each form, in one document. */
const PREFIXES = new Map(Object.keys(FORMS).map((what, index) => [what, `F${index}`]));

function inOneDocument(): JsonObject {
  const entries = Object.entries(FORMS).flatMap(([what, definitions]) => {
    const prefix = PREFIXES.get(what)!;
    const text = JSON.stringify(definitions).replaceAll('"#/$defs/', `"#/$defs/${prefix}`);
    const own = JSON.parse(text) as JsonObject;
    return Object.entries(own).map(([name, schema]) => [`${prefix}${name}`, schema] as const);
  });
  return { $defs: Object.fromEntries(entries) as JsonObject };
}

const ATOMS: readonly Json[] = [
  ...[null, true, false, 0, 1, 2, -1, 1.5, 10, 11, -32700, -5, "", "a", "b", "ab", "abcd", "x"],
  ...[[], ["a"], [1], ["a", 1], {}],
];
const KEYS = [
  ...["a", "b", "c", "d", "t", "k", "v", "e", "u", "w", "id", "ok", "n", "x"],
  ...["valueOf", "toString", "constructor", "other"],
];
const TAGS: readonly JsonObject[] = [
  ...[{ t: "a" }, { t: "b" }, { t: "c" }, { k: 1 }, { k: 2 }, { k: "a" }, { k: null }],
  ...[{ ok: true }, { ok: false }, { u: "x" }, { a: "x" }, { v: "x" }, { id: "i" }],
];

/** Scalars, and objects of one to three properties. */
function* values(): Generator<Json> {
  yield* ATOMS;
  for (const key of KEYS) for (const atom of ATOMS) yield { [key]: atom };
  for (const tag of TAGS)
    for (const key of KEYS)
      for (const atom of ["x", "xy", 1, null, true]) {
        yield { ...tag, [key]: atom };
        yield { ...tag, id: "i", [key]: atom };
        yield { x: { ...tag, [key]: atom } };
      }
}

describe("a form that means what a form of the dialect means is accepted", () => {
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, ownProperties: true },
    // Exporters write a text as `deprecated`, too.
    validateSchema: false,
  });
  let generated: Schemas;
  beforeAll(async () => {
    const document = inOneDocument();
    ajv.addSchema(document, "all");
    const { bundle: composed, profile } = importDocument(document);
    const { schemas } = await importSchemas([buildProtocol(composed, profile)]);
    generated = schemas[profile.name]!;
  });

  test.each(Object.entries(FORMS))("%s", (what, definitions) => {
    for (const name of Object.keys(definitions)) {
      const own = `${PREFIXES.get(what)}${name}`;
      const isValid = ajv.getSchema(`all#/$defs/${own}`)!;
      const { is } = generated[own]!;
      const wrong = [...values()].filter((value) => is(value) !== isValid(value));
      expect([name, wrong]).toEqual([name, []]);
    }
  });
});

test("keywords beside a reference have no effect up to draft-07", () => {
  const { bundle: draft } = importDocument({
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: { X: S, A: object({ a: { $ref: "#/definitions/X", maxLength: 1 } }) },
  });
  expect(draft.definitions.get("A")!.schema.properties).toEqual({ a: ref("X") });
});

describe("definitions get names that types can have", () => {
  const namesOf = (document: object): object => {
    const { bundle: own, renamed } = importDocument(document);
    return { names: [...own.definitions.keys()], renamed: Object.fromEntries(renamed!) };
  };

  test("from names in other forms, with a number where one is taken", () => {
    const $defs = { _Foo: S, Page_User_: S, "Foo.Bar": S, foo: S, "A<B>": S, Foo: S, "2D": S };
    const uses = ["_Foo", "Foo.Bar", "A%3CB%3E"].map((name) => ({ $ref: `#/$defs/${name}` }));
    expect(namesOf({ $defs: { ...$defs, Uses: { anyOf: uses } } })).toEqual({
      names: ["AB", "Foo", "Foo2", "Foo3", "FooBar", "PageUser", "Type2D", "Uses"],
      renamed: {
        ...{ _Foo: "Foo2", Page_User_: "PageUser", "Foo.Bar": "FooBar", foo: "Foo3" },
        ...{ "A<B>": "AB", "2D": "Type2D" },
      },
    });
  });

  test("in namespaces, where two have one name", () => {
    const definitions = { Item: S, v2: { Item: I, Other: { $ref: "#/definitions/v2/Item" } } };
    expect(namesOf({ definitions })).toEqual({
      names: ["Item", "Other", "V2Item"],
      renamed: { "v2/Item": "V2Item" },
    });
  });

  test("from the title of the root, of its file, and of parts that references lead to", () => {
    const root = object({ a: { $ref: "#/properties/b" }, b: object({ c: S }), d: { $ref: "#" } });
    expect(namesOf({ title: "Tree node", ...root })).toEqual({
      names: ["B", "TreeNode"],
      renamed: { "Tree node": "TreeNode" },
    });
    expect(namesOf(root)).toMatchObject({ names: ["B", "Schema"] });
    const $defs = { A: object({ x: object({ y: S }) }), B: { $ref: "#/$defs/A/properties/x" } };
    expect(namesOf({ $defs })).toMatchObject({ names: ["A", "AX", "B"] });
  });

  test("also where a property has the name of a keyword", () => {
    const properties = {
      default: { $ref: "#/definitions/_T" },
      enum: { $ref: "#/definitions/_T" },
    };
    const { bundle: own } = importDocument({ definitions: { _T: S, A: object(properties) } });
    expect(own.definitions.get("A")!.schema.properties).toEqual({
      default: ref("T"),
      enum: ref("T"),
    });
  });

  test("from `$id` and `$anchor`, which references may name", () => {
    const $defs = { A: { $id: "T", ...S }, B: { $ref: "T" }, C: { $anchor: "c", ...S } };
    const uses = { D: { $ref: "#c" }, E: { $ref: "https://example.org/s.json#/$defs/A" } };
    expect(
      namesOf({ $id: "https://example.org/s.json", $defs: { ...$defs, ...uses } }),
    ).toMatchObject({ names: ["A", "B", "C", "D", "E"] });
  });

  test("from the file of a union, unless it has the messages of marked methods", () => {
    expect(namesOf({ oneOf: [S, I] })).toMatchObject({ names: ["Schema"] });
    const union = { oneOf: [ref("A"), I], $defs: { A: S } };
    expect(namesOf({ title: "Event", ...union })).toMatchObject({ names: ["A", "Event"] });
    const marked = { ...object({}), "x-method": "a/b", "x-side": "agent" };
    const root = { title: "Protocol", anyOf: [ref("ABNotification")] };
    expect(namesOf({ ...root, $defs: { ABNotification: marked } })).toMatchObject({
      names: ["ABNotification"],
    });
  });
});

test("constants that nothing fits, and those of no form, are refused at their places", () => {
  const none = "none of the constants fits the other keywords";
  const $defs = {
    A: { const: false, type: "string" },
    B: { enum: ["a"], minLength: 2 },
    C: object({ a: { enum: ["a"], type: "integer" }, b: { const: [1] } }),
  };
  expect(problemsOf({ $defs })).toEqual([
    `/$defs/A/const: ${none}`,
    `/$defs/B/enum: ${none}`,
    `/$defs/C/properties/a/enum: ${none}`,
    "/$defs/C/properties/b/const: constants are texts, integers, booleans and null",
  ]);
});

test("places of problems are those of the document as it was written", () => {
  const problems = problemsOf({
    definitions: {
      _Names: { type: ["null", "object"], properties: { a: { enum: [null, 1.5] } } },
      "Foo.Bar": { anyOf: [NONE, { type: "string", pattern: "(a+)+" }] },
      Unknown: { anyOf: [S, { type: ["integer"], maximun: 1 }] },
    },
  });
  expect(problems.map((problem) => problem.replace(/: .*/, "")).sort()).toEqual([
    "",
    "/definitions/Foo.Bar/anyOf/1/pattern",
    "/definitions/Unknown/anyOf/1/maximun",
    "/definitions/_Names/properties/a/enum",
  ]);
});

describe("a form in the table of the manual is read as the form beside it", () => {
  const page = readFileSync(join(ROOT, "templates/site/guides/tool/imports.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\{.*\})` +\| `(\{.*\})` +\|$/gm)];
  const shapeOf = (schema: string): unknown => {
    const own = importDocument({ $defs: { A: JSON.parse(schema) as Json } });
    return buildProtocol(own.bundle, own.profile).definitions[0]!.shape;
  };

  test.each(rows.map(([, written, read]) => [written!, read!]))("%s", (written, read) => {
    expect(shapeOf(written)).toEqual(shapeOf(read));
  });

  test("which has many", () => {
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });
});
