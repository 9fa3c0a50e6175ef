import { expect, test } from "vitest";
import { capabilities } from "../../../generators/model/gates/capabilities.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { gatePathText } from "../../../generators/schema/json-schema/gate-path.js";
import { smallProtocol } from "../emit/small-protocol.js";

const object = (
  properties: { readonly [name: string]: JsonSchema },
  more: JsonSchema = {},
): JsonSchema => ({ type: "object", properties, ...more });
const flag: JsonSchema = { type: "boolean" };

test("the capabilities are the flags of both sides, objects that are flags, and what gates name", () => {
  const protocol = smallProtocol({
    definitions: {
      Hello: object({ capabilities: { $ref: "#/$defs/Own" }, version: { type: "integer" } }),
      Own: object({
        notices: object({ kind: { type: "string" } }),
        group: object({ on: flag }, { default: {} }),
        name: { type: "string" },
        _meta: { type: "object", additionalProperties: true },
      }),
      Welcome: object({ capabilities: object({ load: flag }) }),
      M: object({ text: { type: "string", "x-gate": { client: 'capabilities._meta["a.b"].on' } } }),
    },
    methods: [
      { name: "initialize", side: "agent", kind: "request", params: "Hello", result: "Welcome" },
      { name: "m", side: "agent", kind: "notification", params: "M" },
    ],
  });
  const found = capabilities(protocol);
  expect(found.map(({ side, path, test }) => `${side} ${gatePathText(path)} ${test}`)).toEqual([
    "agent capabilities.load true",
    "client capabilities.notices present",
    "client capabilities.group.on true",
    'client capabilities._meta["a.b"].on true',
  ]);
});
