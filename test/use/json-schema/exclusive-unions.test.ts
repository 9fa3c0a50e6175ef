import { CreateElicitationRequest } from "acp-bindings/v2/schemas";
import { expect, it } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../../generators/emit/small-protocol.js";
import { createCodeFolder } from "../../support/code-folder.js";
import { loadSchemas } from "./load-schemas.js";

const text: JsonSchema = { type: "string" };
const holder = (part: JsonSchema, ...required: string[]): JsonSchema => ({
  type: "object",
  properties: { part },
  ...(required.length > 0 && { required }),
});
/** Refuses values in its fast check that are valid. */
const INEXACT: { readonly [name: string]: readonly [part: JsonSchema, value: unknown] } = {
  Integer: [{ type: "integer" }, 2 ** 60],
  Integers: [{ type: "array", items: { type: "integer" } }, [2 ** 60]],
  Enumeration: [{ anyOf: [{ const: "a" }, { type: "string" }] }, "b"],
};
const whole = (other: JsonSchema): JsonSchema => ({ oneOf: [other, { type: "number" }] });

const folder = createCodeFolder();
const schemaOf = await loadSchemas(
  folder,
  smallProtocol({
    definitions: {
      ...Object.fromEntries(
        Object.entries(INEXACT).map(([name, [part]]) => [
          name,
          { oneOf: [holder(part, "part"), holder({}, "part")] },
        ]),
      ),
      Default: { oneOf: [holder({ ...text, default: "a" }), holder(text)] },
      Scalar: whole({ type: "integer" }),
      Repeated: { oneOf: ["a", "a", "b"].map((value) => ({ ...text, const: value })) },
      Open: { oneOf: [{ ...text, const: "a" }, text] },
      Apart: {
        oneOf: [
          { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
          { type: "object", properties: { name: text }, required: ["name"] },
        ],
      },
    },
  }),
);

it.each([
  ...Object.entries(INEXACT).map(([name, [, value]]) => [name, { part: value }] as const),
  ["Default", {}] as const,
  ["Scalar", 2 ** 60] as const,
  ["Repeated", "a"] as const,
  ["Open", "a"] as const,
  ["Apart", { id: 2 ** 60, name: "n" }] as const,
])("a value that fits two variants is invalid: %s", (name, value) => {
  const { is, issues } = schemaOf(name);
  expect(issues(value)).toMatchObject([{ rule: "oneOf" }]);
  expect(is(value)).toBe(false);
});

it.each([{ id: 1 }, { id: 2 ** 60 }, { name: "n" }, { name: "n", id: "x" }])(
  "a value that fits one variant is valid: %j",
  (value) => {
    expect(schemaOf("Apart").is(value)).toBe(true);
    expect(schemaOf("Apart").parse(value)).toBe(value);
  },
);

it("an elicitation belongs to a session or to a request", () => {
  const url = { mode: "url", message: "m", elicitationId: "e", url: "https://example.com" };
  expect(CreateElicitationRequest.is({ ...url, sessionId: "s" })).toBe(true);
  expect(CreateElicitationRequest.is({ ...url, requestId: 1 })).toBe(true);
  expect(CreateElicitationRequest.is({ ...url, sessionId: "s", requestId: 2 ** 60 })).toBe(false);
});
