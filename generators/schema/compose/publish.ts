import type { Bundle, BundleMethod } from "./bundle.js";
import type { JsonObject, JsonSchema } from "../json-schema/json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "../json-schema/keywords.js";
import { mapSchema } from "../json-schema/walk.js";

/**
 * The bundle as plain JSON Schema 2020-12, in the form in which upstream
 * publishes it: without the keywords that only our own sources use.
 */
export function publishSchema(bundle: Bundle): JsonSchema {
  const definitions = [...bundle.definitions.values()].map(
    ({ name, schema }): [string, JsonSchema] => [name, plain(schema)],
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...plain(bundle.root),
    $defs: Object.fromEntries(definitions),
  };
}

function plain(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => {
    const kept = Object.entries(part).filter(([keyword]) => {
      if (keyword === "examples" || keyword === "$comment") return false;
      return (KEYWORDS[keyword] ?? DERIVED_KEYWORDS[keyword]) !== "source";
    });
    return Object.fromEntries(kept);
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
