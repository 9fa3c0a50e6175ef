import type { BundleDefinition } from "./bundle.js";
import { canonicalJson, type JsonSchema } from "../json-schema/json.js";
import { placeAfter } from "./place-after.js";
import { didYouMean, jsonPointer, type Problem } from "../problem.js";
import type { Additions, FeatureSource } from "../source/sources.js";
import { hasConstant, unionKeyword, variantName, variantsOf } from "../json-schema/variants.js";

/**
 * Adds a feature's properties, variants and values to definitions that exist.
 * Additions are marked with the feature's name. Problems are reported, never
 * resolved silently: an unknown definition, a clash, an addition without effect.
 *
 * @param definitions what has been composed so far; updated in place
 * @param path where the additions stand in the feature's file
 */
export function addTo(
  definitions: Map<string, BundleDefinition>,
  feature: FeatureSource,
  additions: Additions,
  path: readonly string[],
  problems: Problem[],
): void {
  for (const [name, addition] of Object.entries(additions)) {
    const note = (tokens: readonly (string | number)[], message: string, hint: string): void => {
      problems.push({
        file: feature.file,
        pointer: jsonPointer([...path, name, ...tokens]),
        message,
        hint,
      });
    };
    const target = definitions.get(name);
    if (target === undefined) {
      note(
        [],
        `unknown definition "${name}"`,
        didYouMean(name, definitions.keys(), "Check the name."),
      );
      continue;
    }
    if (target.feature === feature.name) {
      note([], `"${name}" is the feature's own definition`, "Declare it there, under $defs.");
      continue;
    }
    const withProperties = addProperties(target, addition, feature, note);
    const schema = addVariants({ ...target, schema: withProperties }, addition, feature, note);
    definitions.set(name, { ...target, schema });
  }
}

type Note = (tokens: readonly (string | number)[], message: string, hint: string) => void;

function addProperties(
  target: BundleDefinition,
  addition: JsonSchema,
  feature: FeatureSource,
  note: Note,
): JsonSchema {
  const properties = new Map(Object.entries(target.schema.properties ?? {}));
  if (addition.properties !== undefined && !isObjectSchema(target.schema)) {
    note(["properties"], `"${target.name}" is not an object`, "Only objects can get properties.");
    return target.schema;
  }
  for (const [name, property] of Object.entries(addition.properties ?? {})) {
    const present = properties.get(name);
    if (present === undefined) {
      properties.set(name, { ...property, "x-feature": feature.name });
      continue;
    }
    const by = present["x-feature"]
      ? `the feature "${present["x-feature"]}"`
      : (target.file ?? "the protocol");
    note(
      ["properties", name],
      sameSchema(present, property)
        ? `the property "${name}" is already in ${by}: the addition has no effect`
        : `the property "${name}" is already in ${by}, with another schema`,
      "A feature only adds; remove or rename it.",
    );
  }
  if (properties.size === 0) return target.schema;
  return { ...target.schema, properties: Object.fromEntries(properties) };
}

function isObjectSchema({ type, properties, allOf, oneOf, anyOf }: JsonSchema): boolean {
  const hasStructure = properties !== undefined || allOf !== undefined;
  return (
    type === "object" ||
    hasStructure ||
    (oneOf ?? anyOf ?? []).some((variant) => variant.type === "object")
  );
}

function addVariants(
  target: BundleDefinition,
  addition: JsonSchema,
  feature: FeatureSource,
  note: Note,
): JsonSchema {
  const keyword = unionKeyword(addition);
  if (keyword === undefined) return target.schema;
  if (unionKeyword(target.schema) !== keyword) {
    const has = unionKeyword(target.schema);
    note(
      [keyword],
      `"${target.name}" has no ${keyword} to add to`,
      has ? `Its alternatives are in ${has}.` : "It is not a union.",
    );
    return target.schema;
  }
  const variants = [...variantsOf(target.schema)];
  const added = variantsOf(addition).flatMap((variant, index) => {
    const name = variantName(variant);
    const before = variantsOf(addition).slice(0, index);
    const present = [...variants, ...before].find((other) => variantName(other) === name);
    if (present === undefined && name !== "") return [{ ...variant, "x-feature": feature.name }];
    const by = present?.["x-feature"]
      ? `the feature "${present["x-feature"]}"`
      : (target.file ?? "the protocol");
    note(
      [keyword, index],
      name === ""
        ? "the variant has neither a tag, a constant nor a title"
        : `the variant "${name}" is already in ${by}${present && sameSchema(present, variant) ? ": the addition has no effect" : ", with another schema"}`,
      "A feature only adds; remove or rename it.",
    );
    return [];
  });
  return { ...target.schema, [keyword]: insertVariants(variants, added) };
}

/** Inserts variants as `x-after` says, by default before the first variant without a constant. */
export function insertVariants(
  variants: readonly JsonSchema[],
  added: readonly JsonSchema[],
): readonly JsonSchema[] {
  const firstOpen = variants.findIndex((variant) => !hasConstant(variant));
  const place = firstOpen < 0 ? variants.length : firstOpen;
  const still = added.filter((variant) => variant["x-after"] === undefined);
  const moved = added.filter((variant) => variant["x-after"] !== undefined);
  return placeAfter(
    [...variants.slice(0, place), ...still, ...variants.slice(place), ...moved],
    variantName,
    (variant) => variant["x-after"],
  );
}

function sameSchema(a: JsonSchema, b: JsonSchema): boolean {
  const plain = ({
    description: _,
    "x-feature": __,
    "x-after": ___,
    ...rest
  }: JsonSchema): string => canonicalJson(rest);
  return plain(a) === plain(b);
}
