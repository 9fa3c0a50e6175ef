import { namedVariants, type Difference } from "./diff.js";
import { isObject, type Json, type JsonSchema } from "../json-schema/json.js";
import { KEYWORDS } from "../json-schema/keywords.js";
import { tagName, variantsOf } from "../json-schema/variants.js";
import { parsePointer } from "../problem.js";
import { SubsetCheck } from "./subset.js";

/**
 * The effect of a change on someone who stays with the old schema while the peer
 * follows the new one, or who updates their code; the worst first.
 *
 * - `wire-breaking`: what they send is refused
 * - `decode-breaking`: what they receive does not fit
 * - `type-breaking`: messages still work, but code that is updated must be edited
 * - `safe`: has no effect
 */
export const IMPACTS = ["wire-breaking", "decode-breaking", "type-breaking", "safe"] as const;
export type Impact = (typeof IMPACTS)[number];

/** A change as it meets those who send such values and those who receive them. */
export interface Impacts {
  readonly sender: Impact;
  readonly receiver: Impact;
}

/** Has no effect. */
export const SAFE: Impacts = { sender: "safe", receiver: "safe" };
/** Changes programs, not messages. */
export const TYPES: Impacts = { sender: "type-breaking", receiver: "type-breaking" };
/** Messages are refused. */
export const WIRE: Impacts = { sender: "wire-breaking", receiver: "wire-breaking" };

/** Annotations, and what follows from other keywords: no value fits or fails because of them. */
const UNCHECKED = ["format", "contentEncoding", "discriminator", "default", "not"];

/** The schemas that are compared. */
export interface Compared {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
}

/** Classifies one difference of two published schemas. */
export function classifyDifference(difference: Difference, schemas: Compared): Impacts {
  const [area, name, ...path] = parsePointer(difference.pointer);
  if (area !== "$defs") return ofRoot(difference);
  const [before, after] = [schemas.before.$defs?.[name!], schemas.after.$defs?.[name!]];
  if (before?.["x-docs-ignore"]) {
    // The envelopes follow from the methods, whose own changes are reported.
    return difference.kind === "added" || path.length > 0 ? SAFE : TYPES;
  }
  if (before === undefined || after === undefined) return ofDefinition(difference);
  const place = findPlace(path, { before, after });
  switch (place.keyword) {
    case undefined:
      return difference.kind === "renamed" ? TYPES : ofValues(place, schemas);
    case "property":
      return ofProperty(difference, place, schemas);
    case "variant":
      return ofVariant(difference, place, schemas);
    case "anyOf":
    case "oneOf":
      return ofUnion(place, schemas);
    case "required":
      return ofRequired(difference, ofValues(place, schemas));
    case "title":
      return TYPES;
    case "x-method":
    case "x-side":
      return WIRE;
    case "order":
      return { sender: "safe", receiver: isTagged(place.before) ? "safe" : "decode-breaking" };
  }
  if (UNCHECKED.includes(place.keyword)) return SAFE;
  if (KEYWORDS[place.keyword] !== "decode")
    return place.keyword.startsWith("x-") ? SAFE : ofValues(place, schemas);
  return { sender: difference.kind === "removed" ? "wire-breaking" : "safe", receiver: "safe" };
}

/** The worse of two. */
export function worst(a: Impact, b: Impact): Impact {
  return IMPACTS.indexOf(a) < IMPACTS.indexOf(b) ? a : b;
}

/** The worst of all for each side. */
export function worstOf(all: readonly Impacts[]): Impacts {
  return {
    sender: all.map(({ sender }) => sender).reduce(worst, "safe"),
    receiver: all.map(({ receiver }) => receiver).reduce(worst, "safe"),
  };
}

/** A variant of the root is a kind of message, e.g. a batch; a new one is optional to send. */
function ofRoot({ kind, pointer }: Difference): Impacts {
  return kind === "removed" && pointer.includes("/variants/") ? WIRE : SAFE;
}

function ofDefinition({ kind, before }: Difference): Impacts {
  if (kind === "added") return SAFE;
  if (kind === "renamed") return TYPES;
  // Without its message, a method cannot be called any more.
  return isObject(before) && before["x-method"] !== undefined ? WIRE : TYPES;
}

function ofProperty({ kind }: Difference, place: Place, schemas: Compared): Impacts {
  if (kind === "added") return SAFE;
  return kind === "removed" ? TYPES : ofValues(place, schemas);
}

function ofVariant({ kind }: Difference, place: Place, schemas: Compared): Impacts {
  const impacts = ofValues(place, schemas);
  if (kind !== "removed") return impacts;
  return { sender: worst(impacts.sender, "type-breaking"), receiver: "type-breaking" };
}

/** A union under another keyword: a variant that goes breaks code, as it does under the same one. */
function ofUnion(place: Place, schemas: Compared): Impacts {
  const impacts = ofValues(place, schemas);
  const [old, current] = [place.before, place.after].map(variantsOf).map(namedVariants);
  if ([...old!.keys()].every((name) => current!.has(name)) || current!.size === 0) return impacts;
  return {
    sender: worst(impacts.sender, "type-breaking"),
    receiver: worst(impacts.receiver, "type-breaking"),
  };
}

/** Compares the values that are allowed at a place: old senders, and what old receivers may get. */
function ofValues(place: Place, { before, after }: Compared): Impacts {
  const [old, current] = [before.$defs ?? {}, after.$defs ?? {}];
  const isAccepted = new SubsetCheck(old, current).accepts(place.before, place.after);
  const isUnderstood = new SubsetCheck(current, old).accepts(place.after, place.before);
  return {
    sender: isAccepted ? "safe" : "wire-breaking",
    receiver: isUnderstood ? "safe" : "decode-breaking",
  };
}

/** A property that has to be there now fails old senders; one that may be absent, old receivers. */
function ofRequired(difference: Difference, { sender, receiver }: Impacts): Impacts {
  const [before, after] = [names(difference.before), names(difference.after)];
  const gained = after.some((name) => !before.includes(name));
  const lost = before.some((name) => !after.includes(name));
  return { sender: gained ? sender : "safe", receiver: lost ? receiver : "safe" };
}

/** The innermost schema that a difference is in, and the keyword there. */
interface Place extends Compared {
  /** `property` or `variant` for one that was added or removed; absent for the whole schema. */
  readonly keyword?: string;
}

/** Keywords whose value is one schema. */
const WHOLE = ["items", "additionalProperties"];

function findPlace(path: readonly string[], { before, after }: Compared): Place {
  const [keyword, ...rest] = path;
  if (keyword === undefined) return { before, after };
  const isUnion = (keyword === "anyOf" || keyword === "oneOf") && rest[0] === "variants";
  if (isUnion && rest.length === 2) return { before, after, keyword: "variant" };
  const isProperty = keyword === "properties" && rest.length === 1;
  if (isProperty) return { before, after, keyword: "property" };
  if (rest[0] === "order") return { before, after, keyword: "order" };
  const [start, length] = isUnion ? [rest[1]!, 3] : [rest[0]!, WHOLE.includes(keyword) ? 1 : 2];
  const child = childOf(before, keyword, start);
  const other = childOf(after, keyword, start);
  if (child === undefined || other === undefined) return { before, after, keyword };
  return findPlace(path.slice(length), { before: child, after: other });
}

function childOf(schema: JsonSchema, keyword: string, name: string): JsonSchema | undefined {
  switch (keyword) {
    case "properties":
      return schema.properties?.[name];
    case "items":
    case "additionalProperties":
      return typeof schema[keyword] === "object" ? schema[keyword] : undefined;
    case "anyOf":
    case "oneOf":
      return namedVariants(schema[keyword] ?? []).get(name);
    case "allOf":
      return schema.allOf?.[Number(name)];
    default:
      return undefined;
  }
}

function isTagged(schema: JsonSchema): boolean {
  return tagName(schema) !== undefined;
}

function names(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [];
}
