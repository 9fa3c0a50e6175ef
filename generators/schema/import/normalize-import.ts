import { VALUES } from "../json-schema/key-order.js";
import { KEYWORDS } from "../json-schema/keywords.js";
import { partAt, type Path } from "../json-schema/walk.js";
import { isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { withConstants } from "./equivalent-constants.js";
import {
  closeUnknownTags,
  hasExclusion,
  splitTypes,
  withItems,
  withoutEmpty,
} from "./equivalent-forms.js";
import {
  withAnnotations,
  withAnyPlace,
  withDescribed,
  withEqualItems,
  withFlatParts,
  withExcludedNames,
  withExclusiveLimits,
  withInclusiveLimits,
  withListedNames,
  withMaps,
  withoutEffect,
  withoutNever,
  withoutSiblings,
  withDescribedProperties,
  withTypes,
} from "./equivalent-keywords.js";
import {
  isNever,
  untypedKeyword,
  withFlatUnions,
  withInnerTypes,
  withGroups,
  withNullLast,
  withObjectType,
  withoutObjectType,
  withReferencedTags,
  withOneTagEach,
  withTags,
} from "./equivalent-unions.js";
import { IgnoredKeywords, isLimit, UNREAD } from "./ignored-keywords.js";
import { TYPE_OF } from "./limits.js";
import type { AllowedForm } from "./allowed-forms.js";
import { BY_NAME, HOLDERS, isEarlyDraft } from "./find-references.js";
import { nameDefinitions, type NamedDefinitions, type RootNames } from "./name-definitions.js";
import { valueNames } from "./value-names.js";
import { CLOSING, Combinations, COMBINING, without, type Refuse } from "./combinations.js";
import { isForeign, listOf, objectOf, annotationsOf } from "./intersect.js";

/** A document in the forms of the dialect. */
export interface NormalImport {
  /** It has its definitions in `$defs`. */
  readonly document: JsonObject;
  /** The names of definitions that were changed, as written, with the new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The names that definitions give to values, by their paths. */
  readonly valueNames: Readonly<Record<string, string>>;
  /** Returns the place in the document as written of a place in the rewritten one. */
  readonly toWritten: (path: Path) => Path;
  /** The number of objects that are closed, or were. */
  readonly closed: number;
  /** The number of tuples that are lists now. */
  readonly tuples: number;
  /** The keywords that are not checked, with the number of their places. */
  readonly unchecked: Readonly<Record<string, number>>;
  /** The number of types that keywords imply. */
  readonly implied: number;
  /** The number of references with keywords beside them that draft-07 ignores. */
  readonly siblings: number;
}

/**
 * Rewrites what other schemas write in forms that the dialect does not have into forms that it has
 * and that accept the same values. The manual has the table of these
 * equivalences (imports.md).
 *
 * @param written a JSON Schema document of draft-07 or 2020-12
 * @param refuse called for each part that cannot be rewritten, with its place in the document as
 *   written; what takes its place has no further problems
 * @param rootNames those that a root which is a type may have
 * @param allowed forms that are not refused
 * @param ignored keywords that are dropped where they have no form
 */
export function normalizeImport(
  written: JsonObject,
  refuse: Refuse = () => {},
  rootNames: RootNames = { file: "Root" },
  allowed: readonly AllowedForm[] = [],
  ignored: readonly string[] = [],
): NormalImport {
  const isEarly = isEarlyDraft(written);
  const allowsUnread = allowed.includes("unread-refs");
  const names = nameDefinitions(written, rootNames, isEarly, allowsUnread, refuse);
  const { schemas, renamed } = names;
  const given: { [name: string]: Json } = {};
  for (const [own, { schema }] of schemas) given[own] = withoutDefault(withNames(schema, names));
  const normalizer = new Normalizer(
    given,
    isEarly,
    allowed,
    new IgnoredKeywords(ignored, allowed, given),
    refuse,
  );
  const named = [...schemas].flatMap(([own, { schema, path }]) =>
    valueNames(own, schema, path, refuse),
  );
  const $defs = [...schemas].map(([own, { path }]) => [
    own,
    normalizer.normalizeDefinition(given[own]!, path),
  ]);
  const { $schema, ...rest } = withNames(written, names) as JsonObject;
  const isType = [...schemas.values()].some(({ path }) => path.length === 0);
  const root = isType ? ownTexts(rest) : normalizer.normalize(rest, "definition", []);
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
    const whole = [...place, ...rest];
    const strange = whole.findIndex(
      (_, end) => partAt(written, whole.slice(0, end + 1)) === undefined,
    );
    return strange === -1 ? whole : whole.slice(0, strange);
  };
  const { closed, tuples, implied, siblings, unchecked } = normalizer;
  return {
    ...{ document, renamed, valueNames: Object.fromEntries(named), toWritten },
    ...{ closed, tuples, implied, siblings, unchecked },
  };
}

/** Returns the texts of a document whose root is a definition. */
function ownTexts(root: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(root).filter(([key]) => KEYWORDS[key] === "text"));
}

/** Rewrites the references of a schema to the names of definitions; drops those that lead nowhere. */
function withNames(schema: Json, names: NamedDefinitions): Json {
  if (Array.isArray(schema))
    return (schema as readonly Json[]).map((part) => withNames(part, names));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    // Definitions in a schema are definitions of the document, which are rewritten by themselves.
    if (HOLDERS.includes(keyword)) return [];
    if (keyword === "$ref" && typeof value === "string") {
      if (names.unread.has(schema)) return [[UNREAD, true]];
      const name = names.targets.get(schema);
      return name === undefined ? [] : [["$ref", `#/$defs/${name}`]];
    }
    if (BY_NAME.includes(keyword) && isObject(value)) {
      const parts = Object.entries(value).map(([name, part]) => [name, withNames(part!, names)]);
      return [[keyword, Object.fromEntries(parts) as JsonObject]];
    }
    return [[keyword, VALUES.has(keyword) ? value! : withNames(value!, names)]];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Removes the default of a schema that is not a property: nothing can be absent there. */
function withoutDefault(schema: Json): Json {
  if (!isObject(schema) || schema["default"] === undefined) return schema;
  const { default: _, ...rest } = schema;
  return rest;
}

function withoutDefaults(schemas: JsonObject): JsonObject {
  const entries = Object.entries(schemas).map(([name, one]) => [name, withoutDefault(one)]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Where a schema stands; an object variant is one of alternatives beside `"type": "object"`. */
type Role = "definition" | "slot" | "variant" | "object variant" | "part";

/** Keywords whose value is a schema, with its role. */
const ONE: { readonly [keyword: string]: Role } = {
  items: "slot",
  additionalProperties: "slot",
  not: "part",
};

class Normalizer {
  /** The places of schemas in the document as written. */
  readonly origins = new WeakMap<JsonObject, Path>();
  readonly #definitions: JsonObject;
  readonly #refuse: Refuse;
  /** Whether keywords beside a reference have no effect. */
  readonly #isEarlyDraft: boolean;
  readonly #opens: boolean;
  readonly #opensTuples: boolean;
  /** The number of places where objects are closed. */
  closed = 0;
  /** The number of places where tuples are read as lists. */
  tuples = 0;
  /** The number of places where a type is implied. */
  implied = 0;
  /** The number of places where draft-07 ignores keywords beside a reference. */
  siblings = 0;
  /** The keywords that are not checked, with the number of their places. */
  readonly unchecked: { [keyword: string]: number } = {};
  /** The keywords that are not checked in the definition that is being normalized. */
  #own = new Set<string>();
  readonly #ignored: IgnoredKeywords;
  readonly #implies: boolean;
  readonly #readsSiblings: boolean;
  readonly #combinations: Combinations;

  constructor(
    definitions: JsonObject,
    isEarlyDraft: boolean,
    allowed: readonly AllowedForm[],
    ignored: IgnoredKeywords,
    refuse: Refuse,
  ) {
    this.#definitions = definitions;
    this.#isEarlyDraft = isEarlyDraft;
    this.#ignored = ignored;
    this.#implies = allowed.includes("implied-types");
    this.#readsSiblings = allowed.includes("ref-siblings");
    this.#opens = allowed.includes("opened-objects");
    this.#opensTuples = allowed.includes("opened-tuples");
    this.#refuse = refuse;
    this.#combinations = new Combinations({
      ...{ definitions, refuse, allowsClosed: !this.#opens },
      normalize: (definition) => this.normalize(definition, "definition", undefined),
    });
  }

  /** Normalizes a definition, and names in its description what is not checked in it. */
  normalizeDefinition(schema: Json, path: Path): Json {
    this.#own = new Set();
    const normal = this.normalize(schema, "definition", path);
    if (this.#own.size === 0 || !isObject(normal)) return normal;
    const { description } = normal;
    const names = [...this.#own].map((keyword) => `\`${keyword}\``).join(", ");
    const before = typeof description === "string" ? `${description}\n\n` : "";
    return this.#at(path, { ...normal, description: `${before}Not checked: ${names}.` });
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
    const alone = this.#unreadAlone(schema, path);
    const list = this.#withoutTuple(withEqualItems(withAnnotations(alone)), path);
    const effective = withMaps(withoutEffect(list));
    const named = withoutNever(withListedNames(withExcludedNames(effective), this.#definitions));
    const limited = withInclusiveLimits(withExclusiveLimits(withTypes(named)));
    const opened = this.#opened(this.#checked(limited, role, path), path);
    const typed = withInnerTypes(withObjectType(withDescribed(opened), this.#definitions));
    const result = this.#rewritten(this.#withoutSiblings(typed, path), role, path);
    return path === undefined || !isObject(result) ? result : this.#at(path, result);
  }

  /** Notes where a schema stands. A part of another definition may stand in several places. */
  #at(path: Path, schema: JsonObject): JsonObject {
    const own = { ...schema };
    this.origins.set(own, path);
    return own;
  }

  /** Drops the keywords that are ignored, and counts them. What depends on them accepts more values. */
  #checked(schema: JsonObject, role: Role, path: Path | undefined): JsonObject {
    const { rest, dropped } = this.#ignored.without(this.#withoutNot(schema, role, path));
    if (path !== undefined)
      for (const keyword of dropped.filter(isLimit)) {
        this.unchecked[keyword] = (this.unchecked[keyword] ?? 0) + 1;
        this.#own.add(keyword);
      }
    return rest;
  }

  /** Refuses a `not` without a form, unless it is ignored. */
  #withoutNot(schema: JsonObject, role: Role, path: Path | undefined): JsonObject {
    const isExclusion = role.endsWith("variant") && hasExclusion(schema);
    if (schema["not"] === undefined || isExclusion || this.#ignored.has("not")) return schema;
    const hint = "If it may be ignored: --allow-unknown-keywords not.";
    if (path !== undefined)
      this.#refuse([...path, "not"], '"not" has no form here', hint, { ignore: "not" });
    return without(schema, "not");
  }

  /** Drops keywords beside a reference that have no effect, and counts such references. */
  #withoutSiblings(schema: JsonObject, path: Path | undefined): JsonObject {
    const result = withoutSiblings(schema, this.#isEarlyDraft && !this.#readsSiblings);
    if (this.#isEarlyDraft && result !== schema && path !== undefined) this.siblings++;
    return result;
  }

  /** Drops keywords beside a reference that is not read, where they have no effect either. */
  #unreadAlone(schema: JsonObject, path: Path | undefined): JsonObject {
    if (schema[UNREAD] === undefined || !this.#isEarlyDraft) return schema;
    const limits = Object.keys(schema).filter((keyword) => keyword !== UNREAD && isLimit(keyword));
    if (limits.length === 0) return schema;
    if (path !== undefined) this.siblings++;
    return this.#readsSiblings ? schema : without(schema, ...limits);
  }

  #rewritten(schema: JsonObject, role: Role, path: Path | undefined): Json {
    const within =
      role === "part" ? role : schema["type"] === "object" ? "object variant" : "variant";
    const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => [
      keyword,
      this.#part(keyword, value!, within, path && [...path, keyword]),
    ]);
    const combined = withFlatParts(closeUnknownTags(Object.fromEntries(parts)));
    const one = withoutObjectType(
      this.#combinations.combine(combined, role.endsWith("variant"), path),
      this.#definitions,
    );
    const open = withoutEmpty(this.#typed(one, role, path));
    if (role === "part") return splitTypes(withItems(open));
    const complete = this.#listed(this.#required(withItems(open), path), path);
    const normal = splitTypes(complete, role === "definition");
    const named = withReferencedTags(withOneTagEach(normal), (name) =>
      this.#combinations.definition(name),
    );
    const flat = withFlatUnions(named);
    const tagged = withGroups(withTags(flat), this.#definitions);
    return role === "slot" || role.endsWith("variant")
      ? withNullLast(tagged, this.#definitions)
      : tagged;
  }

  /** Counts tuples, and reads them as lists; refuses them unless that is allowed. */
  #withoutTuple(schema: JsonObject, path: Path | undefined): JsonObject {
    const list = withAnyPlace(schema);
    if (list === schema || path === undefined) return list;
    this.tuples++;
    if (!this.#opensTuples)
      this.#refuse(
        [...path, Array.isArray(schema["items"]) ? "items" : "prefixItems"],
        "tuples have no form, since all items of a list have one type",
        "Write in items what any of them may be, or have it read like that with --allow opened-tuples.",
        { allow: "opened-tuples" },
      );
    return list;
  }

  /** Counts where an object is closed; opens it where that is asked for, or has no effect. */
  #opened(schema: JsonObject, path: Path | undefined): JsonObject {
    const closing = CLOSING.filter((keyword) => schema[keyword] === false);
    const isIgnored = (keyword: string): boolean =>
      keyword === "unevaluatedProperties" && this.#isEarlyDraft;
    if (path !== undefined) this.closed += closing.filter((one) => !isIgnored(one)).length;
    return without(schema, ...(this.#opens ? closing : closing.filter(isIgnored)));
  }

  /** Describes all required properties; refuses those that a closed object cannot have. */
  #required(schema: JsonObject, path: Path | undefined): JsonObject {
    const complete = withDescribedProperties(schema);
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
      return annotationsOf(rest);
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
    if (path !== undefined && !isKnown) this.implied++;
    if (path !== undefined && !isKnown && !this.#implies)
      this.#refuse(
        path,
        `"${keyword}" without "type" accepts every value of another type`,
        `Add "type": "${type}", or have it implied with --allow implied-types.`,
        { allow: "implied-types" },
      );
    return { ...schema, type };
  }

  #part(keyword: string, value: Json, within: Role, path: Path | undefined): Json {
    const inside = (one: Json, role: Role, key: string | number): Json =>
      this.normalize(one, role, path && [...path, key]);
    const isNamed = keyword === "properties" || keyword === "patternProperties";
    if (isNamed && isObject(value)) {
      const entries = Object.entries(keyword === "properties" ? value : withoutDefaults(value));
      return Object.fromEntries(entries.map(([name, one]) => [name, inside(one!, "slot", name)]));
    }
    if (keyword === "additionalProperties" && typeof value === "boolean") return value;
    const one = ONE[keyword];
    const list = COMBINING.includes(keyword) ? (keyword === "allOf" ? "part" : within) : undefined;
    if (one !== undefined) return this.normalize(withoutDefault(value), one, path);
    if (list === undefined || !Array.isArray(value)) return value;
    // An alternative that no value fits is none, where there are others.
    if (keyword === "allOf")
      return (value as readonly Json[]).map((part, at) => inside(part, list, at));
    const isOpen = value.some((part: Json) => !isNever(part));
    return (value as readonly Json[]).flatMap((part, index) =>
      isOpen && isNever(part) ? [] : [inside(withoutDefault(part), list, index)],
    );
  }
}
