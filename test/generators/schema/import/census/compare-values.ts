import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { buildProtocol } from "../../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../../generators/model/protocol.js";
import { createSamples } from "../../../../../generators/model/sample/sample.js";
import { importInput } from "../../../../../generators/run/inputs/import-schema.js";
import type { Switches } from "../../../../../generators/run/inputs/needed-switches.js";
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  isObject,
} from "../../../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../../../generators/schema/problem.js";
import { testedDefinitions } from "../../../../go/build-codec.js";
import { ROOT } from "../../../../support/paths.js";
import { createMutate, mutateProperties } from "../../../../use/samples/mutate-value.js";
import { createRandom } from "../../../../use/samples/random.js";
import { goVerdicts, hasGoPatterns } from "../exporters/go-verdicts.js";
import { pythonVerdicts, writePackage, type Values } from "../exporters/python-verdicts.js";
import { importSchemas } from "../exporters/typescript-schemas.js";

/** The number of random mutations for a definition. */
const MUTATIONS = 60;

/** An accepted schema, with values of its definitions. */
interface Judged {
  readonly file: string;
  readonly protocol: Protocol;
  readonly values: Values;
  /** By the standard, with the forms that the switches stand for. */
  readonly expected: readonly (readonly boolean[])[];
  /** Whether what is ignored or opened may make values valid that are not. */
  readonly isWidened: boolean;
}

/** What a language says about the values of the schemas. */
interface Comparison {
  readonly language: string;
  readonly values: number;
  readonly valid: number;
  /** Verdicts that differ, but for values that are valid because something is ignored. */
  readonly wrong: readonly string[];
  /** The number of values that are valid because something is ignored or opened. */
  readonly widened: number;
}

/**
 * Compares the verdicts of three languages with those of ajv, on samples of all definitions of schemas and
 * on mutations of them.
 *
 * @param accepted the files of schemas with the switches that they need
 */
export async function compareValues(
  accepted: readonly (readonly [file: string, switches: Switches])[],
): Promise<{ readonly unjudged: readonly string[]; readonly languages: readonly Comparison[] }> {
  const unjudged: string[] = [];
  const judged = accepted.flatMap(([file, switches], index): Judged[] => {
    try {
      return [judge(file, switches, `s${index}`)];
    } catch (error) {
      unjudged.push(`${file}: ${(error as Error).message.slice(0, 200)}`);
      return [];
    }
  });
  const folder = mkdtempSync(join(tmpdir(), "acp-census-"));
  try {
    return {
      unjudged,
      languages: [
        await inTypeScript(judged),
        await inPython(judged, folder),
        await inGo(judged, folder),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(file: string, switches: Switches, name: string): Judged {
  const { bundle, profile, lost, allowed } = importInput(
    { protocol: "v1", name, ...switches },
    file,
    join(ROOT, "schema"),
  );
  const protocol = buildProtocol(bundle, profile);
  const document = JSON.parse(readFileSync(file, "utf8")) as JsonObject;
  const reference = referenceOf(document, switches);
  const samples = createSamples(protocol);
  const mutate = createMutate(protocol.schema as JsonSchema);
  const random = createRandom(name);
  const values: [string, Json[]][] = [];
  const expected: boolean[][] = [];
  for (const definition of protocol.definitions.map((one) => one.name)) {
    const pointer = bundle.toWritten!(`/$defs/${definition}`);
    const validate = reference.getSchema(
      `all#${pointer.split("/").map(encodeURIComponent).join("/")}`,
    );
    const made = [samples.typical, samples.full].flatMap((make) => madeBy(() => make(definition)));
    if (validate === undefined || made.length === 0) continue;
    const changed = Array.from({ length: MUTATIONS }, () => mutate(random.pick(made), random));
    const own = [...made, ...made.flatMap(mutateProperties), ...changed];
    values.push([definition, own]);
    expected.push(own.map((value) => validate(value) === true));
  }
  const widening = Object.keys(allowed ?? {}).some((form) => /^opened/.test(form));
  return { file, protocol, values, expected, isWidened: lost?.unchecked !== undefined || widening };
}

function madeBy(make: () => Json): Json[] {
  try {
    return [make()];
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

const IMPLIED: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ["object", "properties", "required", "patternProperties", "additionalProperties"],
  ["array", "items", "minItems", "maxItems", "prefixItems"],
  ["string", "pattern", "minLength", "maxLength"],
  ["number", "minimum", "maximum"],
];
const TYPING = ["type", "enum", "const", "$ref"];

/** Returns ajv with a document as its draft reads it, and with the types that a switch implies. */
function referenceOf(document: JsonObject, { allow }: Switches): Ajv {
  const { $schema, $id: _, id: __, ...rest } = document;
  const isEarly = !String($schema).includes("20");
  const read = mapParts(rest, (part) => {
    const { $ref, id: _, $id: __, exclusiveMinimum, exclusiveMaximum, ...others } = part;
    const ref = typeof $ref === "string" && $ref.startsWith("#") ? { $ref } : {};
    if ($ref !== undefined && isEarly && !allow.includes("ref-siblings"))
      return {
        ...ref,
        ...(part["definitions"] !== undefined && { definitions: part["definitions"] }),
      };
    const own = { ...ref, ...others };
    // As draft-04 has them.
    const limited = {
      ...own,
      ...limit("exclusiveMinimum", "minimum", exclusiveMinimum, own),
      ...limit("exclusiveMaximum", "maximum", exclusiveMaximum, own),
    };
    const isTyped = TYPING.some((keyword) => part[keyword] !== undefined);
    const type = IMPLIED.find(([, ...keywords]) => keywords.some((one) => part[one] !== undefined));
    if (isTyped || type === undefined || !allow.includes("implied-types")) return limited;
    return { type: type[0], ...limited };
  });
  const options = { strict: false, validateFormats: false, ownProperties: true, logger: false };
  const ajv = isEarly
    ? new Ajv({ ...options, logger: false })
    : (new Ajv2020({ ...options, logger: false }) as unknown as Ajv);
  return ajv.addSchema(read, "all", undefined, false);
}

function limit(name: string, bound: string, value: Json | undefined, part: JsonObject): JsonObject {
  if (value === undefined || value === false) return {};
  if (value === true) return part[bound] === undefined ? {} : { [name]: part[bound] };
  return { [name]: value };
}

/** Compares verdicts, by file, definition and value. */
function compare(
  language: string,
  judged: readonly Judged[],
  found: (one: Judged, definition: number, at: number) => boolean,
): Comparison {
  let [count, valid, widened] = [0, 0, 0];
  const wrong: string[] = [];
  for (const one of judged)
    one.values.forEach(([name, own], index) =>
      own.forEach((value, at) => {
        const expected = one.expected[index]![at]!;
        const verdict = found(one, index, at);
        count++;
        if (expected) valid++;
        if (verdict === expected) return;
        if (verdict && one.isWidened) widened++;
        else if (language === "Go" && isBeyondGo(value)) return;
        else
          wrong.push(
            `${one.file} ${name}: ${verdict ? "accepts" : "refuses"} ${JSON.stringify(value).slice(0, 300)}`,
          );
      }),
    );
  return { language, values: count, valid, wrong, widened };
}

/** Checks whether a value has an integer that has no form in Go. */
function isBeyondGo(value: Json): boolean {
  return /\d{19,}|\de\+\d/.test(JSON.stringify(value));
}

async function inTypeScript(judged: readonly Judged[]): Promise<Comparison> {
  const { schemas } = await importSchemas(judged.map(({ protocol }) => protocol));
  return compare("TypeScript", judged, ({ protocol, values }, index, at) => {
    const [name, own] = values[index]!;
    return schemas[protocol.profile]![name]!.is(own[at]);
  });
}

async function inPython(judged: readonly Judged[], folder: string): Promise<Comparison> {
  await writePackage(
    judged.map(({ protocol }) => protocol),
    folder,
  );
  const given = judged.map(({ protocol, values }) => [protocol.profile, values] as const);
  const verdicts = pythonVerdicts(folder, Object.fromEntries(given));
  return compare(
    "Python",
    judged,
    ({ protocol }, index, at) => verdicts[protocol.profile]![index]![at]!,
  );
}

/** Schemas with patterns that have no form in Go are left out, and definitions without a type in Go. */
async function inGo(all: readonly Judged[], folder: string): Promise<Comparison> {
  const judged = all
    .filter(({ protocol }) => hasGoPatterns(protocol))
    .map((one) => {
      const names = testedDefinitions(one.protocol);
      const isTested = one.values.map(([name]) => names.includes(name));
      const values = one.values.filter((_, index) => isTested[index]);
      return { ...one, values, expected: one.expected.filter((_, index) => isTested[index]) };
    });
  const given = judged.map(({ protocol, values }) => [protocol.profile, values] as const);
  const protocols = judged.map(({ protocol }) => protocol);
  const verdicts = await goVerdicts(folder, protocols, Object.fromEntries(given));
  return compare(
    "Go",
    judged,
    ({ protocol }, index, at) => verdicts[protocol.profile]![index]![at]!,
  );
}

/** Keywords of all drafts whose values are schemas by name. */
const BY_NAME = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
];

/** Keywords whose values are not schemas. */
const VALUES = ["enum", "const", "default", "examples", "required", "type", "dependentRequired"];

/** Rebuilds a document of any draft: every schema in it is mapped, then the schema that holds it. */
function mapParts(schema: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject {
  const mapped = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map(mapped);
    return isObject(value) ? mapParts(value, change) : value;
  };
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (VALUES.includes(keyword)) return [keyword, value!];
    if (!BY_NAME.includes(keyword) || !isObject(value)) return [keyword, mapped(value!)];
    const parts = Object.entries(value).map(([name, part]) => [name, mapped(part!)]);
    return [keyword, Object.fromEntries(parts) as JsonObject];
  });
  return change(Object.fromEntries(entries) as JsonObject);
}
