import type { Path } from "../json-schema/walk.js";
import { isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { closeUnknownTags, splitTypes, withItems, withoutEmpty } from "./equivalent-forms.js";
import { untypedKeyword, withNullLast, withTags } from "./equivalent-unions.js";
import { TYPE_OF } from "./limits.js";
import { placesText } from "../problem.js";
import { intersect, listOf, NoIntersection, objectOf } from "./intersect.js";

/** Notes a part of a document that has no equivalent in the dialect. */
export type Refuse = (path: Path, message: string, hint: string) => void;

/**
 * Rewrites what other schemas write in forms that the dialect does not have into forms that it has
 * and that accept the same values. The table of these equivalences is in schema/README.md.
 *
 * @param document a JSON Schema document of draft-07 or 2020-12
 * @param refuse called for each part that cannot be rewritten; what takes its place has no further
 *   problems
 * @returns the document with its definitions in `$defs`
 */
export function normalizeImport(document: JsonObject, refuse: Refuse = () => {}): JsonObject {
  const { definitions, ...rest } = document;
  const named = isObject(definitions) && rest["$defs"] === undefined;
  const all = named ? { ...rest, $defs: definitions } : document;
  const given = all["$defs"];
  if (!isObject(given)) return all;
  const normalizer = new Normalizer(given, refuse);
  const $defs = Object.entries(given).map(([name, definition]) => [
    name,
    normalizer.normalize(definition!, "definition", ["$defs", name]),
  ]);
  const { $defs: _, ...root } = all;
  const normalRoot = normalizer.normalize(root, "definition", []) as JsonObject;
  normalizer.refuseClosed();
  return {
    ...normalRoot,
    $defs: Object.fromEntries($defs) as Json,
  };
}

/** Where a schema stands; an object variant is one of alternatives beside `"type": "object"`. */
type Role = "definition" | "slot" | "variant" | "object variant" | "part";

/** Keywords whose value is a schema, with its role, and those whose value is a list of schemas. */
const ONE: { readonly [keyword: string]: Role } = {
  items: "slot",
  additionalProperties: "slot",
  not: "part",
};
const LIST = ["allOf", "anyOf", "oneOf"];

/** Keywords about a definition, which do not belong to objects that contain its properties. */
const OWN = ["description", "title", "x-side", "x-method", "x-docs-ignore"];

class Normalizer {
  readonly #definitions: JsonObject;
  readonly #refuse: Refuse;
  /** Where objects are closed. */
  readonly #closed: Path[] = [];
  /** Definitions that others are combined with, normalized; undefined while this happens. */
  readonly #targets = new Map<string, Json | undefined>();

  constructor(definitions: JsonObject, refuse: Refuse) {
    this.#definitions = definitions;
    this.#refuse = refuse;
  }

  /** @param path where problems are reported; without one, those of the schema are reported where it stands */
  normalize(schema: Json, role: Role, path: Path | undefined): Json {
    if (schema === true) return {};
    if (schema === false) {
      const hint =
        "Remove it and what it describes, or describe what may be there: {} is any value.";
      if (path !== undefined) this.#refuse(path, "`false` accepts no value", hint);
      return {};
    }
    if (!isObject(schema)) return schema;
    const within =
      role === "part" ? role : schema["type"] === "object" ? "object variant" : "variant";
    const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => [
      keyword,
      this.#part(keyword, value!, within, path && [...path, keyword]),
    ]);
    const merged = this.#merged(closeUnknownTags(Object.fromEntries(parts)), role, path);
    const open = withoutEmpty(this.#typed(this.#opened(merged, path), role, path));
    const normal = splitTypes(withItems(open));
    if (role === "part") return normal;
    const tagged = withTags(normal);
    return role === "slot" || role.endsWith("variant")
      ? withNullLast(tagged, this.#definitions)
      : tagged;
  }

  /** Refuses closed objects, once for all of them: the remedy is the same. */
  refuseClosed(): void {
    const [first, ...others] = this.#closed;
    if (first === undefined) return;
    const keyword = String(first.at(-1));
    this.#refuse(
      first,
      `objects are never closed, since a receiver keeps properties that it does not know${placesText(others.length)}`,
      `Remove "${keyword}": false.`,
    );
  }

  #opened(schema: JsonObject, path: Path | undefined): JsonObject {
    const closing = ["additionalProperties", "unevaluatedProperties"].filter(
      (keyword) => schema[keyword] === false,
    );
    if (closing.length === 0) return schema;
    if (path !== undefined) this.#closed.push(...closing.map((keyword) => [...path, keyword]));
    return Object.fromEntries(Object.entries(schema).filter(([key]) => !closing.includes(key)));
  }

  /** Adds the type that the keywords are about where it is certain; refuses to guess another. */
  #typed(schema: JsonObject, role: Role, path: Path | undefined): JsonObject {
    const keyword = role === "part" ? undefined : untypedKeyword(schema);
    if (keyword === undefined) return schema;
    const type = TYPE_OF[keyword]!.at(-1)!;
    const isKnown = role === "object variant" && type === "object";
    if (path !== undefined && !isKnown)
      this.#refuse(
        path,
        `"${keyword}" without "type" accepts every value of another type`,
        `Add "type": "${type}".`,
      );
    return { ...schema, type };
  }

  #part(keyword: string, value: Json, within: Role, path: Path | undefined): Json {
    const inside = (one: Json, role: Role, key: string | number): Json =>
      this.normalize(one, role, path && [...path, key]);
    if (keyword === "$ref" && typeof value === "string")
      return value.replace(/^#\/definitions\//, "#/$defs/");
    if (keyword === "properties" && isObject(value)) {
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([name, one]) => [name, inside(one!, "slot", name)]));
    }
    if (keyword === "additionalProperties" && typeof value === "boolean") return value;
    const one = ONE[keyword];
    const list = LIST.includes(keyword) ? (keyword === "allOf" ? "part" : within) : undefined;
    if (one !== undefined) return this.normalize(value, one, path);
    return list !== undefined && Array.isArray(value)
      ? (value as readonly Json[]).map((part, index) => inside(part, list, index))
      : value;
  }

  /** Writes a combination of schemas without alternatives as one schema. */
  #merged(schema: JsonObject, role: Role, path: Path | undefined): JsonObject {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf) || isUse(own, allOf, role)) return schema;
    const parts = [...allOf.map((part: Json) => this.#resolved(part)), own];
    if (!parts.every((part) => part !== undefined && isPlain(part))) return schema;
    try {
      const result = (parts as JsonObject[]).reduce<Json>(
        (a, b) => intersect(a, b, (name) => this.#target(name)),
        {},
      );
      if (isObject(result)) return result;
      throw new NoIntersection("no value fits all parts");
    } catch (error) {
      if (!(error instanceof NoIntersection)) throw error;
      const where = error.path.length === 0 ? "" : ` of the property "${error.path.join("/")}"`;
      const message = `the parts of allOf have no common form${where}: ${error.message}`;
      if (path !== undefined)
        this.#refuse([...path, "allOf"], message, "Write what holds for both in one part.");
      return Object.assign({}, ...parts, {
        properties: Object.assign({}, ...parts.map((part) => objectOf(part?.["properties"]))),
      }) as JsonObject;
    }
  }

  /** Returns the schema that a part of a combination stands for; undefined in a circle. */
  #resolved(part: Json): JsonObject | undefined {
    if (!isObject(part)) return undefined;
    const { $ref, ...rest } = part;
    const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !OWN.includes(key)));
    if (typeof $ref !== "string") return own as JsonObject;
    const target = this.#target($ref.slice("#/$defs/".length));
    if (target === undefined || Object.keys(own).length === 0) return target;
    const both = intersect(target, own as JsonObject, (name) => this.#target(name));
    return isObject(both) ? both : undefined;
  }

  /** Returns a definition without the references that it consists of. */
  #target(name: string): JsonObject | undefined {
    if (!this.#targets.has(name)) {
      this.#targets.set(name, undefined);
      const target = this.#definitions[name];
      const normal =
        target === undefined ? undefined : this.normalize(target, "definition", undefined);
      const { allOf, ...own } = objectOf(normal);
      const [only, ...others] = listOf(allOf);
      const isWrapped = isObject(only) && others.length === 0;
      const whole = isWrapped ? { ...own, ...only } : normal;
      this.#targets.set(name, whole === undefined ? undefined : this.#resolved(whole));
    }
    return this.#targets.get(name) as JsonObject | undefined;
  }
}

/** Checks whether a schema uses one definition, with no more than a text or the tag of a variant. */
function isUse(own: JsonObject, [only, ...others]: readonly Json[], role: Role): boolean {
  if (!isObject(only) || only["$ref"] === undefined || others.length > 0) return false;
  const properties = Object.values(objectOf(own["properties"]));
  const isTag = (one: Json): boolean => isObject(one) && one["const"] !== undefined;
  return role.endsWith("variant") ? properties.every(isTag) : properties.length === 0;
}

/** Checks that a schema has no alternatives. */
function isPlain(schema: JsonObject): boolean {
  return LIST.every((keyword) => schema[keyword] === undefined);
}
