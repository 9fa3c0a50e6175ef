import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, expect, test } from "vitest";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import { ALLOWED_FORMS } from "../../../../generators/schema/import/normalize-import.js";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import type { Json, JsonObject } from "../../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { IS_DEEP } from "../../../support/deep.js";
import { ROOT } from "../../../support/paths.js";
import { createRandom, type Random } from "../../../use/samples/random.js";

const folder = mkdtempSync(join(tmpdir(), "acp-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DOCUMENTS = Number(process.env["RUNS"] ?? (IS_DEEP ? 3000 : 40));
const SEED = process.env["SEED"] ?? "20261125";

const NAMES = ["A", "B", "C", "D"];
const KEYS = ["a", "b", "t", "valueOf"];
const CONSTANTS: readonly Json[] = ["x", "y", 1, 2, true, false, null];
const ATOMS: readonly Json[] = [...CONSTANTS, 0, 3, 1.5, "", "xyz", "yzyz", " y", [], {}];
const TYPES: readonly Json[] = [
  ...["string", "integer", "number", "boolean", "null", ["string"], ["string", "null"]],
  ...[
    ["null", "integer"],
    ["string", "integer"],
    ["number", "integer"],
  ],
];

/** Makes schemas in the forms that generators of schemas write, most of them sound. */
function createSchemas(random: Random): (depth: number) => JsonObject {
  const { pick } = random;
  const maybe = (chance: number, make: () => JsonObject): JsonObject =>
    random.chance(chance) ? make() : {};
  const several = <Item>(most: number, make: () => Item): Item[] =>
    Array.from({ length: 1 + random.below(most) }, make);
  const typed = (): JsonObject => maybe(0.2, () => ({ type: pick(TYPES) }));
  const object = (depth: number): JsonObject => {
    const keys = KEYS.filter(() => random.chance(0.5));
    const tag = (): JsonObject => ({ const: pick(CONSTANTS) });
    const entries = keys.map((key): [string, JsonObject] => [
      key,
      key === "t" && random.chance(0.7) ? tag() : schema(depth - 1),
    ]);
    const required = [...keys, "z"].filter((key) => random.chance(key === "z" ? 0.1 : 0.6));
    return {
      type: "object",
      properties: Object.fromEntries(entries),
      ...maybe(0.6, () => ({ required })),
      ...maybe(0.2, () => ({ additionalProperties: false })),
    };
  };
  const forms: readonly ((depth: number) => JsonObject)[] = [
    () => ({ type: pick(TYPES), ...maybe(0.2, () => ({ description: "A text." })) }),
    () => ({ const: pick(CONSTANTS), ...typed() }),
    () => ({ enum: several(3, () => pick(CONSTANTS)), ...typed() }),
    () => ({ type: "string", ...maybe(0.5, () => ({ minLength: random.below(3) })) }),
    () => ({
      type: "integer",
      ...maybe(0.4, () => ({ minimum: random.below(3) })),
      ...maybe(0.3, () => ({ exclusiveMaximum: 2 + random.below(5) })),
    }),
    () => ({
      type: "number",
      ...maybe(0.6, () => ({ exclusiveMinimum: random.below(3) / 2 })),
      ...maybe(0.4, () => ({ exclusiveMaximum: 1 + random.below(5) / 2 })),
    }),
    () => ({ type: "string", pattern: pick(["^(x|y)$", "^(?!x)", "(?:yz)+$", "^\\S+$", "y\\b"]) }),
    () => ({
      $ref: `#/$defs/${pick(NAMES)}`,
      ...maybe(0.2, () => ({ description: "A text." })),
      ...maybe(0.15, () => ({ type: "object", properties: { b: { type: "string" } } })),
    }),
    object,
    object,
    (depth) => ({ type: "array", items: schema(depth - 1) }),
    (depth) => ({ type: "object", additionalProperties: schema(depth - 1) }),
    (depth) => ({ [pick(["anyOf", "oneOf"])]: several(3, () => schema(depth - 1)) }),
    (depth) => ({ allOf: several(2, () => schema(depth - 1)), ...maybe(0.3, () => object(1)) }),
    (depth) => ({
      ...object(depth),
      [pick(["anyOf", "oneOf"])]: several(3, () => object(depth - 1)),
    }),
    (depth) => ({
      ...pick([object, sealable])(depth),
      unevaluatedProperties: false,
    }),
  ];
  const sealable = (depth: number): JsonObject => ({
    type: "object",
    ...pick([
      () => ({ $ref: `#/$defs/${pick(NAMES)}` }),
      () => ({ allOf: several(2, () => object(depth - 1)) }),
      () => ({
        oneOf: ["x", "y"].map((t) => ({ required: ["t"], properties: { t: { const: t } } })),
      }),
    ])(),
    ...maybe(0.5, () => ({ properties: { b: { type: "string" } } })),
  });
  const schema = (depth: number): JsonObject =>
    forms[random.below(depth <= 0 ? 8 : forms.length)]!(depth);
  return schema;
}

function randomValue(random: Random, depth: number): Json {
  if (depth <= 0 || random.chance(0.3)) return random.pick(ATOMS);
  const part = (): Json => randomValue(random, depth - 1);
  if (random.chance(0.25)) return Array.from({ length: random.below(3) }, part);
  const keys = [...KEYS, "z", "other"].filter(() => random.chance(0.4));
  return Object.fromEntries(
    keys.map((key) => [key, key === "t" ? random.pick(CONSTANTS) : part()]),
  );
}

/** Returns the schema that the model of a document has; undefined for one that is refused. */
function importedSchema(document: JsonObject): object | undefined {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  try {
    const { bundle, profile } = importInput(
      { protocol: "v1", allow: [...ALLOWED_FORMS] },
      file,
      join(ROOT, "schema"),
    );
    return buildProtocol(bundle, profile).schema;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function validatorOf(document: object): Ajv2020 {
  const options = { strict: false, validateFormats: false, ownProperties: true };
  return new Ajv2020({ ...options, logger: false }).addSchema(document, "all");
}

test(
  `${DOCUMENTS} random documents are refused with a reason, or have the verdicts of ajv`,
  { timeout: 1_800_000 },
  () => {
    let [accepted, values] = [0, 0];
    for (let run = 0; run < DOCUMENTS; run++) {
      const random = createRandom(`${SEED} ${run}`);
      const schema = createSchemas(random);
      const document = { $defs: Object.fromEntries(NAMES.map((name) => [name, schema(3)])) };
      const imported = importedSchema(document);
      if (imported === undefined) continue;
      accepted++;
      const [written, read] = [validatorOf(document), validatorOf(imported)];
      // ajv takes a property for evaluated that every object inherits.
      const isSealed = JSON.stringify(document).includes('"unevaluatedProperties":false');
      for (const name of NAMES)
        for (let count = 0; count < 40; count++) {
          const value = randomValue(random, 3);
          if (isSealed && JSON.stringify(value).includes('"valueOf"')) continue;
          const [expected, found] = [written, read].map((ajv) =>
            ajv.validate(`all#/$defs/${name}`, value),
          );
          values++;
          if (found !== expected)
            expect({ run, name, value, found, document }).toEqual({ found: expected });
        }
    }
    console.log(`${accepted} of ${DOCUMENTS} documents accepted, ${values} values compared`);
    expect(accepted).toBeGreaterThan(DOCUMENTS / 4);
  },
);
