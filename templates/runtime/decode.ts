import { codePointLength } from "./code-points.js";
import { isRecord } from "./messages.js";
import { readTagged, readUnion } from "./decode-union.js";
import { Flag, Op, type Field, type Node, type Slot } from "./shape-table.js";
import { INVALID, Walk, type Decoded, type DecodeError, type DecodeOptions } from "./walk.js";

/** What nothing was dropped from: one list for all. */
const NOTHING: readonly never[] = Object.freeze([]);

/**
 * Decodes a value as a lenient receiver must: it repairs what the schema marks
 * as repairable and says what it did. The input is never changed; it is
 * returned itself when nothing has to be repaired or completed.
 *
 * @param isClean a fast check for values that need no second look
 */
export function decode<T>(
  isClean: (value: unknown) => boolean,
  node: Node,
  value: unknown,
  options: DecodeOptions = {},
): Decoded<T> {
  if (passes(isClean, value)) return { ok: true, value: value as T, dropped: NOTHING };
  const walk = new Walk(options.unknown === "reject" ? "reject" : "keep", options.maxErrors);
  const result = read(node, value, walk);
  if (result === INVALID) return { ok: false, errors: walk.errors };
  return {
    ok: true,
    value: result as T,
    dropped: walk.dropped.length === 0 ? NOTHING : walk.dropped,
  };
}

/** Checks a value strictly: what the schema marks as repairable counts as wrong. */
export function check(
  isClean: (value: unknown) => boolean,
  node: Node,
  value: unknown,
  maxErrors?: number,
): readonly DecodeError[] {
  if (passes(isClean, value)) return NOTHING;
  const walk = new Walk("strict", maxErrors);
  return read(node, value, walk) === INVALID ? walk.errors : NOTHING;
}

/** Values nested without end may overflow the fast check; the slow one counts. */
function passes(isClean: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return isClean(value);
  } catch {
    return false;
  }
}

/** Reads a value by a node; gives what it decodes to, or `INVALID` after noting why. */
export function read(node: Node, value: unknown, walk: Walk): unknown {
  switch (node[0]) {
    case Op.Any:
      return value;
    case Op.Null:
      return value === null ? value : walk.fail("type", "null", value);
    case Op.Boolean:
      return typeof value === "boolean" ? value : walk.fail("type", "boolean", value);
    case Op.String:
      return readString(node, value, walk);
    case Op.Integer:
    case Op.Number:
      return readNumber(node, value, walk);
    case Op.Enum:
      return readEnum(node[1], node[2] === 1, value, walk);
    case Op.List:
      return readList(node, value, walk, false);
    case Op.Map:
      return readMap(node[1], value, walk);
    case Op.Object:
      return readFields(node[1], value, walk);
    case Op.Reference:
      return walk.nested(() => read(node[1](), value, walk), value);
    case Op.Tagged:
      return readTagged(node[1], value, walk);
    case Op.Union:
      return readUnion(node, value, walk);
    default:
      return node satisfies never;
  }
}

export function readSlot([node, nullable]: Slot, value: unknown, walk: Walk): unknown {
  return value === null && nullable === 1 ? null : read(node, value, walk);
}

function readString(
  [, min, max, pattern]: Extract<Node, { readonly 0: typeof Op.String }>,
  value: unknown,
  walk: Walk,
): unknown {
  if (typeof value !== "string") return walk.fail("type", "string", value);
  if (min !== undefined && codePointLength(value) < min)
    return walk.fail("minLength", `at least ${min} characters`, value);
  if (max !== undefined && codePointLength(value) > max)
    return walk.fail("maxLength", `at most ${max} characters`, value);
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
    return walk.fail("pattern", `text like ${pattern}`, value);
  return value;
}

function readNumber(
  [op, min, max]: Extract<Node, { readonly 0: typeof Op.Integer | typeof Op.Number }>,
  value: unknown,
  walk: Walk,
): unknown {
  const isInteger = op === Op.Integer;
  if (
    typeof value !== "number" ||
    !(isInteger ? Number.isInteger(value) : Number.isFinite(value))
  ) {
    return walk.fail("type", isInteger ? "integer" : "number", value);
  }
  if (min !== undefined && value < min) return walk.fail("minimum", `at least ${min}`, value);
  if (max !== undefined && value > max) return walk.fail("maximum", `at most ${max}`, value);
  if (isInteger && !Number.isSafeInteger(value))
    walk.note("unsafe-integer", "the integer has lost precision");
  return value;
}

function readEnum(
  values: readonly (string | number)[],
  open: boolean,
  value: unknown,
  walk: Walk,
): unknown {
  if ((values as readonly unknown[]).includes(value)) return value;
  const isText = typeof values[0] === "string";
  const fits = isText ? typeof value === "string" : Number.isInteger(value);
  if (!fits) return walk.fail("type", isText ? "string" : "integer", value);
  if (!open && !walk.keeps) return walk.fail("enum", `one of ${values.join(", ")}`, value);
  walk.note("unknown", `${JSON.stringify(value)} is not known`);
  return value;
}

/** @param skip whether invalid items are dropped */
function readList(
  [, items, min, max]: Extract<Node, { readonly 0: typeof Op.List }>,
  value: unknown,
  walk: Walk,
  skip: boolean,
): unknown {
  if (!Array.isArray(value)) return walk.fail("type", "array", value);
  if (min !== undefined && value.length < min)
    return walk.fail("minItems", `at least ${min} items`, value);
  if (max !== undefined && value.length > max)
    return walk.fail("maxItems", `at most ${max} items`, value);
  let out: unknown[] | undefined;
  let invalid = false;
  for (let index = 0; index < value.length; index++) {
    const item: unknown = value[index];
    const mark = walk.mark();
    walk.path.push(index);
    const result = readSlot(items, item, walk);
    if (result === INVALID) {
      if (skip) {
        walk.repair(mark, "skip-invalid-items");
        out ??= value.slice(0, index);
      } else invalid = true;
    } else if (out !== undefined) out.push(result);
    else if (result !== item) {
      out = value.slice(0, index);
      out.push(result);
    }
    walk.path.pop();
    if (invalid && walk.isFull) break;
  }
  return invalid ? INVALID : (out ?? value);
}

function readMap(values: Slot, value: unknown, walk: Walk): unknown {
  if (!isRecord(value)) return walk.fail("type", "object", value);
  let out: unknown = value;
  let invalid = false;
  for (const key of Object.keys(value)) {
    walk.path.push(key);
    const result = readSlot(values, value[key], walk);
    walk.path.pop();
    if (result === INVALID) invalid = true;
    else if (result !== value[key]) out = withProperty(out as object, value, key, result);
    if (invalid && walk.isFull) break;
  }
  return invalid ? INVALID : out;
}

/** Reads the known properties of an object; all others are kept as they are. */
export function readFields(fields: readonly Field[], value: unknown, walk: Walk): unknown {
  if (!isRecord(value)) return walk.fail("type", "object", value);
  let out: object = value;
  let invalid = false;
  for (const field of fields) {
    const [name] = field;
    const present = Object.hasOwn(value, name) ? value[name] : undefined;
    walk.path.push(name);
    const result = readField(field, present, walk);
    walk.path.pop();
    if (result === INVALID) invalid = true;
    else if (result !== present) out = withProperty(out, value, name, result);
    if (invalid && walk.isFull) break;
  }
  return invalid ? INVALID : out;
}

function readField([, node, flags, fallback]: Field, value: unknown, walk: Walk): unknown {
  const lenient = walk.mode !== "strict";
  if (value === undefined) {
    if (lenient && flags & Flag.HasDefault) return structuredClone(fallback);
    return flags & Flag.Required ? walk.fail("required", "a value", value) : undefined;
  }
  if (value === null && flags & Flag.Nullable) return null;
  if (value === null && lenient && flags & Flag.DefaultOnNull) {
    walk.note("default-on-null", "null stands for nothing");
    return node[0] === Op.List ? [] : {};
  }
  const mark = walk.mark();
  const skip = lenient && (flags & Flag.SkipInvalidItems) !== 0;
  const result = node[0] === Op.List ? readList(node, value, walk, skip) : read(node, value, walk);
  if (result !== INVALID || !lenient || !(flags & Flag.DefaultOnError)) return result;
  const isList = node[0] === Op.List && !(flags & Flag.Nullable);
  if (flags & Flag.Required && !isList && !(flags & Flag.HasDefault)) return INVALID;
  walk.repair(mark, "default-on-error");
  if (flags & Flag.HasDefault) return structuredClone(fallback);
  return isList || (node[0] === Op.List && value === null) ? [] : undefined;
}

/** Copies on the first change; a value of `undefined` removes the property. */
export function withProperty(out: object, original: object, name: string, value: unknown): object {
  const copy = out === original ? { ...original } : out;
  if (value === undefined) delete (copy as Record<string, unknown>)[name];
  else
    Object.defineProperty(copy, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return copy;
}
