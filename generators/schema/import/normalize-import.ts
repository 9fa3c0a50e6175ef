import { VALUES } from "../json-schema/key-order.js";
import { partAt, type Path } from "../json-schema/walk.js";
import { canonicalJson, isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { withConstants } from "./equivalent-constants.js";
import { closeUnknownTags, splitTypes, withItems, withoutEmpty } from "./equivalent-forms.js";
import {
  withAnnotations,
  withEqualItems,
  withFlatParts,
  withExclusiveLimits,
  withInclusiveLimits,
  withListedNames,
  withMaps,
  withoutEffect,
  withoutSiblings,
  withRequired,
  withTypes,
} from "./equivalent-keywords.js";
import {
  isNever,
  untypedKeyword,
  withFlatUnions,
  withGroups,
  withNullLast,
  withObjectType,
  withOneTagEach,
  withTags,
} from "./equivalent-unions.js";
import { TYPE_OF } from "./limits.js";
import { normalText } from "../compare/diff.js";
import { nameDefinitions, type NamedDefinitions } from "./name-definitions.js";
import {
  intersect,
  isForeign,
  limitsOf,
  listOf,
  NoIntersection,
  objectOf,
  textsOf,
  unionIn,
} from "./intersect.js";

/** Notes a part of a document that has no equivalent in the dialect. */
export type Refuse = (path: Path, message: string, hint: string) => void;

/**
 * Forms that the canonical schema never has, which an import may have on request. Closed objects are
 * checked, or read as if they were open.
 */
export const ALLOWED_FORMS = ["closed-objects", "opened-objects", "patterns"] as const;
export type AllowedForm = (typeof ALLOWED_FORMS)[number];

export function isAllowedForm(name: unknown): name is AllowedForm {
  return (ALLOWED_FORMS as readonly unknown[]).includes(name);
}

/** A document in the forms of the dialect. */
export interface NormalImport {
  /** It has its definitions in `$defs`. */
  readonly document: JsonObject;
  /** The names of definitions that were changed, as written, with the new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Returns the place in the document as written of a place in the rewritten one. */
  readonly toWritten: (path: Path) => Path;
  /** The number of objects that are closed, or were. */
  readonly closed: number;
}

/**
 * Rewrites what other schemas write in forms that the dialect does not have into forms that it has
 * and that accept the same values. The manual has the table of these
 * equivalences (imports.md).
 *
 * @param written a JSON Schema document of draft-07 or 2020-12
 * @param refuse called for each part that cannot be rewritten, with its place in the document as
 *   written; what takes its place has no further problems
 * @param name that of a root which is a type without a title
 * @param allowed forms that are not refused
 */
export function normalizeImport(
  written: JsonObject,
  refuse: Refuse = () => {},
  name = "Root",
  allowed: readonly AllowedForm[] = [],
): NormalImport {
  const { schemas, renamed, nameOf } = nameDefinitions(written, name);
  const given: { [name: string]: Json } = {};
  // References to parts of definitions add to what is iterated.
  for (const [own, { schema }] of schemas) given[own] = withoutDefault(withNames(schema, nameOf));
  const normalizer = new Normalizer(given, isEarlyDraft(written), allowed, refuse);
  const $defs = [...schemas].map(([own, { path }]) => [
    own,
    normalizer.normalize(given[own]!, "definition", path),
  ]);
  const { $schema, definitions: _, $defs: __, ...rest } = written;
  const isType = [...schemas.values()].some(({ path }) => path.length === 0);
  const root = normalizer.normalize(
    isType ? textsOf(rest) : withNames(rest, nameOf),
    "definition",
    [],
  );
  const document = {
    ...($schema !== undefined && { $schema }),
    ...(root as JsonObject),
    ...($defs.length > 0 && { $defs: Object.fromEntries($defs) as Json }),
  };
  const toWritten = (path: Path): Path => {
    let [place, rest]: [Path, Path] = [[], path];
    let part: Json | undefined = document;
    path.forEach((token, index) => {
      part = partAt(part, [token]);
      const origin = isObject(part) ? normalizer.origins.get(part) : undefined;
      if (origin !== undefined) [place, rest] = [origin, path.slice(index + 1)];
    });
    const kept = rest.findIndex(
      (_, index) => partAt(written, [...place, ...rest.slice(0, index + 1)]) === undefined,
    );
    return [...place, ...(kept === -1 ? rest : rest.slice(0, kept))];
  };
  return { document, renamed, toWritten, closed: normalizer.closed };
}

/** Keywords that hold schemas by names, which may be those of keywords. */
const BY_NAME = ["properties", "patternProperties"];

/** Rewrites the references of a schema to the names that its document's definitions have. */
function withNames(schema: Json, nameOf: NamedDefinitions["nameOf"]): Json {
  if (Array.isArray(schema))
    return (schema as readonly Json[]).map((part) => withNames(part, nameOf));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (keyword === "$ref" && typeof value === "string") {
      const name = nameOf(value);
      return [
        "$ref",
        name === undefined ? value.replace(/^#\/definitions\//, "#/$defs/") : `#/$defs/${name}`,
      ];
    }
    if (BY_NAME.includes(keyword) && isObject(value)) {
      const parts = Object.entries(value).map(([name, part]) => [name, withNames(part!, nameOf)]);
      return [keyword, Object.fromEntries(parts) as JsonObject];
    }
    return [keyword, VALUES.has(keyword) ? value! : withNames(value!, nameOf)];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Removes the default of a schema that is not a property: nothing can be absent there. */
function withoutDefault(schema: Json): Json {
  if (!isObject(schema) || schema["default"] === undefined) return schema;
  const { default: _, ...rest } = schema;
  return rest;
}

/** Whether a document is of a draft in which keywords beside `$ref` have no effect. */
function isEarlyDraft({ $schema }: JsonObject): boolean {
  return typeof $schema === "string" && /\/draft-0[3-7]\//.test($schema);
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

/** The keywords that close an object where they are `false`. */
const CLOSING = ["additionalProperties", "unevaluatedProperties"];

/** Keywords about a definition, which do not belong to objects that contain its properties. */
const OWN = ["description", "title", "x-side", "x-method", "x-docs-ignore"];

class Normalizer {
  /** The places of schemas in the document as written. */
  readonly origins = new WeakMap<JsonObject, Path>();
  readonly #definitions: JsonObject;
  readonly #refuse: Refuse;
  /** Whether keywords beside a reference have no effect. */
  readonly #isEarlyDraft: boolean;
  readonly #allowsClosed: boolean;
  readonly #opens: boolean;
  /** The number of places where objects are closed. */
  closed = 0;
  /** Definitions that others are combined with, normalized; undefined while this happens. */
  readonly #targets = new Map<string, Json | undefined>();

  constructor(
    definitions: JsonObject,
    isEarlyDraft: boolean,
    allowed: readonly AllowedForm[],
    refuse: Refuse,
  ) {
    this.#definitions = definitions;
    this.#isEarlyDraft = isEarlyDraft;
    this.#allowsClosed = allowed.includes("closed-objects");
    this.#opens = allowed.includes("opened-objects");
    this.#refuse = refuse;
  }

  /** @param path where problems are reported; without one, those of the schema are reported where it stands */
  normalize(schema: Json, role: Role, path: Path | undefined): Json {
    if (schema === true) return {};
    if (isNever(schema)) {
      const hint =
        "Remove it and what it describes, or describe what may be there: {} is any value.";
      if (path !== undefined) this.#refuse(path, "`false` accepts no value", hint);
      return {};
    }
    if (!isObject(schema)) return schema;
    const effective = withMaps(withoutEffect(withEqualItems(withAnnotations(schema))));
    const named = withListedNames(effective, this.#definitions);
    const typed = withObjectType(
      withInclusiveLimits(withExclusiveLimits(withTypes(named))),
      this.#definitions,
    );
    const result = this.#rewritten(withoutSiblings(typed, this.#isEarlyDraft), role, path);
    if (path === undefined || !isObject(result)) return result;
    // A part of another definition may stand in several places.
    const own = { ...result };
    this.origins.set(own, path);
    return own;
  }

  #rewritten(schema: JsonObject, role: Role, path: Path | undefined): Json {
    const within =
      role === "part" ? role : schema["type"] === "object" ? "object variant" : "variant";
    const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => [
      keyword,
      this.#part(keyword, value!, within, path && [...path, keyword]),
    ]);
    const combined = withFlatParts(closeUnknownTags(Object.fromEntries(parts)));
    const closed = this.#closed(this.#opened(combined, path), role, path);
    const open = withoutEmpty(this.#typed(closed, role, path));
    if (role === "part") return splitTypes(withItems(open));
    const complete = this.#listed(this.#required(withItems(open), path), path);
    const normal = splitTypes(complete, role === "definition");
    const flat = withFlatUnions(withOneTagEach(normal));
    const tagged = withGroups(withTags(flat), this.#definitions);
    return role === "slot" || role.endsWith("variant")
      ? withNullLast(tagged, this.#definitions)
      : tagged;
  }

  /** Counts where an object is closed; opens it unless that is allowed, or has no effect. */
  #opened(schema: JsonObject, path: Path | undefined): JsonObject {
    const closing = CLOSING.filter((keyword) => schema[keyword] === false);
    const isIgnored = (keyword: string): boolean =>
      keyword === "unevaluatedProperties" && this.#isEarlyDraft;
    for (const keyword of closing.filter((one) => !isIgnored(one))) {
      if (path === undefined) continue;
      this.closed++;
      if (!this.#allowsClosed && !this.#opens)
        this.#refuse(
          [...path, keyword],
          "objects are never closed, since a receiver keeps properties that it does not know",
          `Remove "${keyword}": false, have it checked with --allow closed-objects, or ignored with --allow opened-objects.`,
        );
    }
    const dropped = this.#allowsClosed ? closing.filter(isIgnored) : closing;
    return without(schema, ...dropped);
  }

  /** Writes what a closed object may have into the object itself. */
  #closed(schema: JsonObject, role: Role, path: Path | undefined): JsonObject {
    const isSealed = schema["unevaluatedProperties"] === false;
    const own = isSealed ? without(schema, "unevaluatedProperties") : schema;
    const whole = this.#merged(own, role, path, isSealed);
    try {
      const distributed = this.#distributed(whole, isSealed);
      return isSealed ? this.#sealed(distributed) : distributed;
    } catch (error) {
      if (!(error instanceof NoIntersection)) throw error;
      if (error instanceof Circle && path === undefined) throw error;
      if (path !== undefined)
        this.#refuse(
          path,
          `the closed object has no form: ${error.message}`,
          "Write each alternative with all of its properties, or ignore that they are closed: --allow opened-objects.",
        );
      return without(whole, "additionalProperties");
    }
  }

  /**
   * Writes the keywords beside alternatives into each of them where one of both is closed, or where
   * they limit the same property.
   */
  #distributed(schema: JsonObject, isSealed: boolean): JsonObject {
    const keyword = unionIn(schema);
    if (keyword === undefined) return schema;
    const { [keyword]: variants, discriminator, ...own } = schema;
    if (Object.keys(limitsOf(own)).length === 0) return schema;
    const isClosed = isSealed || own["additionalProperties"] === false;
    const shared = objectOf(own["properties"]);
    const repeats = (one: Json): boolean => this.#closes(one) || this.#repeats(one, shared);
    if (!isClosed && !listOf(variants).some(repeats)) return schema;
    const tag = discriminator === undefined ? {} : { discriminator };
    const result = this.#both({ ...tag, [keyword]: variants! }, own);
    if (isObject(result)) return result;
    throw new NoIntersection("no value fits one of its alternatives and what stands beside them");
  }

  /** Checks whether a property that stands beside an alternative has limits which it lacks there. */
  #repeats(alternative: Json, shared: JsonObject): boolean {
    const own = objectOf(this.#resolved(alternative)?.["properties"]);
    return Object.keys(own).some((name) => {
      if (!Object.hasOwn(shared, name)) return false;
      try {
        const both = objectOf(this.#both(shared[name]!, own[name]!));
        return normalText(limitsOf(both)) !== normalText(limitsOf(objectOf(own[name])));
      } catch (error) {
        if (error instanceof NoIntersection) return true;
        throw error;
      }
    });
  }

  /** Closes an object with all properties that its parts describe. */
  #sealed(schema: JsonObject): JsonObject {
    if (schema["allOf"] !== undefined) throw new Circle();
    const keyword = unionIn(schema);
    if (keyword === undefined)
      return { ...schema, additionalProperties: schema["additionalProperties"] ?? false };
    const variants = listOf(schema[keyword]).map((one) => {
      const target = this.#resolved(one);
      if (target === undefined) throw new Circle();
      return target;
    });
    const isOther = ({ type }: JsonObject): boolean =>
      type !== undefined && ![type].flat().includes("object");
    const objects = variants.filter((one) => !isOther(one));
    if (objects.length > 1 && !areTagged(objects))
      throw new NoIntersection("a value may fit several of its alternatives, which have no tag");
    const sealed = variants.map((one) => (isOther(one) ? one : this.#sealed(one)));
    return { ...schema, [keyword]: sealed };
  }

  /** Checks whether a schema is closed, or one of its parts is. */
  #closes(schema: Json, followed: readonly string[] = []): boolean {
    if (!this.#allowsClosed || !isObject(schema)) return false;
    const { $ref } = schema;
    const name = typeof $ref === "string" ? $ref.slice("#/$defs/".length) : undefined;
    if (CLOSING.some((keyword) => schema[keyword] === false)) return true;
    const parts = LIST.flatMap((keyword) => listOf(schema[keyword]));
    if (parts.some((part) => this.#closes(part, followed))) return true;
    if (name === undefined || followed.includes(name)) return false;
    return this.#closes(this.#definitions[name] ?? true, [...followed, name]);
  }

  /** Describes all required properties; refuses those that a closed object cannot have. */
  #required(schema: JsonObject, path: Path | undefined): JsonObject {
    const complete = withRequired(schema);
    if (complete === schema || schema["additionalProperties"] !== false) return complete;
    const known = objectOf(schema["properties"]);
    const absent = listOf(schema["required"]).find((name) => !Object.hasOwn(known, String(name)));
    if (path !== undefined)
      this.#refuse(
        [...path, "required"],
        `the closed object requires "${String(absent)}", which it cannot have`,
        "Describe it in properties.",
      );
    return complete;
  }

  /** Writes constants as the dialect has them; refuses those that it cannot have. */
  #listed(schema: JsonObject, path: Path | undefined): JsonObject {
    const { const: only, enum: listed, ...rest } = schema;
    const values = only === undefined ? listOf(listed) : [only];
    const refused = (message: string, hint: string): JsonObject => {
      if (path !== undefined)
        this.#refuse([...path, only === undefined ? "enum" : "const"], message, hint);
      return textsOf(rest);
    };
    const isOther = (value: Json): boolean =>
      typeof value === "object" || (typeof value === "number" && !Number.isInteger(value));
    if (values.some((value) => value !== null && isOther(value)))
      return refused(
        "constants are texts, integers, booleans and null",
        "Write the type of other values.",
      );
    if (values.length > 0 && isForeign(rest["pattern"]))
      return refused(
        "constants are not held against a pattern with groups or alternatives",
        "Write those that it matches, without the pattern.",
      );
    const forms = withConstants(schema);
    return (
      forms ?? refused("none of the constants fits the other keywords", "Correct one of them.")
    );
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
    if (keyword === "properties" && isObject(value)) {
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([name, one]) => [name, inside(one!, "slot", name)]));
    }
    if (keyword === "additionalProperties" && typeof value === "boolean") return value;
    const one = ONE[keyword];
    const list = LIST.includes(keyword) ? (keyword === "allOf" ? "part" : within) : undefined;
    if (one !== undefined) return this.normalize(withoutDefault(value), one, path);
    if (list === undefined || !Array.isArray(value)) return value;
    // An alternative that no value fits is none, where there are others.
    const isOpen = keyword !== "allOf" && value.some((part: Json) => !isNever(part));
    return (value as readonly Json[]).flatMap((part, index) =>
      isOpen && isNever(part) ? [] : [inside(part, list, index)],
    );
  }

  /** Writes a combination of schemas as one schema, where at most one of them has alternatives. */
  #merged(schema: JsonObject, role: Role, path: Path | undefined, isSealed: boolean): JsonObject {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf)) return schema;
    const hasOwn = Object.keys(limitsOf(own)).length > 0;
    const isMixed = isSealed || (hasOwn && allOf.some((part: Json) => this.#closes(part)));
    if (isUse(own, allOf, role) && !isMixed) return schema;
    let parts: readonly (JsonObject | undefined)[] = [own];
    try {
      parts = [...allOf.map((part: Json) => this.#resolved(part)), own];
      const result = this.#combined(parts);
      if (result === undefined) {
        if (!isSealed && !this.#closes(schema)) return schema;
        throw new Circle();
      }
      if (isObject(result)) return result;
      const isClosed = this.#closes(schema);
      throw new NoIntersection(
        isClosed ? "no value fits all parts, since they are closed" : "no value fits all parts",
      );
    } catch (error) {
      if (!(error instanceof NoIntersection)) throw error;
      if (error instanceof Circle && path === undefined) throw error;
      const where = error.path.length === 0 ? "" : ` of the property "${error.path.join("/")}"`;
      const message = `the parts of allOf have no common form${where}: ${error.message}`;
      const hint = this.#closes(schema)
        ? "Write what holds for both in one part, or ignore that they are closed: --allow opened-objects."
        : "Write what holds for both in one part.";
      if (path !== undefined) this.#refuse([...path, "allOf"], message, hint);
      return Object.assign({}, ...parts, {
        properties: Object.assign({}, ...parts.map((part) => objectOf(part?.["properties"]))),
      }) as JsonObject;
    }
  }

  /** Combines schemas; undefined in a circle, or where several have alternatives. */
  #combined(parts: readonly (JsonObject | undefined)[]): Json | undefined {
    if (!parts.every((part) => part !== undefined)) return undefined;
    const [union, ...others] = parts.filter((part) => !isPlain(part));
    if (others.length > 0 || union?.["allOf"] !== undefined) return undefined;
    const plain = parts.filter(isPlain).reduce<Json>((a, b) => this.#both(a, b), {});
    return union === undefined ? plain : this.#withUnion(union, plain);
  }

  #both(a: Json, b: Json): Json {
    return intersect(a, b, (name) => this.#target(name));
  }

  /** Combines a union with a schema: beside its alternatives where none of them has the same properties. */
  #withUnion(union: JsonObject, plain: Json): Json {
    const keyword = unionIn(union)!;
    const { [keyword]: variants, discriminator, ...own } = union;
    const shared = this.#both(own, plain);
    const names = isObject(shared) ? Object.keys(objectOf(shared["properties"])) : [];
    const isClosed = isObject(shared) && shared["additionalProperties"] === false;
    const isApart = (variant: Json): boolean => {
      if (isClosed || this.#closes(variant)) return false;
      const { type, properties } = this.#resolved(variant) ?? {};
      return type === "object" && names.every((name) => !Object.hasOwn(objectOf(properties), name));
    };
    if (!isObject(shared) || !listOf(variants).every(isApart)) return this.#both(union, plain);
    return {
      ...shared,
      [keyword]: variants!,
      ...(discriminator !== undefined && { discriminator }),
    };
  }

  /** Returns the schema that a part of a combination stands for; undefined in a circle. */
  #resolved(part: Json): JsonObject | undefined {
    if (!isObject(part)) return undefined;
    const { $ref, ...rest } = part;
    const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !OWN.includes(key)));
    if (typeof $ref !== "string") return own as JsonObject;
    const target = this.#target($ref.slice("#/$defs/".length));
    if (target === undefined || Object.keys(own).length === 0) return target;
    const both = this.#both(target, own as JsonObject);
    return isObject(both) ? both : undefined;
  }

  /** Returns a definition in the forms of the dialect; undefined for a closed object in a circle. */
  #normalTarget(definition: Json): Json | undefined {
    try {
      return this.normalize(definition, "definition", undefined);
    } catch (error) {
      if (error instanceof Circle) return undefined;
      throw error;
    }
  }

  /** Returns a definition without the references that it consists of. */
  #target(name: string): JsonObject | undefined {
    if (!this.#targets.has(name)) {
      this.#targets.set(name, undefined);
      const target = this.#definitions[name];
      const normal = target === undefined ? undefined : this.#normalTarget(target);
      const { allOf, ...own } = objectOf(normal);
      const [only, ...others] = listOf(allOf);
      const isWrapped = isObject(only) && others.length === 0;
      const whole = isWrapped ? { ...own, ...only } : normal;
      this.#targets.set(name, whole === undefined ? undefined : this.#resolved(whole));
    }
    return this.#targets.get(name) as JsonObject | undefined;
  }
}

/** Thrown for closed objects that contain themselves: what they may have is not known. */
class Circle extends NoIntersection {
  constructor() {
    super("a closed object contains itself");
  }
}

/** Checks whether objects require different constants of one property. */
function areTagged(objects: readonly JsonObject[]): boolean {
  return listOf(objects[0]!["required"]).some((name) => {
    const values = objects.flatMap(({ properties, required }) => {
      const value = objectOf(objectOf(properties)[String(name)])["const"];
      return value !== undefined && listOf(required).includes(name) ? [canonicalJson(value)] : [];
    });
    return values.length === objects.length && new Set(values).size === values.length;
  });
}

function without(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  if (keywords.length === 0) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

/** The keywords that the tag of a variant needs. */
const OF_VARIANTS = ["type", "properties", "required"];

/** Checks whether a schema uses one definition, with no more than a text or the tag of a variant. */
function isUse(own: JsonObject, [only, ...others]: readonly Json[], role: Role): boolean {
  if (!isObject(only) || only["$ref"] === undefined || others.length > 0) return false;
  if (!role.endsWith("variant")) return Object.keys(limitsOf(own)).length === 0;
  const properties = Object.entries(objectOf(own["properties"]));
  const isTag = ([name, one]: readonly [string, Json | undefined]): boolean =>
    isObject(one) && one["const"] !== undefined && listOf(own["required"]).includes(name);
  const isOwn = (keyword: string): boolean => OF_VARIANTS.includes(keyword);
  return properties.every(isTag) && Object.keys(limitsOf(own)).every(isOwn);
}

/** Checks that a schema has no alternatives. */
function isPlain(schema: JsonObject): boolean {
  return LIST.every((keyword) => schema[keyword] === undefined);
}
