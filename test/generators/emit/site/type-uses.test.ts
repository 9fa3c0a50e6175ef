import { expect, test } from "vitest";
import { findCapabilityUses } from "../../../../generators/emit/site/model/capability-uses.js";
import { findUses } from "../../../../generators/emit/site/model/type-uses.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../small-protocol.js";

test("the uses of a type have each place once, also where it holds the type twice", () => {
  const text: JsonSchema = { $ref: "#/$defs/Text" };
  const { definitions } = smallProtocol({
    definitions: {
      Text: { type: "string" },
      Owner: {
        type: "object",
        properties: { one: text, some: { anyOf: [text, { type: "array", items: text }] } },
      },
    },
  });
  expect(findUses(definitions).get("Text")).toEqual(
    ["one", "some"].map((name) => ({ owner: "Owner", steps: [{ kind: "field", name }] })),
  );
});

test("a capability is used by methods, properties, alternatives and values, and by alternatives at a property", () => {
  const flags: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(
      ["one", "two", "three", "four"].map((name) => [name, { type: "boolean" }]),
    ),
  };
  const on = (name: string) => ({ agent: `flags.${name}` });
  const alternative = (type: string, gate?: object): JsonSchema => ({
    type: "object",
    properties: { type: { type: "string", const: type } },
    required: ["type"],
    ...(gate !== undefined && { "x-gate": gate as never }),
  });
  const protocol = smallProtocol({
    definitions: {
      Initialize: { type: "object", properties: { flags: { $ref: "#/$defs/Flags" } } },
      Flags: flags,
      Block: {
        discriminator: { propertyName: "type" },
        oneOf: [alternative("a"), alternative("b", on("three"))],
      },
      Level: {
        oneOf: [
          { type: "string", const: "x" },
          { type: "string", const: "y", "x-gate": on("four") },
        ],
      },
      Params: {
        type: "object",
        properties: {
          own: { type: "string", "x-gate": on("one") },
          block: { $ref: "#/$defs/Block", "x-variant-gates": { a: on("two"), b: on("one") } },
        },
      },
    },
    methods: [
      {
        name: "initialize",
        params: "Initialize",
        result: "Initialize",
        gate: { always: "baseline" },
      },
      { name: "m", params: "Params", gate: on("one") },
      { name: "s", params: "Params", gate: { session: "one" } },
    ],
  });
  const uses = [...findCapabilityUses(protocol)].map(([capability, found]) => [
    capability,
    ...found.map((use) =>
      use.kind === "method"
        ? use.method.name
        : [use.use.owner, ...use.use.steps.map(({ name }) => name), use.use.value].join(" ").trim(),
    ),
  ]);
  expect(uses).toEqual([
    ["agent:flags.one", "m", "Params own", "Params block"],
    ["agent:flags.three", "Block b"],
    ["agent:flags.four", "Level y"],
    ["agent:flags.two", "Params block"],
  ]);
});
