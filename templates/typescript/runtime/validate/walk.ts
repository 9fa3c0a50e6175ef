import {
  DEFAULT_ON_ERROR,
  DEFAULT_ON_NULL,
  formOf,
  isReference,
  NULLABLE,
  REQUIRED,
  SKIP_INVALID_ITEMS,
  type Check,
  type CheckNode,
  type EnumNode,
  type FieldNode,
  type ListNode,
  type NumberNode,
  type ObjectNode,
  type StringNode,
} from "./check.js";
import type { NoteRule } from "./decode-result.js";
import { Diagnosis, trackedOf, writesItself, type TrackedValue } from "./diagnosis.js";
import { codePointLength, isCustom, passesFastCheck } from "./fast-checks.js";
import { render } from "./report-text.js";
import { diagnoseTagged, diagnoseUnion } from "./unions.js";

/** Walks a value and the nodes of its definition together. */
export class Walk extends Diagnosis {
  diagnose(node: CheckNode, value: unknown, skips = false): void {
    const form = formOf(node);
    switch (form[0]) {
      case "any":
        return;
      case "never":
        return this.reject("propertyNames", "no such property", value);
      case "null":
        return value === null ? undefined : this.reject("type", "null", value);
      case "boolean":
        return diagnoseBoolean(this, form[1], value);
      case "string":
        return diagnoseString(this, form, value);
      case "integer":
      case "number":
        return diagnoseNumber(this, form, value);
      case "enum":
        return diagnoseEnum(this, form, value);
      case "nullable":
        return value === null ? undefined : this.diagnose(form[1], value);
      case "list":
        return diagnoseList(this, form, value, skips);
      case "map":
        return this.#map(form[1], value);
      case "object":
        return this.#object(form, value);
      case "tagged": {
        const holder = this.#shared(form[4], requireObject(this, value));
        return holder && diagnoseTagged(this, form, holder);
      }
      case "union":
        // The alternatives of a valid value need not be tried.
        if (isReference(node) && this.#passes(node, value)) return;
        if (form[3]?.length && !this.#shared(form[3], requireObject(this, value))) return;
        return diagnoseUnion(this, form, value);
      default:
        return form satisfies never;
    }
  }

  isValid(node: CheckNode, value: unknown): boolean {
    const walk = new Walk("strict", 0);
    walk.run(node, value);
    return walk.failures === 0;
  }

  #passes({ is, isThorough }: Check, value: unknown): boolean {
    if (isThorough || this.readsAllParts()) return false;
    return passesFastCheck(trackedOf(value)?.source ?? value, is);
  }

  #map(values: CheckNode, value: unknown): void {
    const holder = requireObject(this, value);
    if (holder === undefined || formOf(values)[0] === "any") return;
    for (const key of Object.keys(holder.source)) this.diagnose(values, this.read(holder, key));
  }

  #object(node: ObjectNode, value: unknown): void {
    const [, fields = [], isExtensible, isClosed, patterns, others] = node;
    const holder = requireObject(this, value);
    if (holder === undefined) return;
    if (isExtensible) holder.isOpen = true;
    // Nothing is declared, which differs from an object that accepts everything.
    else if (fields.length === 0 && !isClosed) holder.get("");
    this.#shared(fields, holder);
    if (isClosed || patterns || others) diagnoseOthers(this, holder, node);
  }

  #shared(fields: readonly FieldNode[] = [], holder?: TrackedValue): TrackedValue | undefined {
    if (holder !== undefined) for (const field of fields) diagnoseField(this, holder, field);
    return holder;
  }
}

/** Returns an object, whose properties can be diagnosed; reports any other value. */
function requireObject(diagnosis: Diagnosis, value: unknown): TrackedValue | undefined {
  const tracked = trackedOf(value);
  if (tracked === undefined || Array.isArray(tracked.source)) {
    diagnosis.reject("type", "object", value);
    return undefined;
  }
  return writesOther(diagnosis, tracked) ? undefined : tracked;
}

/** Refuses to send an object or a list with `toJSON`, which would write something unchecked. */
function writesOther(diagnosis: Diagnosis, value: TrackedValue): boolean {
  if (diagnosis.mode !== "send" || !writesItself(value.source)) return false;
  diagnosis.reject("json", "a value without toJSON", value);
  return true;
}

/**
 * Diagnoses the items of a list. Those that pass a fast check are not read.
 *
 * @param skips whether invalid items are removed
 */
function diagnoseList(
  diagnosis: Diagnosis,
  [, items, min, max]: ListNode,
  value: unknown,
  skips: boolean,
): void {
  const holder = trackedOf(value);
  if (!Array.isArray(holder?.source)) return diagnosis.reject("type", "array", value);
  if (writesOther(diagnosis, holder)) return;
  const source: readonly unknown[] = holder.source;
  const { length } = source;
  within(diagnosis, value, length, min, max, "Items");
  const is = isReference(items) && !items.isThorough ? items.is : undefined;
  const passes = diagnosis.readsAllParts() ? undefined : is;
  let kept = length;
  for (let index = 0; index < length; index++) {
    if (passes !== undefined && passesFastCheck(source[index], passes)) continue;
    const item = diagnosis.read(holder, `${index}`);
    if (!skips) diagnosis.diagnose(items, item);
    else if (repair(diagnosis, items, item, "skip-invalid-items")) kept--;
  }
  if (min != null && kept < min && length >= min)
    diagnosis.reject("minItems", `minItems ${min} without the invalid items`, value);
}

/**
 * Diagnoses a property. Applies the decode flags in the order in which the schema's `x-decode`
 * defines them: default for absent values, null, then repair of invalid values.
 */
function diagnoseField(
  diagnosis: Diagnosis,
  holder: TrackedValue,
  [name, node, flags = 0, ...fallbacks]: FieldNode,
): void {
  const value = holder.get(name);
  const isRequired = (flags & REQUIRED) !== 0;
  const [fallback] = fallbacks;
  const hasDefault = fallbacks.length > 0;
  const form = formOf(node);
  if (form[0] === "any" && !hasDefault) {
    if (isRequired) requirePresent(diagnosis, value);
    return;
  }
  if (flags === REQUIRED && !hasDefault && !acceptsUndefined(node))
    return diagnosis.diagnose(node, value);
  const { repairs } = diagnosis;
  const completes = repairs && hasDefault;
  if (value === undefined) {
    if (completes) holder.change(name, copyOf(fallback));
    else if (isRequired) requirePresent(diagnosis, value);
    return;
  }
  const isNullable = (flags & NULLABLE) !== 0;
  if (value === null && isNullable) return;
  // A list of its own definition is emptied like any other value.
  const least = form === node && form[0] === "list" ? (form[2] ?? 0) : undefined;
  if (value === null && repairs && flags & DEFAULT_ON_NULL) {
    const empty = least === undefined ? {} : [];
    if (diagnosis.isValid(node, empty)) {
      holder.change(name, empty);
      return diagnosis.note("default-on-null", "null counts as empty");
    }
  }
  const skips = repairs && (flags & SKIP_INVALID_ITEMS) !== 0;
  const isEmptied = least === 0 && !isNullable;
  const isRepairable = completes || isEmptied || !isRequired;
  if (!repairs || !(flags & DEFAULT_ON_ERROR) || !isRepairable)
    return diagnosis.diagnose(node, value, skips);
  const replacement = completes ? copyOf(fallback) : isEmptied ? [] : undefined;
  repair(diagnosis, node, value, "default-on-error", replacement, skips);
}

/** Diagnoses the properties that an object does not describe; reports those of a closed one. */
function diagnoseOthers(
  diagnosis: Diagnosis,
  holder: TrackedValue,
  [, , , isClosed, patterns = [], others]: ObjectNode,
): void {
  const declared = new Set(holder.declared);
  for (const [name, value] of Object.entries(holder.source)) {
    if (declared.has(name) || value === undefined) continue;
    const like = patterns.filter(([pattern]) => new RegExp(pattern, "u").test(name));
    for (const [, node] of like) diagnosis.diagnose(node, diagnosis.read(holder, name));
    if (like.length > 0) continue;
    if (others) diagnosis.diagnose(others, diagnosis.read(holder, name));
    if (!isClosed) continue;
    diagnosis.moveTo(holder, name);
    if (diagnosis.keepsUnknown(holder.source))
      diagnosis.note("unknown", "the property is not known");
    else diagnosis.reject("undeclared", "only declared properties", value);
  }
}

function requirePresent(diagnosis: Diagnosis, value: unknown): void {
  if (value === undefined) diagnosis.reject("required", "a value", value);
}

/** Returns whether undefined would pass the check of a node. */
function acceptsUndefined(node: CheckNode, seen: readonly CheckNode[] = []): boolean {
  if (seen.includes(node)) return false;
  const form = formOf(node);
  if (form[0] === "nullable") return acceptsUndefined(form[1], [...seen, node]);
  if (form[0] !== "union") return form[0] === "any";
  return form[2].some((inner) => acceptsUndefined(inner, [...seen, node]));
}

/**
 * Diagnoses the value that was read last; replaces or removes it when it is invalid, and reports
 * that. Returns whether it was invalid.
 */
function repair(
  diagnosis: Diagnosis,
  node: CheckNode,
  value: unknown,
  rule: NoteRule,
  replacement?: unknown,
  skips?: boolean,
): boolean {
  const { holder, key } = diagnosis;
  const errors = diagnosis.attempt(node, value, false, skips);
  if (errors === undefined) return false;
  holder.change(key, replacement);
  diagnosis.moveTo(holder, key);
  const [first] = errors;
  diagnosis.note(rule, first ? `expected ${first.expected} at ${first.pointer}` : "invalid");
  return true;
}

/** Returns a copy of a JSON value. */
function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function diagnoseBoolean(
  diagnosis: Diagnosis,
  values: readonly boolean[] | undefined,
  value: unknown,
): void {
  if (typeof value !== "boolean") return diagnosis.reject("type", "boolean", value);
  if (values?.includes(value) === false) diagnosis.reject("enum", values.join(", "), value);
}

function diagnoseString(
  diagnosis: Diagnosis,
  [, min, max, pattern]: StringNode,
  value: unknown,
): void {
  if (typeof value !== "string") return diagnosis.reject("type", "string", value);
  if (min != null || max != null)
    within(diagnosis, value, codePointLength(value), min, max, "Length");
  if (pattern != null && !new RegExp(pattern, "u").test(value))
    diagnosis.reject("pattern", `pattern ${pattern}`, value);
}

function diagnoseNumber(
  diagnosis: Diagnosis,
  [kind, min, max, above, below]: NumberNode,
  value: unknown,
): void {
  if (!Number.isFinite(value) || (kind === "integer" && !Number.isInteger(value)))
    return diagnosis.reject("type", kind, value);
  if (kind === "integer" && !Number.isSafeInteger(value))
    diagnosis.note("unsafe-integer", "the integer has lost precision");
  within(diagnosis, value, value as number, min, max, "imum");
  if (above != null && (value as number) <= above)
    diagnosis.reject("exclusiveMinimum", `more than ${above}`, value);
  if (below != null && (value as number) >= below)
    diagnosis.reject("exclusiveMaximum", `less than ${below}`, value);
}

/** Rejects a size outside the limits, by the rule `minimum`, `maxLength` and so on. */
function within(
  diagnosis: Diagnosis,
  value: unknown,
  size: number,
  min: number | null | undefined,
  max: number | null | undefined,
  what: string,
): void {
  if (min != null && size < min) diagnosis.reject(`min${what}`, `min${what} ${min}`, value);
  if (max != null && size > max) diagnosis.reject(`max${what}`, `max${what} ${max}`, value);
}

/** Diagnoses one of a list of strings or integers; open lists and lenient decoding accept others. */
function diagnoseEnum(
  diagnosis: Diagnosis,
  [, type, values, isOpen]: EnumNode,
  value: unknown,
): void {
  if ((values as readonly unknown[]).includes(value)) return;
  if (type === "string" ? typeof value !== "string" : !Number.isInteger(value))
    return diagnosis.reject("type", type, value);
  if (isOpen && isCustom(value)) return;
  const { source } = diagnosis.holder;
  const isKept = isOpen
    ? type === "integer" || diagnosis.allowsReserved(source)
    : diagnosis.keepsUnknown(source);
  const others = isOpen ? ', or a name that begins with "_"' : "";
  if (!isKept) return diagnosis.reject("enum", `one of ${values.join(", ")}${others}`, value);
  diagnosis.note("unknown", `${render(value)} is not known`);
}
