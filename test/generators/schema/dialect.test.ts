import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { DOCUMENT_KINDS } from "../../../generators/schema/source/dialect.js";
import { ROOT } from "../../support/paths.js";

const folder = join(ROOT, "schema/dialect");

test("there is one document for each kind", () => {
  const names = DOCUMENT_KINDS.map((kind) => `${kind}.schema.json`);
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
});

// A run takes it for granted, as it would cost more time than anything else that is read.
test.each(DOCUMENT_KINDS)("the document for %s is valid JSON Schema 2020-12", (kind) => {
  const text = readFileSync(join(folder, `${kind}.schema.json`), "utf8");
  const ajv = new Ajv2020({ validateFormats: false });
  expect(ajv.validateSchema(JSON.parse(text) as object)).toBe(true);
});
