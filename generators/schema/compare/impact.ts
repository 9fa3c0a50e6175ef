import type { Difference } from "./diff.js";
import { isObject, type Json, type JsonSchema } from "../json-schema/json.js";
import { KEYWORDS } from "../json-schema/keywords.js";
import { tagName, tagOf, variantsOf } from "../json-schema/variants.js";

/**
 * What a change does to someone who stays with the old schema while the peer
 * follows the new one, or who updates their code; the worst first.
 *
 * - `wire-breaking`: what they send is refused
 * - `decode-breaking`: what they receive does not fit
 * - `type-breaking`: messages still work, but their code has to be edited
 * - `safe`: has no effect
 */
export const IMPACTS = ["wire-breaking", "decode-breaking", "type-breaking", "safe"] as const;
export type Impact = (typeof IMPACTS)[number];

/** A change as it meets those who send such values and those who receive them. */
export interface Impacts {
  readonly sender: Impact;
  readonly receiver: Impact;
}

const SAFE: Impacts = { sender: "safe", receiver: "safe" };
const TYPES: Impacts = { sender: "type-breaking", receiver: "type-breaking" };
const WIRE: Impacts = { sender: "wire-breaking", receiver: "wire-breaking" };
/** Less is allowed than before: old senders may still send it. */
const NARROWED: Impacts = { sender: "wire-breaking", receiver: "safe" };
/** More is allowed than before: old receivers may get it. */
const WIDENED: Impacts = { sender: "safe", receiver: "decode-breaking" };

/** Keywords that limit a value: a higher one allows less, or more. */
const LIMITS: { readonly [keyword: string]: "narrows" | "widens" } = {
  minimum: "narrows",
  minLength: "narrows",
  minItems: "narrows",
  maximum: "widens",
  maxLength: "widens",
  maxItems: "widens",
};

/** Annotations, and what follows from other keywords: no value fits or fails because of them. */
const UNCHECKED = ["format", "contentEncoding", "discriminator", "x-docs-ignore"];

/**
 * Classifies one difference.
 *
 * @param definition the definition that it is in, before the change; absent for the root or a new one
 */
export function classify(difference: Difference, definition: JsonSchema = {}): Impacts {
  const [area, , ...path] = difference.pointer.split("/").slice(1);
  if (area !== "$defs" || definition["x-docs-ignore"]) {
    // The envelopes follow from the methods, whose own changes are reported.
    return difference.kind === "added" || area !== "$defs" || path.length > 0 ? SAFE : TYPES;
  }
  if (path.length === 0) return wholeDefinition(difference);
  const last = path.at(-1)!;
  if (path.at(-2) === "variants") return ofVariant(difference, definition);
  if (path.at(-2) === "properties") return difference.kind === "added" ? SAFE : TYPES;
  if (path.includes("default") || path.includes("not")) return SAFE;
  const { before, after } = difference;
  if (last === "required") return ofRequired(names(before), names(after));
  if (last === "enum") return ofSets(names(before), names(after), isOpen(definition));
  if (last === "type") return ofSets(types(before), types(after), false);
  if (last === "order")
    return { sender: "safe", receiver: tagged(definition) ? "safe" : "decode-breaking" };
  if (last === "title") return TYPES;
  if (LIMITS[last] !== undefined) return ofLimit(LIMITS[last], before, after);
  if (KEYWORDS[last] === "decode") return difference.kind === "removed" ? NARROWED : SAFE;
  return UNCHECKED.includes(last) ? SAFE : WIRE;
}

/** The worse of two. */
export function worst(a: Impact, b: Impact): Impact {
  return IMPACTS.indexOf(a) < IMPACTS.indexOf(b) ? a : b;
}

function wholeDefinition({ kind, before }: Difference): Impacts {
  if (kind === "added") return SAFE;
  if (kind === "renamed") return TYPES;
  // Without its message, a method cannot be called any more.
  return isObject(before) && before["x-method"] !== undefined ? WIRE : TYPES;
}

function ofVariant({ kind }: Difference, definition: JsonSchema): Impacts {
  if (kind === "changed") return WIRE;
  if (isOpen(definition)) return kind === "added" ? SAFE : TYPES;
  if (kind === "added") return WIDENED;
  return { sender: "wire-breaking", receiver: "type-breaking" };
}

/** A property that has to be there now fails old senders; one that may be absent, old receivers. */
function ofRequired(before: readonly string[], after: readonly string[]): Impacts {
  const gained = after.some((name) => !before.includes(name));
  const lost = before.some((name) => !after.includes(name));
  return {
    sender: gained ? "wire-breaking" : "safe",
    receiver: lost ? "decode-breaking" : "safe",
  };
}

function ofSets(before: readonly string[], after: readonly string[], open: boolean): Impacts {
  if (open) return SAFE;
  // Without the keyword, anything is allowed.
  const narrows = before.length === 0 || before.some((value) => !after.includes(value));
  const widens = after.length === 0 || after.some((value) => !before.includes(value));
  const isNarrowed = narrows && after.length > 0;
  const isWidened = widens && before.length > 0;
  return {
    sender: isNarrowed ? "wire-breaking" : "safe",
    receiver: isWidened ? "decode-breaking" : "safe",
  };
}

function ofLimit(
  direction: "narrows" | "widens",
  before: Json | undefined,
  after: Json | undefined,
): Impacts {
  if (before === undefined) return NARROWED;
  if (after === undefined) return WIDENED;
  const isHigher = Number(after) > Number(before);
  return isHigher === (direction === "narrows") ? NARROWED : WIDENED;
}

/** Checks whether a union or enumeration accepts values that it does not name. */
function isOpen(definition: JsonSchema): boolean {
  const variants = variantsOf(definition);
  return variants.some((variant) => variant.const === undefined && tagOf(variant) === undefined);
}

function tagged(definition: JsonSchema): boolean {
  return tagName(definition) !== undefined;
}

function names(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [];
}

/** An integer is a number as well. */
function types(value: Json | undefined): readonly string[] {
  const list = value === undefined ? [] : [value].flat().map(String);
  return list.includes("number") ? [...list, "integer"] : list;
}
