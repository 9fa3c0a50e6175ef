import { VALUES } from "../json-schema/key-order.js";
import { canonicalJson, isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { referencedName } from "../json-schema/references.js";
import type { AllowedForm } from "./allowed-forms.js";
import { withoutEffect } from "./equivalent-keywords.js";
import { BY_NAME } from "./find-references.js";
import { listOf, objectOf } from "./intersect.js";
import { LIMITING_KEYWORDS } from "./limits.js";

/** Keywords by which JSON Schema limits values, and which the dialect does not have. */
export const CONSTRAINTS: ReadonlySet<string> = new Set([
  ...["minProperties", "maxProperties", "patternProperties", "propertyNames", "dependencies"],
  ...["dependentRequired", "dependentSchemas", "unevaluatedItems", "uniqueItems", "contains"],
  ...["minContains", "maxContains", "multipleOf", "if", "then", "else", "contentSchema", "not"],
  ...["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"],
]);

/** What stands for a `$ref` to a document that is not read: it is always ignored. */
export const UNREAD = "$ref to another document";

/** Keywords that describe properties: an object that counts the others cannot be closed without them. */
const DESCRIBING: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "dependencies", "dependentSchemas", "if", "then", "else"],
  ...[UNREAD, "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf"],
]);

/**
 * The keywords of a document that are ignored by name. To ignore one only ever accepts more values:
 * an object whose other properties depend on it is open, and of alternatives that accept more, several
 * may fit.
 */
export class IgnoredKeywords {
  readonly #names: ReadonlySet<string>;
  readonly #allowed: readonly AllowedForm[];
  readonly #definitions: JsonObject;
  /** The definitions that accept more values than written; undefined until one is needed. */
  #wide: ReadonlySet<string> | undefined;
  #leavesPropertiesOut: boolean | undefined;

  constructor(names: readonly string[], allowed: readonly AllowedForm[], definitions: JsonObject) {
    this.#names = new Set([...names, UNREAD]);
    this.#allowed = allowed;
    this.#definitions = definitions;
  }

  has(keyword: string): boolean {
    return this.#names.has(keyword);
  }

  /** Returns a schema without what is ignored, and the keywords that are not checked any more. */
  without(schema: JsonObject): { readonly rest: JsonObject; readonly dropped: readonly string[] } {
    const dropped = Object.keys(schema).filter((keyword) => this.has(keyword));
    const isUnlisted = dropped.includes("properties") || dropped.includes("patternProperties");
    if (isUnlisted && (schema["additionalProperties"] ?? true) !== true)
      dropped.push("additionalProperties");
    if (schema["unevaluatedProperties"] === false && this.#leavesOut())
      dropped.push("unevaluatedProperties");
    const isWide = this.#isWideUnion(schema);
    if (dropped.length === 0 && !isWide) return { rest: schema, dropped };
    const entries = Object.entries(schema).filter(([keyword]) => !dropped.includes(keyword));
    if (!isWide) return { rest: Object.fromEntries(entries), dropped };
    const open = entries.map(([keyword, value]) => [
      keyword === "oneOf" ? "anyOf" : keyword,
      value,
    ]);
    return { rest: Object.fromEntries(open) as JsonObject, dropped: [...dropped, "oneOf"] };
  }

  /** Checks whether properties are described by keywords that are ignored, anywhere. */
  #leavesOut(): boolean {
    this.#leavesPropertiesOut ??= Object.values(this.#definitions).some((one) =>
      someSchema(one, (part) =>
        Object.keys(part).some((keyword) => this.has(keyword) && DESCRIBING.has(keyword)),
      ),
    );
    return this.#leavesPropertiesOut;
  }

  /** Checks whether a value may fit several alternatives of which only one fits as they are written. */
  #isWideUnion({ oneOf, anyOf }: JsonObject): boolean {
    const isExact =
      this.#names.size === 1 && !this.#allowed.some((form) => WIDENING.includes(form));
    if (isExact || oneOf === undefined || anyOf !== undefined) return false;
    const variants = listOf(oneOf);
    return variants.some((one) => this.#isWide(one)) && !this.#areApart(variants);
  }

  #isWide(schema: Json): boolean {
    this.#wide ??= this.#wideDefinitions();
    return someSchema(schema, (part) => this.#widens(part) || this.#wide!.has(nameIn(part)));
  }

  #wideDefinitions(): ReadonlySet<string> {
    const names = Object.keys(this.#definitions);
    const users = new Map<string, string[]>();
    const wide = new Set<string>();
    for (const name of names)
      someSchema(this.#definitions[name]!, (part) => {
        users.set(nameIn(part), [...(users.get(nameIn(part)) ?? []), name]);
        if (this.#widens(part)) wide.add(name);
        return false;
      });
    // Iterating a Set also visits items that are added meanwhile.
    for (const name of wide) for (const user of users.get(name) ?? []) wide.add(user);
    return wide;
  }

  /** Checks whether a schema itself has a keyword that is ignored, or a form that is read as a wider one. */
  #widens(schema: JsonObject): boolean {
    const { items, prefixItems, additionalProperties, unevaluatedProperties } = schema;
    const isTuple = Array.isArray(items) || prefixItems !== undefined;
    const isClosed = additionalProperties === false || unevaluatedProperties === false;
    return (
      (isTuple && this.#allowed.includes("opened-tuples")) ||
      (isClosed && this.#allowed.includes("opened-objects")) ||
      Object.keys(withoutEffect(schema)).some((keyword) => this.has(keyword) && isLimit(keyword))
    );
  }

  /** Checks whether no value fits two alternatives, by their types or by a constant that each requires. */
  #areApart(variants: readonly Json[]): boolean {
    const targets = variants.map((one) => this.#resolved(one));
    const [first] = targets;
    const tags = Object.keys(objectOf(first?.["properties"]));
    const constantsOf = (name: string): readonly Json[] =>
      targets.flatMap((one) => {
        const { const: value, enum: listed } = objectOf(objectOf(one?.["properties"])[name]);
        const values = value === undefined ? listOf(listed) : [value];
        const isTag = one?.["type"] === "object" && listOf(one["required"]).includes(name);
        return isTag && values.length === 1 ? values : [];
      });
    const areTagged = tags.some((name) => areDifferent(constantsOf(name), variants.length));
    const types = targets.flatMap((one) => {
      const type = one?.["type"];
      return typeof type === "string" ? [type === "integer" ? "number" : type] : [];
    });
    return areTagged || areDifferent(types, variants.length);
  }

  #resolved(schema: Json, steps = 0): JsonObject | undefined {
    const name = isObject(schema) ? referencedName(schema) : undefined;
    if (name !== undefined && steps < MOST_STEPS)
      return this.#resolved(this.#definitions[name] ?? true, steps + 1);
    return isObject(schema) ? schema : undefined;
  }
}

/** The longest chain of references that is followed. */
const MOST_STEPS = 16;

/** The forms that are read as ones that accept more values. */
const WIDENING: readonly AllowedForm[] = ["opened-objects", "opened-tuples", "unread-refs"];

function areDifferent(values: readonly Json[], count: number): boolean {
  return values.length === count && new Set(values.map(canonicalJson)).size === count;
}

/** Checks whether a keyword limits values; others of any name annotate. */
export function isLimit(keyword: string): boolean {
  return CONSTRAINTS.has(keyword) || LIMITING_KEYWORDS.has(keyword) || keyword === UNREAD;
}

function nameIn(schema: JsonObject): string {
  return referencedName(schema) ?? "";
}

/** Checks whether a schema, or one inside it, passes a test. */
function someSchema(schema: Json, test: (schema: JsonObject) => boolean): boolean {
  if (Array.isArray(schema))
    return (schema as readonly Json[]).some((one) => someSchema(one, test));
  if (!isObject(schema)) return false;
  if (test(schema)) return true;
  return Object.entries(schema).some(([keyword, value]) => {
    if (VALUES.has(keyword)) return false;
    const parts = BY_NAME.includes(keyword) && isObject(value) ? Object.values(value) : [value];
    return parts.some((part) => someSchema(part, test));
  });
}
