import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../../../generators/schema/json-schema/json.js";
import { partAt } from "../../../../../generators/schema/json-schema/walk.js";
import { parsePointer } from "../../../../../generators/schema/problem.js";
import { makeValue } from "../../../../use/samples/make-value.js";
import { createMutate } from "../../../../use/samples/mutate-value.js";
import { createRandom } from "../../../../use/samples/random.js";
import type { Accepted } from "./documents.js";

/** Values for a definition, with what ajv says of each about the document as it was written. */
export interface Cases {
  readonly definition: string;
  readonly values: readonly Json[];
  readonly expected: readonly boolean[];
}

/**
 * Makes values for each definition of a document that was accepted: most of them fit, and half of
 * them are changed in one or two places.
 *
 * @param count the number of values per definition
 */
export function makeCases(
  document: JsonObject,
  { protocol, placeOf }: Accepted,
  count: number,
  seed: string,
): readonly Cases[] {
  const ajv = validatorOf(document);
  const mutate = createMutate(protocol.schema);
  const places = new Map(
    protocol.definitions.map(({ name }) => [name, parsePointer(placeOf(name))] as const),
  );
  // A message without params has a definition of params that the document lacks.
  const written = [...places.keys()].filter(
    (name) =>
      !namesMethod(partAt(document, places.get(name)!)) ||
      namesMethod(protocol.schema.$defs![name] as JsonObject),
  );
  return written.map((name) => {
    const random = createRandom(`${seed} ${name}`);
    const values = Array.from({ length: count }, () => {
      const value = makeValue(name, protocol.schema, random);
      const changed = random.chance(0.5) ? mutate(value, random) : value;
      return random.chance(0.2) ? mutate(changed, random) : changed;
      // ajv takes this name for the prototype.
    }).filter((value) => JSON.stringify(value)?.includes("__proto__") === false);
    const tokens = places
      .get(name)!
      .map((token) => encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1")));
    const isValid = ajv.getSchema(["all#", ...tokens].join("/"))!;
    return { definition: name, values, expected: values.map((value) => isValid(value) === true) };
  });
}

/** Returns ajv for the draft that a document is of. */
function validatorOf(document: JsonObject): Ajv {
  const options = {
    ...{ strict: false, validateFormats: false, ownProperties: true, logger: false },
    // Exporters write a text as `deprecated`, too.
    validateSchema: false,
  };
  const { $schema, $id: _, ...rest } = withLimits(document) as JsonObject;
  const isEarly = typeof $schema === "string" && $schema.includes("draft-0");
  return new (isEarly ? Ajv : Ajv2020)(options as object).addSchema(rest, "all");
}

/** Writes the exclusive limits of draft-04, which ajv does not read, as those of later drafts. */
function withLimits(document: Json): Json {
  return JSON.parse(JSON.stringify(document), (_, part: Json) => {
    if (!isObject(part) || part["exclusiveMinimum"] !== true) return part;
    const { minimum, ...rest } = part;
    return { ...rest, exclusiveMinimum: minimum };
  }) as Json;
}

/** Checks whether a schema is a message, which names its method. */
function namesMethod(schema: Json | undefined): boolean {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  return isObject(properties) && properties["method"] !== undefined;
}
