import { normalText } from "../compare/diff.js";
import { canonicalJson, isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { referencedName } from "../json-schema/references.js";
import type { Path } from "../json-schema/walk.js";
import type { Switch } from "../problem.js";
import { intersect, limitsOf, listOf, NoIntersection, objectOf, unionIn } from "./intersect.js";

/** Notes a part of a document that has no equivalent in the dialect. */
export type Refuse = (path: Path, message: string, hint: string, accepts?: Switch) => void;

const OPENED: Switch = { allow: "opened-objects" };

/** Keywords whose value is a list of schemas. */
export const COMBINING = ["allOf", "anyOf", "oneOf"];

/** The keywords that close an object where they are `false`. */
export const CLOSING = ["additionalProperties", "unevaluatedProperties"];

/** Keywords about a definition, which do not belong to objects that contain its properties. */
const OWN = ["description", "title", "x-side", "x-method", "x-docs-ignore"];

/** What combinations have to know of their document. */
export interface Combined {
  readonly definitions: JsonObject;
  /** Whether objects may be closed. */
  readonly allowsClosed: boolean;
  /** Returns a definition in the forms of the dialect, without a word about what has none. */
  readonly normalize: (definition: Json) => Json;
  readonly refuse: Refuse;
}

/**
 * Writes schemas that combine others as one schema: the parts of `allOf`, what stands beside
 * alternatives, and what a closed object may have. Where the dialect has no form for exactly the same
 * values, it notes that.
 */
export class Combinations {
  readonly #document: Combined;
  /** Definitions that others are combined with, normalized; undefined while this happens. */
  readonly #targets = new Map<string, Json | undefined>();

  constructor(document: Combined) {
    this.#document = document;
  }

  /**
   * Returns a schema without combinations that the dialect does not have.
   *
   * @param isVariant whether it is one of alternatives, where a tag may stand beside a definition
   * @param path where problems are noted; without one, a closed object that contains itself is an error
   * @throws Circle for that
   */
  combine(schema: JsonObject, isVariant: boolean, path: Path | undefined): JsonObject {
    const isSealed = schema["unevaluatedProperties"] === false;
    const own = isSealed ? without(schema, "unevaluatedProperties") : schema;
    const whole = this.#merged(own, isVariant, path, isSealed);
    try {
      const distributed = this.#distributed(whole, isSealed);
      return isSealed ? this.#sealed(distributed) : distributed;
    } catch (error) {
      const { message, path: names } = expected(error, path);
      const where = placeOf(names);
      const isClosed = isSealed || this.#closes(whole);
      if (path !== undefined && isClosed)
        this.#document.refuse(
          path,
          `the closed object has no form${where}: ${message}`,
          "Write each alternative with all of its properties, or ignore that they are closed: --allow opened-objects.",
          OPENED,
        );
      else if (path !== undefined)
        this.#document.refuse(
          path,
          `the alternatives and what stands beside them have no common form${where}: ${message}`,
          "Write each alternative with all of its properties.",
        );
      return without(whole, "additionalProperties");
    }
  }

  /** Writes the parts of `allOf` as one schema, where at most one of them has alternatives. */
  #merged(
    schema: JsonObject,
    isVariant: boolean,
    path: Path | undefined,
    isSealed: boolean,
  ): JsonObject {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf)) return schema;
    const hasOwn = Object.keys(limitsOf(own)).length > 0;
    const isMixed = isSealed || (hasOwn && allOf.some((part: Json) => this.#limitsOthers(part)));
    if (isUse(own, allOf, isVariant) && !isMixed) return schema;
    let parts: readonly (JsonObject | undefined)[] = [own];
    try {
      parts = [...allOf.map((part: Json) => this.#resolved(part)), own];
      const result = this.#common(parts);
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
      const { message, path: names } = expected(error, path);
      const where = placeOf(names);
      const hint = this.#closes(schema)
        ? "Write what holds for both in one part, or ignore that they are closed: --allow opened-objects."
        : "Write what holds for both in one part.";
      if (path !== undefined)
        this.#document.refuse(
          [...path, "allOf"],
          `the parts of allOf have no common form${where}: ${message}`,
          hint,
          this.#closes(schema) ? OPENED : undefined,
        );
      return Object.assign({}, ...parts.map((part) => without(part ?? {}, "anyOf", "oneOf")), {
        properties: Object.assign({}, ...parts.map((part) => objectOf(part?.["properties"]))),
      }) as JsonObject;
    }
  }

  /** Returns the common values of schemas; undefined in a circle, or where several have alternatives. */
  #common(parts: readonly (JsonObject | undefined)[]): Json | undefined {
    if (!parts.every((part) => part !== undefined)) return undefined;
    const [union, ...others] = parts.filter((part) => !isPlain(part));
    if (others.length > 0 || union?.["allOf"] !== undefined) return undefined;
    const plain = parts.filter(isPlain).reduce<Json>((a, b) => this.#both(a, b), {});
    return union === undefined ? plain : this.#withUnion(union, plain);
  }

  /** Puts a schema beside the alternatives of a union where all of them are objects, else into each. */
  #withUnion(union: JsonObject, plain: Json): Json {
    const keyword = unionIn(union)!;
    const { [keyword]: variants, discriminator, ...own } = union;
    const shared = this.#both(own, plain);
    const isAnObject = (one: Json): boolean => {
      const target = this.#resolved(one);
      return target?.["type"] === "object" && !isMap(target);
    };
    if (!isObject(shared) || !listOf(variants).every(isAnObject)) return this.#both(union, plain);
    const tag = discriminator === undefined ? {} : { discriminator };
    return { ...shared, [keyword]: variants!, ...tag };
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
    const isClosed = isSealed || this.#limitsOthers(own);
    const shared = objectOf(own["properties"]);
    const isOther = own["type"] !== undefined && own["type"] !== "object";
    const repeats = (one: Json): boolean => this.#limitsOthers(one) || this.#repeats(one, shared);
    if (!isClosed && !isOther && !listOf(variants).some(repeats)) return schema;
    const tag = discriminator === undefined ? {} : { discriminator };
    const result = this.#both({ ...tag, [keyword]: variants! }, own);
    if (isObject(result)) return result;
    throw new NoIntersection("no value fits one of its alternatives and what stands beside them");
  }

  /** Checks whether a property that stands beside an alternative has limits which it lacks there; a map has all. */
  #repeats(alternative: Json, shared: JsonObject): boolean {
    const target = this.#resolved(alternative) ?? {};
    const parts = listOf(target["allOf"]).map((part) => this.#resolved(part) ?? {});
    if ([target, ...parts].some(isMap)) return true;
    const own = objectOf(target["properties"]);
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
  #closes(schema: Json): boolean {
    const isClosed = (one: JsonObject): boolean =>
      CLOSING.some((keyword) => one[keyword] === false);
    return this.#document.allowsClosed && this.#some(schema, isClosed);
  }

  /** Checks whether a schema limits properties that it does not describe, or one of its parts does. */
  #limitsOthers(schema: Json): boolean {
    const limits = (one: JsonObject): boolean =>
      isMap(one) || one["patternProperties"] !== undefined;
    return this.#closes(schema) || this.#some(schema, limits);
  }

  /** Checks whether a schema, one of its parts, or what they refer to passes a test. */
  #some(
    schema: Json,
    test: (one: JsonObject) => boolean,
    followed: readonly string[] = [],
  ): boolean {
    if (!isObject(schema)) return false;
    const name = referencedName(schema);
    const parts = COMBINING.flatMap((keyword) => listOf(schema[keyword]));
    if (test(schema) || parts.some((part) => this.#some(part, test, followed))) return true;
    if (name === undefined || followed.includes(name)) return false;
    return this.#some(this.#document.definitions[name] ?? true, test, [...followed, name]);
  }

  #both(a: Json, b: Json): Json {
    return intersect(a, b, (name) => this.definition(name));
  }

  /** Returns the schema that a part of a combination stands for; undefined in a circle. */
  #resolved(part: Json): JsonObject | undefined {
    if (!isObject(part)) return undefined;
    const name = referencedName(part);
    const own = without(part, "$ref", ...OWN);
    if (name === undefined) return own;
    const target = this.definition(name);
    if (target === undefined || Object.keys(own).length === 0) return target;
    const both = this.#both(target, own);
    return isObject(both) ? both : undefined;
  }

  /** Returns a definition without the references that it consists of; undefined in a circle. */
  definition(name: string): JsonObject | undefined {
    if (!this.#targets.has(name)) {
      this.#targets.set(name, undefined);
      const target = this.#document.definitions[name];
      const normal = target === undefined ? undefined : this.#normal(target);
      const { allOf, ...own } = objectOf(normal);
      const [only, ...others] = listOf(allOf);
      const isWrapped = isObject(only) && others.length === 0;
      const whole = isWrapped ? { ...own, ...only } : normal;
      this.#targets.set(name, whole === undefined ? undefined : this.#resolved(whole));
    }
    return this.#targets.get(name) as JsonObject | undefined;
  }

  /** Returns a definition in the forms of the dialect; undefined for a closed object in a circle. */
  #normal(definition: Json): Json | undefined {
    try {
      return this.#document.normalize(definition);
    } catch (error) {
      if (error instanceof Circle) return undefined;
      throw error;
    }
  }
}

/** Thrown for closed objects that contain themselves: what they may have is not known. */
class Circle extends NoIntersection {
  constructor() {
    super("a closed object contains itself");
  }
}

/** Returns an error that can be noted at a place; throws all others. */
function expected(error: unknown, path: Path | undefined): NoIntersection {
  if (!(error instanceof NoIntersection)) throw error;
  if (error instanceof Circle && path === undefined) throw error;
  return error;
}

function placeOf(names: readonly string[]): string {
  return names.length === 0 ? "" : ` of the property "${names.join("/")}"`;
}

/** Returns a schema without some keywords. */
export function without(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  if (keywords.length === 0) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
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

/** The keywords that the tag of a variant needs. */
const OF_VARIANTS = ["type", "properties", "required"];

/** Checks whether a schema uses one definition, with no more than a text or the tag of a variant. */
function isUse(own: JsonObject, [only, ...others]: readonly Json[], isVariant: boolean): boolean {
  if (!isObject(only) || only["$ref"] === undefined || others.length > 0) return false;
  if (!isVariant) return Object.keys(limitsOf(own)).length === 0;
  const properties = Object.entries(objectOf(own["properties"]));
  const isTag = ([name, one]: readonly [string, Json | undefined]): boolean =>
    isObject(one) && one["const"] !== undefined && listOf(own["required"]).includes(name);
  const isOwn = (keyword: string): boolean => OF_VARIANTS.includes(keyword);
  return properties.every(isTag) && Object.keys(limitsOf(own)).every(isOwn);
}

/** Checks whether a schema limits properties that it does not describe. */
function isMap({ additionalProperties }: JsonObject): boolean {
  return isObject(additionalProperties) && Object.keys(limitsOf(additionalProperties)).length > 0;
}

/** Checks that a schema has no alternatives. */
function isPlain(schema: JsonObject): boolean {
  return COMBINING.every((keyword) => schema[keyword] === undefined);
}
