import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../../../generators/schema/compare/changes.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";

type Definitions = { readonly [name: string]: JsonSchema };

/** A change of a published schema, reduced to its core, and what a person says that it does. */
interface ClassifiedChange {
  readonly title: string;
  readonly before: Definitions;
  readonly after: Definitions;
  readonly sender: string;
  readonly receiver: string;
}

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

/** Classifies one property of the definition `Thing`. */
const property = (
  title: string,
  before: JsonSchema,
  after: JsonSchema,
  sender: string,
  receiver: string,
): ClassifiedChange => ({
  title,
  before: { Thing: object({ it: before }) },
  after: { Thing: object({ it: after }) },
  sender,
  receiver,
});
/** Classifies the definition `Thing` itself. */
const definition = (
  title: string,
  before: JsonSchema,
  after: JsonSchema,
  sender: string,
  receiver: string,
): ClassifiedChange => ({
  title,
  before: { Thing: before },
  after: { Thing: after },
  sender,
  receiver,
});

const CLASSIFIED: readonly ClassifiedChange[] = [
  property("a list gets a minimum", list(), list({ minItems: 1 }), "wire-breaking", "safe"),
  definition(
    "a property that must not be there any more",
    object({ a: string, b: string }),
    { ...object({ a: string }), propertyNames: { not: { const: "b" } } },
    "wire-breaking",
    "type-breaking",
  ),
  definition(
    "a property becomes required",
    object({ a: string }),
    object({ a: string }, "a"),
    "wire-breaking",
    "safe",
  ),
  property(
    "a flag repairs null",
    list(),
    list({ "x-deserialize-default-on-null": true }),
    "safe",
    "safe",
  ),
  property(
    "an annotation changes",
    { ...string, "x-state": {} } as JsonSchema,
    string,
    "safe",
    "safe",
  ),
  property("a format is dropped", { ...string, format: "date-time" }, string, "safe", "safe"),
  definition(
    "an open enumeration gets a value",
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
    "safe",
    "safe",
  ),
  definition(
    "an open enumeration loses a value",
    { anyOf: [value("paused"), value("done"), OTHER] },
    { anyOf: [value("done"), OTHER] },
    "type-breaking",
    "type-breaking",
  ),
  property("a minimum is dropped", { ...integer, minimum: 0 }, integer, "safe", "decode-breaking"),
  property(
    "a minimum rises",
    { ...integer, minimum: 0 },
    { ...integer, minimum: 1 },
    "wire-breaking",
    "safe",
  ),
  property("a minimum is added", integer, { ...integer, minimum: 0 }, "wire-breaking", "safe"),
  {
    title: "a definition is renamed",
    before: { FileSystemCapability: object({ read: string }) },
    after: { FileSystemCapabilities: object({ read: string }) },
    sender: "type-breaking",
    receiver: "type-breaking",
  },
  definition(
    "an object becomes a tagged union",
    COMMAND,
    { oneOf: [tagged("unstructured", COMMAND.properties), tagged("form", { fields: list() })] },
    "wire-breaking",
    "decode-breaking",
  ),
  property(
    "a flag that repairs is dropped",
    { ...string, "x-deserialize-default-on-error": true },
    string,
    "wire-breaking",
    "safe",
  ),
  {
    title: "the params of a method go",
    before: {
      CancelRequest: { ...object({ id: string }), "x-method": "cancel", "x-side": "agent" },
    },
    after: {},
    sender: "wire-breaking",
    receiver: "wire-breaking",
  },
  definition(
    "an optional property goes",
    object({ a: string, b: string }, "a"),
    object({ a: string }, "a"),
    "type-breaking",
    "type-breaking",
  ),
  definition(
    "an optional property comes",
    object({ id: string }, "id"),
    object({ id: string, size: integer }, "id"),
    "safe",
    "safe",
  ),
  definition(
    "a required property goes",
    object({ id: string, command: string }, "id", "command"),
    object({ id: string }, "id"),
    "type-breaking",
    "decode-breaking",
  ),
  definition(
    "a tag gets another value",
    { oneOf: [tagged("text", { text: string }), tagged("image", { data: string })] },
    { oneOf: [tagged("txt", { text: string }), tagged("image", { data: string })] },
    "wire-breaking",
    "decode-breaking",
  ),
  {
    title: "a method moves to the other side",
    before: { Call: { ...object({ id: string }), "x-method": "call", "x-side": "agent" } },
    after: { Call: { ...object({ id: string }), "x-method": "call", "x-side": "client" } },
    sender: "wire-breaking",
    receiver: "wire-breaking",
  },
  property(
    "a pattern is dropped",
    { ...string, pattern: "^[A-Z]{3}$" },
    string,
    "safe",
    "decode-breaking",
  ),
  {
    title: "an object becomes a union with the identical object alone",
    before: { AuthMethod: object({ id: string, name: string }, "id", "name") },
    after: {
      AuthMethod: { anyOf: [{ $ref: "#/$defs/AuthMethodAgent" }] },
      AuthMethodAgent: object({ id: string, name: string }, "id", "name"),
    },
    sender: "safe",
    receiver: "safe",
  },
  {
    title: "the message of a method that stays is renamed, though it has only metadata",
    before: {
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
    after: {
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
    sender: "type-breaking",
    receiver: "type-breaking",
  },
  {
    title: "any value becomes a union that takes every value",
    before: { Error: object({ code: integer, data: {} }, "code") },
    after: {
      Error: object(
        { code: integer, data: { anyOf: [{ $ref: "#/$defs/Data" }, { type: "null" }] } },
        "code",
      ),
      Data: { anyOf: [object({ uri: string }, "uri"), { title: "Other" }] },
    },
    sender: "safe",
    receiver: "safe",
  },
  definition(
    "a variant refers to an object that has only metadata",
    {
      oneOf: [
        object({ outcome: value("cancelled") }, "outcome"),
        object({ outcome: value("selected"), id: string }, "outcome", "id"),
      ],
    },
    {
      oneOf: [
        { ...object({ outcome: value("cancelled") }, "outcome"), allOf: [object({ _meta: meta })] },
        object({ outcome: value("selected"), id: string }, "outcome", "id"),
      ],
    },
    "safe",
    "safe",
  ),
  definition(
    "anyOf becomes oneOf with the same variants",
    { anyOf: [tagged("a"), tagged("b")] },
    { oneOf: [tagged("a"), tagged("b")] },
    "safe",
    "safe",
  ),
  definition(
    "a closed union without tags gets a variant for everything else",
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
    "safe",
    "decode-breaking",
  ),
  definition(
    "a union without tags loses null",
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
    "wire-breaking",
    "type-breaking",
  ),
  property(
    "the values of a map get another type",
    map(string),
    map(integer),
    "wire-breaking",
    "decode-breaking",
  ),
  property(
    "the values of a map may be null",
    map(string),
    map({ type: ["string", "null"] }),
    "safe",
    "decode-breaking",
  ),
  property(
    "a property of the values of a map becomes required",
    map(object({ a: string })),
    map(object({ a: string }, "a")),
    "wire-breaking",
    "safe",
  ),
  property("a map of any values gets their type", map(true), map(string), "wire-breaking", "safe"),
  property(
    "a map loses the type of its values",
    map(string),
    { type: "object" },
    "safe",
    "decode-breaking",
  ),
  property(
    "a map becomes an object with a property of another type",
    map(string),
    object({ a: integer }),
    "wire-breaking",
    "decode-breaking",
  ),
  property(
    "a map is described",
    map(string),
    { ...map(string), description: "Texts." },
    "safe",
    "safe",
  ),
  definition(
    "oneOf becomes anyOf with variants that exclude each other",
    { oneOf: [tagged("a"), tagged("b")] },
    { anyOf: [tagged("a"), tagged("b")] },
    "safe",
    "safe",
  ),
  definition(
    "oneOf becomes anyOf with variants that share values",
    { oneOf: [integer, { type: "number", minimum: 5 }] },
    { anyOf: [integer, { type: "number", minimum: 5 }] },
    "safe",
    "decode-breaking",
  ),
  definition(
    "anyOf becomes oneOf with variants that share values",
    { anyOf: [object({ a: string }), object({ b: string })] },
    { oneOf: [object({ a: string }), object({ b: string })] },
    "wire-breaking",
    "safe",
  ),
  definition(
    "oneOf with variants that share values gets a title",
    { oneOf: [object({ a: string }), object({ b: string })] },
    { title: "Thing", oneOf: [object({ a: string }), object({ b: string })] },
    "safe",
    "safe",
  ),
];

describe("a change of a published schema is classified as a reviewer would", () => {
  test.each(CLASSIFIED)("$title", ({ before, after, sender, receiver }) => {
    expect(compareSchemas({ $defs: before }, { $defs: after })).toMatchObject({ sender, receiver });
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
