import { describe, expect, test } from "vitest";
import { findAdditions } from "../../../../generators/emit/site/model/added-by-features.js";
import { findCapability } from "../../../../generators/emit/site/model/find-capability.js";
import { findDetail } from "../../../../generators/emit/site/model/find-detail.js";
import { inMessageOrder } from "../../../../generators/emit/site/model/message-order.js";
import {
  areaPath,
  conventionsOf,
  exampleOf,
  rulesOf,
} from "../../../../generators/emit/site/model/profile-rules.js";
import type { Use } from "../../../../generators/emit/site/model/type-uses.js";
import type { Site } from "../../../../generators/emit/site/model/site.js";
import type { JsonObject, JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../small-protocol.js";

const TEXT: JsonSchema = { type: "string" };
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({
  type: "object",
  properties,
});
const constants = (...values: readonly string[]): JsonSchema => ({
  oneOf: values.map((value) => ({ type: "string", const: value })),
});
const placeOf = ({ owner, steps, value }: Use): string =>
  [owner, ...steps.map(({ name }) => name), value].filter((part) => part !== undefined).join(" ");

describe("a capability is documented", () => {
  const protocol = smallProtocol({
    definitions: {
      Initialize: object({ mine: ref("Alias") }),
      Initialized: object({ yours: object({ fly: TEXT }) }),
      Alias: ref("Flags"),
      Flags: object({ deep: object({ down: TEXT }) }),
    },
    methods: [{ name: "initialize", params: "Initialize", result: "Initialized" }],
  });

  test.each<[side: "agent" | "client", path: string, place: string | undefined]>([
    ["agent", "yours.fly", "Initialized yours fly"],
    ["client", "mine", "Initialize mine"],
    ["client", "mine.deep.down", "Flags deep down"],
    ["client", "mine.high", undefined],
    ["client", "yours.fly", undefined],
    ["agent", "yours.fly.far", undefined],
  ])("of the %s: %s", (side, path, place) => {
    const found = findCapability(protocol, side, path.split("."));
    expect(found && placeOf(found)).toBe(place);
  });

  test("nowhere without a method initialize", () => {
    expect(findCapability(smallProtocol({ definitions: {} }), "agent", ["a"])).toBeUndefined();
  });
});

test("what a feature adds to the definitions of others is listed by feature", () => {
  const protocol = smallProtocol({
    definitions: {
      Info: object({ name: TEXT }),
      Level: constants("low"),
    },
    feature: {
      add: {
        Info: object({ pinned: TEXT }),
        Level: { oneOf: [{ type: "string", const: "high" }] },
      },
    },
  });
  const found = [...findAdditions(protocol)].map(([name, uses]) => [name, uses.map(placeOf)]);
  expect(found).toEqual([["extra", ["Info pinned", "Level high"]]]);
});

test.each<[title: string, schema: JsonSchema, kind: string | undefined]>([
  ["text", TEXT, undefined],
  ["a list of references", { type: "array", items: ref("Other") }, undefined],
  ["an object", object({ a: TEXT }), "object"],
  ["an object without properties", { type: "object" }, undefined],
  ["a list of objects", { type: "array", items: object({ a: TEXT }) }, "object"],
  ["a map of objects", { type: "object", additionalProperties: object({ a: TEXT }) }, "object"],
  ["four values", constants("a", "b", "c", "d"), undefined],
  ["five values", constants("a", "b", "c", "d", "e"), "enum"],
  ["a described value", { oneOf: [{ ...TEXT, const: "a", description: "A." }] }, "enum"],
  ["a titled value", { oneOf: [{ ...TEXT, const: "a", title: "A" }] }, "enum"],
  ["two types", { anyOf: [TEXT, { type: "integer" }] }, undefined],
  ["a described type", { anyOf: [{ ...TEXT, description: "A." }, { type: "integer" }] }, "union"],
  ["text or an object", { anyOf: [TEXT, { title: "o", ...object({ a: TEXT }) }] }, "union"],
])("the detail of %s", (_, schema, kind) => {
  const { definitions } = smallProtocol({ definitions: { Thing: schema, Other: TEXT } });
  const { shape } = definitions.find(({ name }) => name === "Thing")!;
  expect(findDetail(shape)?.kind).toBe(kind);
});

test("the members of a message and their properties are in the order of readers", () => {
  const { definitions, methods } = smallProtocol({
    definitions: { P: object({ b: TEXT, a: TEXT }), R: object({ d: TEXT, c: TEXT }) },
    methods: [{ name: "m", params: "P", result: "R" }],
  });
  const byName = new Map(definitions.map((one) => [one.name, one]));
  const site = { definitions: byName, definitionOf: (name: string) => byName.get(name)! } as never;
  const ordered = (message: JsonObject, method = methods[0]): string =>
    JSON.stringify(inMessageOrder(message, method, site));
  expect(ordered({ x: 1, params: { a: "", b: "" }, method: "m", id: 1, jsonrpc: "2.0" })).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"m","params":{"b":"","a":""},"x":1}',
  );
  expect(ordered({ result: { c: "", d: "" }, id: 1 })).toBe('{"id":1,"result":{"d":"","c":""}}');
  expect(ordered({ x: 1, error: {}, id: 1 })).toBe('{"id":1,"error":{},"x":1}');
  const unknown = JSON.stringify(inMessageOrder({ params: { a: "", b: "" } }, undefined, site));
  expect(unknown).toBe('{"params":{"a":"","b":""}}');
});

describe("the rules of a profile", () => {
  const rule = (versions: readonly number[], more: object = {}) => ({
    ...{ versions, features: [], methods: [], examples: [] },
    ...more,
  });
  const site = {
    protocol: { version: "v1", versionNumber: 1 },
    features: new Map([["on", {}]]),
    methodPaths: new Map([["m", ""]]),
    docs: {
      conventions: [{ id: "all" }, { id: "one", only: ["v1"] }, { id: "two", only: ["v2"] }],
    },
  } as unknown as Site;

  test.each<[title: string, given: object, isOne: boolean]>([
    ["its version", rule([1, 2]), true],
    ["another version", rule([2]), false],
    ["a feature that is on", rule([1], { features: ["on"] }), true],
    ["a feature that is off", rule([1], { features: ["on", "off"] }), false],
    ["its method", rule([1], { methods: ["m"] }), true],
    ["the method of others", rule([1], { methods: ["m", "n"] }), false],
  ])("are those for %s: %#", (_, given, isOne) => {
    expect(rulesOf({ ...site, rules: { rules: [given] } } as never)).toEqual(isOne ? [given] : []);
  });

  test("have the example of its version and features", () => {
    const examples = [
      { version: 2 },
      { version: 1, feature: "off" },
      { version: 1, feature: "on" },
      { version: 1 },
    ];
    expect(exampleOf(rule([1], { examples }) as never, site)).toBe(examples[2]);
    expect(exampleOf(rule([1], { examples: examples.slice(0, 2) }) as never, site)).toBeUndefined();
  });

  test("of conduct are those of its version, and areas have pages", () => {
    expect(conventionsOf(site).map(({ id }) => id)).toEqual(["all", "one"]);
    expect(areaPath("Prompts, and turns")).toBe("rules/prompts-and-turns.html");
  });
});
