import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../generators/model/protocol.js";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import type { Json, JsonObject } from "../../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { importSchemas } from "./exporters/typescript-schemas.js";

/* Where references lead to: ajv reads the document as it was written. */

const folder = temporaryFolder();

function modelOf(document: object, name = "own"): Protocol {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  const { bundle, profile } = importInput({ protocol: "v1", name }, file, join(ROOT, "schema"));
  return buildProtocol(bundle, profile);
}

const S = { type: "string" };
const I = { type: "integer" };
const ref = ($ref: string): JsonObject => ({ $ref });
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: "object", properties },
  ...more,
});
const root = (properties: JsonObject, more: JsonObject = {}): JsonObject =>
  object(properties, { title: "R", ...more });
const early = { $schema: "http://json-schema.org/draft-07/schema#" };
const own = { $id: "https://example.org/a/root.json" };

const DOCUMENTS: { readonly [what: string]: JsonObject } = {
  anchors: root({ a: { $anchor: "x", ...S }, b: ref("#x"), c: ref("#/properties/a") }, own),
  "anchors of draft-07": { ...early, ...root({ a: { $id: "#x", ...I }, b: ref("#x") }, own) },
  "the root": root({ a: ref("#"), b: S }),
  "pointers with escapes": root({ "b/%~": I, a: ref("#/properties/b~1%25~0") }),
  "a schema with an address has definitions of its own": root(
    { a: ref("/schemas/a"), b: ref("#/$defs/t") },
    {
      ...own,
      $defs: {
        t: I,
        A: object({ a: ref("#/$defs/t") }, { $id: "/schemas/a", $defs: { t: S } }),
      },
    },
  ),
  "and of draft-07": {
    ...early,
    ...root(
      {
        a: object(
          { b: ref("#/definitions/t") },
          { $id: "http://example.org/p", definitions: { t: S } },
        ),
      },
      { definitions: { t: I } },
    ),
  },
  "a schema that is its own root": root({
    a: object({ a: { type: "array", items: ref("#") } }, { $id: "Node" }),
    b: ref("Node"),
  }),
  "addresses that are relative to that of a schema": root(
    { a: ref("b/item.json"), b: ref("https://example.org/a/item.json"), c: ref("/a/b/item.json") },
    {
      ...own,
      $defs: {
        I: object({ a: ref("item.json") }, { $id: "b/item.json" }),
        J: { $id: "item.json", ...I },
      },
    },
  ),
  "anchors of two schemas with addresses": root(
    { a: ref("other#x"), b: ref("#x") },
    {
      ...own,
      $defs: {
        O: { $id: "other", $defs: { P: { $anchor: "x", ...I } } },
        Q: { $anchor: "x", ...S },
      },
    },
  ),
};

test("references lead where ajv says", async () => {
  const documents = Object.entries(DOCUMENTS);
  const models = documents.map(([, document], index) => modelOf(document, `d${index}`));
  const { schemas } = await importSchemas(models);
  const parts: readonly Json[] = [
    "x",
    1,
    {},
    [],
    { a: "x" },
    { a: 1 },
    { b: "x" },
    { a: [{ a: [1] }] },
  ];
  const values = ["a", "b", "c", "b/%~"].flatMap((name) =>
    parts.flatMap((part) => [{ [name]: part }, { [name]: { [name]: part } }]),
  );
  documents.forEach(([what, document], index) => {
    const Validator = document["$schema"] === undefined ? Ajv2020 : Ajv;
    const isValid = new Validator({ strict: false }).compile(document);
    const { is } = schemas[`d${index}`]!["R"]!;
    const wrong = values.filter((value) => is(value) !== isValid(value));
    expect([what, wrong]).toEqual([what, []]);
    expect(
      values.some((value) => !is(value)),
      what,
    ).toBe(true);
  });
});

describe("what leads nowhere is refused at its place", () => {
  test.each([
    ["an anchor", root({ a: ref("#Address") }), '/properties/a/$ref: nothing is at "#Address"'],
    [
      "a pointer",
      { ...root({ a: ref("#/$defs/Adress") }), $defs: { Address: S } },
      '/properties/a/$ref: nothing is at "#/$defs/Adress". Did you mean "#/$defs/Address"?',
    ],
    [
      "another document",
      root({ a: ref("other.json#/X") }),
      '/properties/a/$ref: "other.json#/X" is in another document, which is not read',
    ],
    [
      "an anchor of two schemas",
      root({ a: { $anchor: "x", ...S }, b: { $anchor: "x", ...I }, c: ref("#x") }),
      '/properties/c/$ref: two schemas have the anchor "#x"',
    ],
    [
      "definitions of no form",
      root({}, { definitions: 5 }),
      "/definitions: definitions are an object",
    ],
  ])("%s", (_, document, message) => {
    expect(() => modelOf(document)).toThrow(message);
  });
});

test.each([
  [early, {}],
  [{}, { type: "object" }],
])(
  "keywords beside a reference that is not read count as its draft says: %j",
  (draft, expected) => {
    const file = join(folder, "unread.json");
    const a = { $ref: "https://example.org/other.json", type: "object" };
    writeFileSync(file, JSON.stringify({ ...draft, ...root({ a }) }));
    const options = { protocol: "v1", allow: ["unread-refs"] } as const;
    const { bundle } = importInput(options, file, join(ROOT, "schema"));
    expect(bundle.definitions.get("R")!.schema.properties).toEqual({ a: expected });
  },
);
