import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../../../generators/schema/compare/changes.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";

type Definitions = { readonly [name: string]: JsonSchema };

/** A published schema before and after a change, reduced to its core. */
type Change = readonly [before: Definitions, after: Definitions];

const string: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const object = (properties: Definitions, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const value = (text: string): JsonSchema => ({ type: "string", const: text });
const tagged = (tag: string, properties: Definitions = {}): JsonSchema =>
  object({ type: value(tag), ...properties }, "type", ...Object.keys(properties));
const list = (limits: JsonSchema = {}): JsonSchema => ({ type: "array", items: string, ...limits });
const meta: JsonSchema = { type: ["object", "null"], additionalProperties: true };
const map = (values: JsonSchema | true): JsonSchema => ({
  type: "object",
  additionalProperties: values,
});
const OTHER: JsonSchema = { ...string, title: "other" };
const COMMAND = object({ name: string, description: string }, "name", "description");

/** A change of the definition `Thing`. */
const definition = (before: JsonSchema, after: JsonSchema): Change => [
  { Thing: before },
  { Thing: after },
];
/** A change of a property of `Thing`. */
const property = (before: JsonSchema, after: JsonSchema): Change =>
  definition(object({ it: before }), object({ it: after }));

/** The changes by what a person says that they do, to senders and to receivers. */
const CLASSIFIED: { readonly [verdicts: string]: { readonly [title: string]: Change } } = {
  "wire-breaking, safe": {
    "a list gets a minimum": property(list(), list({ minItems: 1 })),
    "a property becomes required": definition(object({ a: string }), object({ a: string }, "a")),
    "a minimum rises": property({ ...integer, minimum: 0 }, { ...integer, minimum: 1 }),
    "a minimum is added": property(integer, { ...integer, minimum: 0 }),
    "a flag that repairs is dropped": property(
      { ...string, "x-deserialize-default-on-error": true },
      string,
    ),
    "a property of the values of a map becomes required": property(
      map(object({ a: string })),
      map(object({ a: string }, "a")),
    ),
    "a map of any values gets their type": property(map(true), map(string)),
    "anyOf becomes oneOf with variants that share values": definition(
      { anyOf: [object({ a: string }), object({ b: string })] },
      { oneOf: [object({ a: string }), object({ b: string })] },
    ),
  },
  "wire-breaking, type-breaking": {
    "a property that must not be there any more": definition(object({ a: string, b: string }), {
      ...object({ a: string }),
      propertyNames: { not: { const: "b" } },
    }),
    "a union without tags loses null": definition(
      {
        anyOf: [
          { title: "Null", type: "null" },
          { title: "Number", ...integer },
          { title: "Text", ...string },
        ],
      },
      {
        anyOf: [
          { title: "Number", ...integer },
          { title: "Text", ...string },
        ],
      },
    ),
  },
  "safe, safe": {
    "a flag repairs null": property(list(), list({ "x-deserialize-default-on-null": true })),
    "an annotation changes": property({ ...string, "x-state": {} } as JsonSchema, string),
    "a format is dropped": property({ ...string, format: "date-time" }, string),
    "an open enumeration gets a value": definition(
      {
        anyOf: [
          { ...integer, const: -32000 },
          { ...integer, title: "Other" },
        ],
      },
      {
        anyOf: [
          { ...integer, const: -32000 },
          { ...integer, const: -32022 },
          { ...integer, title: "Other" },
        ],
      },
    ),
    "an optional property comes": definition(
      object({ id: string }, "id"),
      object({ id: string, size: integer }, "id"),
    ),
    "an object becomes a union with the identical object alone": [
      { AuthMethod: object({ id: string, name: string }, "id", "name") },
      {
        AuthMethod: { anyOf: [{ $ref: "#/$defs/AuthMethodAgent" }] },
        AuthMethodAgent: object({ id: string, name: string }, "id", "name"),
      },
    ],
    "any value becomes a union that takes every value": [
      { Error: object({ code: integer, data: {} }, "code") },
      {
        Error: object(
          { code: integer, data: { anyOf: [{ $ref: "#/$defs/Data" }, { type: "null" }] } },
          "code",
        ),
        Data: { anyOf: [object({ uri: string }, "uri"), { title: "Other" }] },
      },
    ],
    "a variant refers to an object that has only metadata": definition(
      {
        oneOf: [
          object({ outcome: value("cancelled") }, "outcome"),
          object({ outcome: value("selected"), id: string }, "outcome", "id"),
        ],
      },
      {
        oneOf: [
          {
            ...object({ outcome: value("cancelled") }, "outcome"),
            allOf: [object({ _meta: meta })],
          },
          object({ outcome: value("selected"), id: string }, "outcome", "id"),
        ],
      },
    ),
    "anyOf becomes oneOf with the same variants": definition(
      { anyOf: [tagged("a"), tagged("b")] },
      { oneOf: [tagged("a"), tagged("b")] },
    ),
    "a map is described": property(map(string), { ...map(string), description: "Texts." }),
    "oneOf becomes anyOf with variants that exclude each other": definition(
      { oneOf: [tagged("a"), tagged("b")] },
      { anyOf: [tagged("a"), tagged("b")] },
    ),
    "oneOf with variants that share values gets a title": definition(
      { oneOf: [object({ a: string }), object({ b: string })] },
      { title: "Thing", oneOf: [object({ a: string }), object({ b: string })] },
    ),
  },
  "type-breaking, type-breaking": {
    "an open enumeration loses a value": definition(
      { anyOf: [value("paused"), value("done"), OTHER] },
      { anyOf: [value("done"), OTHER] },
    ),
    "a definition is renamed": [
      { FileSystemCapability: object({ read: string }) },
      { FileSystemCapabilities: object({ read: string }) },
    ],
    "an optional property goes": definition(
      object({ a: string, b: string }, "a"),
      object({ a: string }, "a"),
    ),
    "the message of a method that stays is renamed, though it has only metadata": [
      {
        KillTerminalCommandResponse: {
          ...object({ _meta: meta }),
          "x-method": "terminal/kill",
          "x-side": "client",
        },
        ReleaseTerminalResponse: {
          ...object({ _meta: meta }),
          "x-method": "terminal/release",
          "x-side": "client",
        },
      },
      {
        KillTerminalResponse: {
          ...object({ _meta: meta }),
          "x-method": "terminal/kill",
          "x-side": "client",
        },
        ReleaseTerminalResponse: {
          ...object({ _meta: meta }),
          "x-method": "terminal/release",
          "x-side": "client",
        },
      },
    ],
  },
  "safe, decode-breaking": {
    "a minimum is dropped": property({ ...integer, minimum: 0 }, integer),
    "a pattern is dropped": property({ ...string, pattern: "^[A-Z]{3}$" }, string),
    "a closed union without tags gets a variant for everything else": definition(
      {
        anyOf: [
          { title: "Text", ...string },
          { title: "Number", type: "number" },
        ],
      },
      {
        anyOf: [
          { title: "Text", ...string },
          { title: "Number", type: "number" },
          { title: "Other" },
        ],
      },
    ),
    "the values of a map may be null": property(map(string), map({ type: ["string", "null"] })),
    "a map loses the type of its values": property(map(string), { type: "object" }),
    "oneOf becomes anyOf with variants that share values": definition(
      { oneOf: [integer, { type: "number", minimum: 5 }] },
      { anyOf: [integer, { type: "number", minimum: 5 }] },
    ),
  },
  "wire-breaking, decode-breaking": {
    "an object becomes a tagged union": definition(COMMAND, {
      oneOf: [tagged("unstructured", COMMAND.properties), tagged("form", { fields: list() })],
    }),
    "a tag gets another value": definition(
      { oneOf: [tagged("text", { text: string }), tagged("image", { data: string })] },
      { oneOf: [tagged("txt", { text: string }), tagged("image", { data: string })] },
    ),
    "the values of a map get another type": property(map(string), map(integer)),
    "a map becomes an object with a property of another type": property(
      map(string),
      object({ a: integer }),
    ),
  },
  "wire-breaking, wire-breaking": {
    "the params of a method go": [
      {
        CancelRequest: { ...object({ id: string }), "x-method": "cancel", "x-side": "agent" },
      },
      {},
    ],
    "a method moves to the other side": [
      { Call: { ...object({ id: string }), "x-method": "call", "x-side": "agent" } },
      { Call: { ...object({ id: string }), "x-method": "call", "x-side": "client" } },
    ],
  },
  "type-breaking, decode-breaking": {
    "a required property goes": definition(
      object({ id: string, command: string }, "id", "command"),
      object({ id: string }, "id"),
    ),
  },
};

describe("a change of a published schema is classified as a reviewer would", () => {
  describe.each(Object.entries(CLASSIFIED))("%s", (verdicts, changes) => {
    const [sender, receiver] = verdicts.split(", ");
    test.each(Object.entries(changes))("%s", (_, [before, after]) => {
      const found = compareSchemas({ $defs: before }, { $defs: after });
      expect(found).toMatchObject({ sender, receiver });
    });
  });

  test("a definition that leads back to itself counts as its other alternatives", () => {
    const itself = { $ref: "#/$defs/Thing" };
    const circles: readonly JsonSchema[] = [
      { anyOf: [itself, string] },
      { anyOf: [{ allOf: [itself] }, string] },
      { anyOf: [{ $ref: "#/$defs/Other" }, string] },
    ];
    const Other = { allOf: [itself] };
    for (const Thing of circles) {
      const [before, after] = [Thing, string].map((one) => ({ $defs: { Thing: one, Other } }));
      expect(compareSchemas(before!, after!)).toMatchObject({ sender: "safe", receiver: "safe" });
      const other = { $defs: { Thing: integer, Other } };
      expect(compareSchemas(before!, other)).toMatchObject({ sender: "wire-breaking" });
    }
  });

  test("a removed batch is a change of the root", () => {
    const root = (...names: readonly string[]): JsonSchema => ({
      anyOf: names.map((title) => ({ title, type: "object" })),
      $defs: {},
    });
    const before = root("Agent", "AgentBatchCall");
    expect(compareSchemas(before, root("Agent"))).toMatchObject({
      sender: "wire-breaking",
      receiver: "wire-breaking",
    });
    expect(compareSchemas(root("Agent"), before)).toMatchObject({
      sender: "safe",
      receiver: "safe",
    });
  });
});

describe("a property that is called properties", () => {
  const schema = (inner: JsonSchema): Definitions => ({
    ElicitationSchema: object({ properties: { type: "object", ...inner } }),
  });
  test.each([
    ["loses a default", { default: {} }, {}, "safe", "safe"],
    [
      "gets a minimum",
      { properties: { a: integer } },
      { properties: { a: { ...integer, minimum: 1 } } },
      "wire-breaking",
      "safe",
    ],
    ["allows null", {}, { type: ["object", "null"] }, "safe", "decode-breaking"],
  ] as const)("%s", (_, before, after, sender, receiver) => {
    expect(
      compareSchemas({ $defs: schema(before) }, { $defs: schema(after as JsonSchema) }),
    ).toMatchObject({ sender, receiver });
  });
});
