import { expect, test } from "vitest";
import { roles } from "../../../../generators/emit/typescript/roles/roles.js";
import * as printed from "../../../../generators/emit/typescript/roles/outgoing-table.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import * as read from "../../../../templates/runtime/validate/outgoing-check.js";
import { emitFile } from "../small-protocol.js";

const object = (properties: JsonSchema["properties"], required?: string[]): JsonSchema => ({
  type: "object",
  description: "An object.",
  properties: Object.fromEntries(
    Object.entries(properties!).map(([name, schema]) => [
      name,
      { description: "A property.", ...schema },
    ]),
  ),
  ...(required && { required }),
});

/** The rows of the table that is emitted for these definitions, of which a method carries `Message`. */
async function rows(definitions: { readonly [name: string]: JsonSchema }): Promise<string[]> {
  const methods = [{ name: "do", params: "Message" }];
  const text = await emitFile(roles, "declared-fields.ts", { definitions, methods });
  return text
    .split("\n")
    .filter((line) => /^ {2}\S+: /.test(line))
    .map((line) => line.trim());
}

test("the printed numbers are those that the runtime reads", () => {
  expect(printed.NodeKind).toEqual(read.NodeKind);
});

test("the table has only definitions that methods use and that can contain an object", async () => {
  const definitions = {
    Message: object({ text: { $ref: "#/$defs/Text" }, part: { $ref: "#/$defs/Part" } }),
    Text: { type: "string", description: "A text." },
    Part: object({ parts: { type: "array", items: { $ref: "#/$defs/Part" } } }),
    Other: object({ text: { type: "string" } }),
  };
  expect(await rows(definitions)).toEqual([
    'Message: {text:0,part:"Part"},',
    'Part: {parts:[3,"Part"]},',
  ]);
});

test("lists and maps of scalars, and any JSON, are identified by their contents", async () => {
  const definitions = {
    Message: object({
      names: { type: "array", items: { type: "string" } },
      env: { type: "object", additionalProperties: { type: "string" } },
      data: {},
    }),
  };
  expect(await rows(definitions)).toEqual(["Message: {names:1,env:1,data:1},"]);
});

test("a property named __proto__ has a row like any other", async () => {
  const definitions = {
    Message: object(JSON.parse('{"__proto__": {"type": "string"}}') as JsonSchema["properties"]),
  };
  expect(await rows(definitions)).toEqual(['Message: {["__proto__"]:0},']);
});

test("variants without a tag are distinguished by a property that only one requires", async () => {
  const variant = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}`, title: name });
  const union = (...names: string[]): JsonSchema => ({
    description: "A union.",
    anyOf: names.map(variant),
  });
  const text = { text: { type: "string" }, uri: { type: "string" } };
  const blob = { blob: { type: "string" }, uri: { type: "string" } };
  const clear = { Text: object(text, ["text", "uri"]), Blob: object(blob, ["blob", "uri"]) };
  const vague = { Text: object(text, ["text"]), Blob: object(blob, ["uri"]) };
  const [row] = await rows({ Message: union("Text", "Blob"), ...clear });
  expect(row).toBe('Message: [7,{text:"Text",blob:"Blob"},{}],');
  expect((await rows({ Message: union("Text", "Blob"), ...vague }))[0]).toBe("Message: 2,");
});
