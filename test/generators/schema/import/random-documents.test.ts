import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../generators/model/protocol.js";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import type { Json, JsonObject } from "../../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../../generators/schema/problem.js";
import { testedDefinitions } from "../../../go/build-codec.js";
import { HAS_GO } from "../../../go/toolchain.js";
import { isSkipped } from "../../../python/run-python.js";
import { IS_DEEP } from "../../../support/deep.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { createRandom, type Random } from "../../../use/samples/random.js";
import { goVerdicts, hasGoPatterns } from "./exporters/go-verdicts.js";
import { pythonVerdicts, writePackage, type Values } from "./exporters/python-verdicts.js";
import { importSchemas } from "./exporters/typescript-schemas.js";

const folder = temporaryFolder();
const DOCUMENTS = Number(process.env["RUNS"] ?? (IS_DEEP ? 3000 : 40));
/** The first of them, to have a long run in parts. */
const FIRST = Number(process.env["FIRST"] ?? 0);
const SEED = process.env["SEED"] ?? "20261125";

/** The number of values per definition. */
const VALUES = IS_DEEP ? 150 : 40;

/** The number of documents whose Python package is one. */
const STEP = 200;

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

const NEVER: JsonObject = { not: {} };

/** Keywords that the dialect does not have. */
const IGNORED = [
  ...[
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "minProperties",
  ],
  ...["not", "if", "then", "else", "uniqueItems", "contains", "multipleOf"],
];

/** Makes a keyword that the dialect does not have. */
function constraint(random: Random, schema: () => JsonObject): JsonObject {
  const { pick } = random;
  return pick<() => JsonObject>([
    () => ({ patternProperties: { [pick(["^a", "o", "^[bt]$"])]: schema() } }),
    () => ({ propertyNames: { maxLength: 1 + random.below(4) } }),
    () => ({ dependentRequired: { a: ["b"] } }),
    () => ({ dependentSchemas: { a: schema() } }),
    () => ({ minProperties: 1 }),
    () => ({ not: schema() }),
    () => ({ if: schema(), then: schema(), ...(random.chance(0.3) && { else: schema() }) }),
    () => ({ uniqueItems: true }),
    () => ({ contains: schema() }),
    () => ({ multipleOf: 2 }),
  ])();
}

/**
 * Makes schemas in the forms that generators of schemas write, most of them sound.
 *
 * @param isLoose whether they have keywords that the dialect does not have
 */
function createSchemas(random: Random, isLoose: boolean): (depth: number) => JsonObject {
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
      ...maybe(0.25, () => ({
        additionalProperties: random.chance(0.4) ? false : schema(depth - 1),
      })),
      ...maybe(0.15, () => patterns(depth)),
    };
  };
  const patterns = (depth: number): JsonObject => ({
    patternProperties: Object.fromEntries(
      several(2, () => [pick(["^a", "o", "^[bt]$", "z|h"]), schema(depth - 1)] as const),
    ),
  });
  const ref = (): JsonObject => ({ $ref: `#/$defs/${pick(NAMES)}` });
  /** An object with a tag of one or two values, which others may have as well. */
  const tagged = (depth: number): JsonObject => ({
    type: "object",
    properties: {
      t: random.chance(0.7) ? { const: pick(["x", "y", "z"]) } : { enum: ["x", "y", "w"] },
      ...maybe(0.5, () => ({ b: schema(depth - 1) })),
    },
    required: random.chance(0.9) ? ["t"] : ["b"],
  });
  const tuple = (item: JsonObject): JsonObject => ({
    type: "array",
    prefixItems: [item, item],
    ...maybe(0.5, () => ({ items: random.chance(0.5) ? false : item })),
    ...maybe(0.5, () => ({ maxItems: 1 + random.below(3) })),
  });
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
      ...ref(),
      ...maybe(0.2, () => ({ description: "A text." })),
      ...maybe(0.15, () => ({ type: "object", properties: { b: { type: "string" } } })),
    }),
    object,
    object,
    (depth) => ({
      type: "object",
      ...patterns(depth),
      ...maybe(0.4, () => ({ additionalProperties: false })),
    }),
    (depth) => ({ type: "array", items: schema(depth - 1) }),
    (depth) => ({ type: "object", additionalProperties: schema(depth - 1) }),
    (depth) => ({
      [pick(["anyOf", "oneOf"])]: several(3, () => schema(depth - 1)),
      ...maybe(0.1, () => ({ format: "uuid", default: "x" })),
      ...maybe(0.1, () => ({ properties: { b: schema(0) }, required: ["b"] })),
    }),
    (depth) => ({ allOf: several(2, () => schema(depth - 1)), ...maybe(0.3, () => object(1)) }),
    (depth) => pick(closing)(depth),
    (depth) => ({ oneOf: several(3, () => tagged(depth - 1)) }),
    (depth) => ({ anyOf: [...several(2, () => tagged(depth - 1)), pick([NEVER, ref(), {}])] }),
    (depth) => ({
      type: "object",
      propertyNames: pick<JsonObject>([{ type: "string" }, ref(), {}]),
      additionalProperties: schema(depth - 1),
    }),
  ];
  const closing: readonly ((depth: number) => JsonObject)[] = [
    (depth) => ({
      ...object(depth),
      [pick(["anyOf", "oneOf"])]: several(3, () => object(depth - 1)),
    }),
    (depth) => ({
      ...pick([object, sealable])(depth),
      unevaluatedProperties: false,
    }),
    (depth) => tuple(schema(depth - 1)),
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
  const schema = (depth: number): JsonObject => ({
    ...forms[random.below(depth <= 0 ? 8 : forms.length)]!(depth),
    ...maybe(isLoose ? 0.15 : 0, () => constraint(random, () => schema(depth - 2))),
  });
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

/** Returns the model of a document; undefined for one that is refused. */
function modelOf(document: JsonObject, name: string, isLoose: boolean): Protocol | undefined {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  try {
    const { bundle, profile } = importInput(
      {
        ...{ protocol: "v1", name, allow: ["patterns"] },
        ...(isLoose && { allowUnknownKeywords: IGNORED }),
      },
      file,
      join(ROOT, "schema"),
    );
    return buildProtocol(bundle, profile);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function validatorOf(document: object): Ajv2020 {
  const options = { strict: false, validateFormats: false, ownProperties: true };
  return new Ajv2020({ ...options, logger: false }).addSchema(document, "all");
}

/** Checks whether a definition refers to itself about the same value, which has no meaning. */
function isEndless(document: object): boolean {
  const ajv = validatorOf(document);
  try {
    for (const name of NAMES) for (const atom of ATOMS) ajv.validate(`all#/$defs/${name}`, atom);
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** A document that was accepted, with values of its definitions and what ajv says of them. */
interface Accepted {
  readonly document: JsonObject;
  readonly protocol: Protocol;
  readonly values: Values;
  readonly expected: readonly (readonly boolean[])[];
}

/**
 * Compares the model of a document with ajv; undefined for one that is refused.
 *
 * @param isLoose whether it has keywords that are ignored: the model may then accept more values
 */
function compareModel(
  document: JsonObject,
  run: number,
  random: Random,
  isLoose: boolean,
): Accepted | undefined {
  const protocol = isEndless(document) ? undefined : modelOf(document, `r${run}`, isLoose);
  if (protocol === undefined) return undefined;
  const [written, read] = [validatorOf(document), validatorOf(protocol.schema)];
  const isSealed = JSON.stringify(document).includes('"unevaluatedProperties":false');
  const values = NAMES.map((name) => {
    const own = Array.from({ length: VALUES }, () => randomValue(random, 3)).filter(
      // ajv takes a property for evaluated that every object inherits, and calls it to compare items.
      (value) => !(isSealed || isLoose) || !JSON.stringify(value).includes('"valueOf"'),
    );
    return [name, own] as const;
  });
  const verdictsOf = ([name, own]: (typeof values)[number]): boolean[] =>
    own.map((value) => {
      const [expected, found] = [written, read].map(
        (ajv) => ajv.validate(`all#/$defs/${name}`, value) === true,
      );
      if (found !== expected && !(isLoose && found))
        expect({ run, name, value, found, document }).toEqual({ found: expected });
      return expected!;
    });
  try {
    return { document, protocol, values, expected: values.map(verdictsOf) };
  } catch (error) {
    // Some combinations of `if` and `unevaluatedProperties` make ajv itself fail.
    if (isLoose && error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Makes the documents of some runs, and compares the model of each that is accepted with ajv. */
function compareModels(first: number, end: number, isLoose = false): Accepted[] {
  const accepted: Accepted[] = [];
  for (let run = first; run < end; run++) {
    const random = createRandom(`${SEED} ${run}`);
    const schema = createSchemas(random, isLoose);
    const document = { $defs: Object.fromEntries(NAMES.map((name) => [name, schema(3)])) };
    const one = compareModel(document, run, random, isLoose);
    if (one !== undefined) accepted.push(one);
  }
  return accepted;
}

/** Compares the TypeScript checks of documents with ajv. */
async function compareTypeScript(accepted: readonly Accepted[]): Promise<void> {
  const { schemas } = await importSchemas(accepted.map(({ protocol }) => protocol));
  for (const { document, protocol, values, expected } of accepted)
    values.forEach(([name, own], index) => {
      const { is } = schemas[protocol.profile]![name]!;
      const wrong = own.filter((value, at) => is(value) !== expected[index]![at]);
      const shown = { name, document: JSON.stringify(document) };
      expect({ ...shown, wrong }).toEqual({ ...shown, wrong: [] });
    });
}

/** Returns the verdicts of a language by profile, definition and value. */
type Verdicts = ReturnType<typeof pythonVerdicts>;

/** Compares the verdicts of a language on documents with ajv. */
function compareVerdicts(accepted: readonly Accepted[], verdicts: Verdicts): void {
  for (const { document, protocol, values, expected } of accepted)
    values.forEach(([name, own], index) => {
      const found = verdicts[protocol.profile]![index]!;
      const wrong = own.filter((_, at) => found[at] !== expected[index]![at]);
      const shown = { name, document: JSON.stringify(document) };
      expect({ ...shown, wrong }).toEqual({ ...shown, wrong: [] });
    });
}

function valuesByProfile(accepted: readonly Accepted[]): { readonly [profile: string]: Values } {
  return Object.fromEntries(accepted.map(({ protocol, values }) => [protocol.profile, values]));
}

/** Compares the Python packages of documents with ajv. Returns the number of values. */
async function comparePython(accepted: readonly Accepted[]): Promise<number> {
  const target = join(folder, accepted[0]!.protocol.profile);
  await writePackage(
    accepted.map(({ protocol }) => protocol),
    target,
  );
  compareVerdicts(accepted, pythonVerdicts(target, valuesByProfile(accepted)));
  rmSync(target, { recursive: true, force: true });
  return countOf(accepted);
}

/** Compares the Go modules of documents, unless they have patterns without a form in Go, with ajv. */
async function compareGo(all: readonly Accepted[]): Promise<number> {
  const accepted = all
    .filter(({ protocol }) => hasGoPatterns(protocol))
    .map(({ values, expected, ...one }) => {
      const names = testedDefinitions(one.protocol);
      const isTested = NAMES.map((name) => names.includes(name));
      return {
        ...one,
        values: values.filter((_, index) => isTested[index]),
        expected: expected.filter((_, index) => isTested[index]),
      };
    });
  const target = join(folder, "go");
  const protocols = accepted.map(({ protocol }) => protocol);
  compareVerdicts(accepted, await goVerdicts(target, protocols, valuesByProfile(accepted)));
  rmSync(target, { recursive: true, force: true });
  return countOf(accepted);
}

function countOf(accepted: readonly Accepted[]): number {
  return accepted.flatMap(({ expected }) => expected.flat()).length;
}

/** A deep run has no limit of its own. */
const LONG = { timeout: 3_600_000 };

/** Definitions that long runs have found. */
const FOUND: readonly JsonObject[] = [
  // A closed variant without the tag has no such property.
  {
    oneOf: [
      { type: "object", properties: { t: { const: "x" } }, required: ["t"] },
      { type: "object", properties: { b: {} }, additionalProperties: false },
    ],
  },
  // A property that another alternative has is excluded.
  {
    type: "object",
    anyOf: [
      { type: "object", properties: { a: { type: "string" } }, not: { required: ["b"] } },
      { type: "object", properties: { b: { type: "string" } }, not: { required: ["a"] } },
    ],
  },
  // In Go, a nullable alternative is two.
  { anyOf: [{ type: "boolean" }, { enum: [2] }, { enum: [null, "y"] }] },
  // Receivers keep what no pattern accepts.
  { type: "object", patternProperties: { "^a": { type: "string" } }, additionalProperties: false },
  // Other properties of one type have it in all languages.
  {
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: {
      type: ["object", "null"],
      properties: { a: { type: "integer" }, extra: { type: "object", properties: { b: {} } } },
      additionalProperties: { type: "array", items: { $ref: "#/$defs/D" } },
    },
  },
];

test("documents that were found before have the verdicts of ajv", async () => {
  const any = { A: {}, B: {}, C: {} };
  const accepted = FOUND.map((D, run) =>
    compareModel({ $defs: { ...any, D } }, run, createRandom(SEED), false)!,
  );
  await compareTypeScript(accepted);
  if (!isSkipped) await comparePython(accepted);
  if (HAS_GO) await compareGo(accepted);
});

test(`${DOCUMENTS} random documents with ignored keywords accept what ajv accepts`, LONG, () => {
  const accepted = compareModels(0, DOCUMENTS, true);
  console.log(
    `${accepted.length} of ${DOCUMENTS} documents accepted, ${countOf(accepted)} values compared`,
  );
  expect(accepted.length).toBeGreaterThan(DOCUMENTS / 6);
});

test(
  `${DOCUMENTS} random documents are refused with a reason, or have the verdicts of ajv`,
  LONG,
  async () => {
    let [count, values, inPython, inGo] = [0, 0, 0, 0];
    for (let first = FIRST; first < FIRST + DOCUMENTS; first += STEP) {
      const accepted = compareModels(first, Math.min(first + STEP, FIRST + DOCUMENTS));
      count += accepted.length;
      values += countOf(accepted);
      if (accepted.length === 0) continue;
      await compareTypeScript(accepted);
      if (IS_DEEP && !isSkipped) inPython += await comparePython(accepted);
      if (IS_DEEP && HAS_GO) inGo += await compareGo(accepted);
    }
    console.log(
      `${count} of ${DOCUMENTS} documents accepted, ${values} values compared, ${inPython} in Python, ${inGo} in Go`,
    );
    expect(count).toBeGreaterThan(DOCUMENTS / 6);
  },
);
