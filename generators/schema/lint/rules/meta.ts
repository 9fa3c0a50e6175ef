import type { JsonSchema } from "../../json-schema/json.js";
import { referencedName } from "../../json-schema/references.js";
import { isOpenVariant, tagName, unionKeyword, variantsOf } from "../../json-schema/variants.js";
import type { Path } from "../../json-schema/walk.js";
import { ANY_FEATURE, createLookup } from "./capabilities.js";
import type { Diagnostic } from "../rule.js";
import {
  placeName,
  schemaParts,
  pointerTo,
  stepsOf,
  type SourceIndex,
  type SourceSchema,
} from "../source-index.js";

type Lookup = (name: string) => JsonSchema | undefined;

/**
 * Finds objects that go over the wire without room for `_meta` (extensibility:
 * every type of the protocol has it). Definitions that only lend their
 * properties to others need none, nor do maps and variants for unknown tags.
 */
export function* findMissingMeta(index: SourceIndex): Generator<Diagnostic> {
  const schemaOf = createLookup(index, ANY_FEATURE);
  const whole = wholeDefinitions(index);
  for (const { of, schema, path } of schemaParts(index)) {
    if (!isValue(of, path, whole)) continue;
    for (const place of pathsWithoutMeta(schema, path, schemaOf)) {
      const subject = placeName(of, place);
      yield {
        file: of.file,
        pointer: pointerTo(of, place),
        subject,
        message: `the object ${subject} has no _meta`,
        hint: 'Say "x-meta": true.',
      };
    }
  }
}

/** Checks that a schema describes a value, rather than a part that is checked with the whole. */
function isValue(of: SourceSchema, inside: Path, whole: ReadonlySet<string>): boolean {
  const steps = stepsOf(inside);
  const keyword = steps.at(-1)?.keyword;
  if (keyword === undefined) return !of.isAddition && whole.has(of.name);
  if (of.isAddition && steps.length === 1) return true;
  return keyword === "properties" || keyword === "items" || keyword === "additionalProperties";
}

/** Definitions that are values of their own somewhere, not only a part of other objects. */
function wholeDefinitions(index: SourceIndex): ReadonlySet<string> {
  const parts = schemaParts(index);
  // Alternatives of an object with other structure belong to that object.
  const lent = new Set(
    parts.flatMap(({ schema }) => {
      const { properties, allOf, "x-meta": meta } = schema;
      const isObject = [properties, allOf, meta].some((part) => part !== undefined);
      return [...(schema.allOf ?? []), ...(isObject ? variantsOf(schema) : [])];
    }),
  );
  const payloads = index.methods.flatMap(({ method }) => [method.params, method.result ?? ""]);
  const referenced = parts.map(({ schema }) =>
    lent.has(schema) || addsStructure(schema) ? "" : (referencedName(schema) ?? ""),
  );
  return new Set([...payloads, ...referenced]);
}

/** Checks whether a reference has siblings that extend its object. */
function addsStructure(schema: JsonSchema): boolean {
  const { properties, required, allOf, "x-meta": meta } = schema;
  const isUnion = unionKeyword(schema) !== undefined;
  return isUnion || [properties, required, allOf, meta].some((part) => part !== undefined);
}

/** The places of objects in a schema that have no `_meta`: the schema itself, or its variants. */
function pathsWithoutMeta(schema: JsonSchema, path: Path, schemaOf: Lookup): Path[] {
  const isBare = referencedName(schema) !== undefined && !addsStructure(schema);
  if (isBare || hasMeta(schema, schemaOf)) return [];
  const keyword = unionKeyword(schema);
  if (keyword === undefined) return isObjectType(schema) ? [path] : [];
  return closedVariants(schema).flatMap(({ variant, index }) =>
    pathsWithoutMeta(variant, [...path, keyword, index], schemaOf),
  );
}

/** The variants whose tags are known. */
function closedVariants(schema: JsonSchema): { variant: JsonSchema; index: number }[] {
  const tag = tagName(schema);
  return variantsOf(schema)
    .map((variant, index) => ({ variant, index }))
    .filter(({ variant }) => tag === undefined || !isOpenVariant(variant, tag));
}

/** Checks that every value of a schema can have `_meta`: in itself, in its base, or in each variant. */
function hasMeta(schema: JsonSchema, schemaOf: Lookup, depth = 0): boolean {
  if (depth > 8) return false;
  if (schema["x-meta"] !== undefined || schema.properties?.["_meta"] !== undefined) return true;
  const extended = [schema, ...(schema.allOf ?? [])].flatMap((part) => referencedName(part) ?? []);
  if (extended.some((name) => hasMeta(schemaOf(name) ?? {}, schemaOf, depth + 1))) return true;
  const variants = closedVariants(schema);
  return (
    variants.length > 0 && variants.every(({ variant }) => hasMeta(variant, schemaOf, depth + 1))
  );
}

/** Checks whether a schema describes an object with its own properties, or with none; maps are data. */
function isObjectType({ type, properties, additionalProperties, allOf }: JsonSchema): boolean {
  if (properties !== undefined || allOf !== undefined) return true;
  return type === "object" && additionalProperties === undefined;
}
