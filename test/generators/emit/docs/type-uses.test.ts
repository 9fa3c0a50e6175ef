import { expect, test } from "vitest";
import { findUses } from "../../../../generators/emit/docs/facts/type-uses.js";
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
