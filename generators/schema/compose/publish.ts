import type { Bundle, BundleMethod } from "./bundle.js";
import { exclude, type Json, type JsonObject, type JsonSchema } from "../json-schema/json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "../json-schema/keywords.js";
import type { FeatureStatus } from "../source/sources.js";
import { mapSchema } from "../json-schema/walk.js";

/** The sentence that the published schema adds to the description of a part of a feature. */
const STATUS_NOTES: { readonly [status in FeatureStatus]: string } = {
  unstable: "Unstable: not part of the protocol yet; it may change or be removed at any time.",
  frozen: "Frozen proposal: not part of the protocol; it does not change here.",
  proposed: "Proposed: not part of the protocol; it may change or be removed at any time.",
  vendor: "Vendor's: not part of the protocol; only implementations that agree on it use it.",
};

/**
 * The bundle as plain JSON Schema 2020-12, in the form in which upstream
 * publishes it: without the keywords that only our own sources use. The description of each
 * definition, property, variant and value of a feature ends with the status of the feature.
 */
export function publishSchema(bundle: Bundle): JsonSchema {
  const notes = new Map(bundle.features.map(({ name, status }) => [name, STATUS_NOTES[status]]));
  const isPublished = (keyword: string): boolean => {
    if (KEYWORDS[keyword] === "marker")
      return bundle.protocol.publishes?.includes(keyword) === true;
    return (KEYWORDS[keyword] ?? DERIVED_KEYWORDS[keyword]) !== "source";
  };
  const definitions = [...bundle.definitions.values()].map(
    ({ name, schema, feature }): [string, JsonSchema] => {
      const marked = feature === undefined ? schema : { ...schema, "x-feature": feature };
      return [name, plain(marked, notes, isPublished)];
    },
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...plain(bundle.root, notes, isPublished),
    $defs: Object.fromEntries(definitions),
  };
}

/** @param notes the sentence that each feature's parts get, by the feature's name */
function plain(
  schema: JsonSchema,
  notes: ReadonlyMap<string, string>,
  isPublished: (keyword: string) => boolean,
): JsonSchema {
  return mapSchema(schema, (part) => {
    const note = notes.get(part["x-feature"] ?? "");
    const { "x-excludes": excluded, ...rest } = part;
    const written = { ...rest, ...(excluded && { propertyNames: exclude(excluded) }) };
    const entries = Object.entries(written as JsonObject).filter(([keyword]) => {
      if (keyword === "examples" || keyword === "$comment") return false;
      return isPublished(keyword);
    });
    if (note === undefined || part.description === undefined) return Object.fromEntries(entries);
    const noted = entries.map(([keyword, value]): [string, Json] =>
      keyword === "description" ? [keyword, `${part.description} ${note}`] : [keyword, value],
    );
    return Object.fromEntries(noted);
  });
}

/**
 * The list of methods in upstream's `meta.json` format: per side, a key for
 * programs and the name on the wire.
 */
export function publishMeta(bundle: Bundle): JsonObject {
  const sides = ["agent", "client", "protocol", "proxy"] as const;
  const groups = sides.map((side): [string, JsonObject] => {
    const names = bundle.methods.filter((method) => method.side === side).map(methodKeyAndName);
    return [`${side}Methods`, Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1)))];
  });
  const present = groups.filter(
    ([group, names]) => group !== "proxyMethods" || Object.keys(names).length > 0,
  );
  return { version: bundle.protocol.number, ...Object.fromEntries(present) };
}

/** The published key of a method: `$/` dropped, `/` as `_`, camelCase as snake_case. */
function methodKeyAndName({ name }: BundleMethod): [string, string] {
  const key = name
    .replace(/^\$\//, "")
    .replaceAll("/", "_")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
  return [key, name];
}
