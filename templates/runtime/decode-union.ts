import { isRecord } from "./messages.js";
import { read, readFields, readSlot, withProperty } from "./decode.js";
import { Op, type Field, type Node, type Slot, type Tagged } from "./shape-table.js";
import { INVALID, type DecodeError, type Walk } from "./walk.js";

/** Reads a union by its tag; errors are those of the chosen variant. */
export function readTagged(union: Tagged, value: unknown, walk: Walk): unknown {
  if (!isRecord(value)) return walk.fail("type", "object", value);
  const { tag, variants, open, fallback, absent } = union;
  const found = Object.hasOwn(value, tag) ? value[tag] : undefined;
  if (typeof found === "string") {
    if (Object.hasOwn(variants, found)) return readKnown(union, variants[found]!, value, walk);
    if (fallback !== undefined) return readVariant(fallback, union.shared, value, walk);
    if (open === undefined && !walk.keeps) {
      return failAt(tag, "enum", `one of ${Object.keys(variants).join(", ")}`, found, walk);
    }
    const result = open === undefined ? value : readVariant(open, union.shared, value, walk);
    if (result !== INVALID) noteAt(tag, `${JSON.stringify(found)} is not known`, walk);
    return result;
  }
  if (found === undefined || found === null) {
    const other = absent ?? fallback;
    if (other !== undefined) return readVariant(other, union.shared, value, walk);
    return failAt(tag, found === null ? "type" : "required", "string", found, walk);
  }
  if (absent !== undefined && union.lenientTag === 1 && walk.mode !== "strict") {
    const mark = walk.mark();
    failAt(tag, "type", "string", found, walk);
    walk.path.push(tag);
    walk.repair(mark, "default-on-error");
    walk.path.pop();
    return readVariant(absent, union.shared, withProperty(value, value, tag, undefined), walk);
  }
  if (fallback !== undefined) return readVariant(fallback, union.shared, value, walk);
  return failAt(tag, "type", "string", found, walk);
}

/** Where objects without a listed tag are valid, one whose variant does not fit may still be one of them. */
function readKnown(union: Tagged, body: Node, value: object, walk: Walk): unknown {
  const mark = walk.mark();
  const result = readVariant(body, union.shared, value, walk);
  if (result !== INVALID || union.fallback === undefined) return result;
  const errors = walk.rollback(mark);
  const other = readVariant(union.fallback, union.shared, value, walk);
  if (other !== INVALID) return other;
  walk.rollback(mark);
  walk.errors.push(...errors);
  return INVALID;
}

function readVariant(body: Node, shared: readonly Field[], value: unknown, walk: Walk): unknown {
  const outer = shared.length === 0 ? value : readFields(shared, value, walk);
  const inner = read(body, outer === INVALID ? value : outer, walk);
  return outer === INVALID ? INVALID : inner;
}

/**
 * Reads a union without a tag: the first variant that fits as it stands, else
 * the first that fits leniently.
 */
export function readUnion(
  [, variants, exclusive, shared]: Extract<Node, { readonly 0: typeof Op.Union }>,
  value: unknown,
  walk: Walk,
): unknown {
  const base = shared.length === 0 ? value : readFields(shared, value, walk);
  if (base === INVALID) return INVALID;
  const { mode } = walk;
  const mark = walk.mark();
  const fits = (variant: Slot, as: Walk["mode"]): boolean => {
    walk.mode = as;
    const result = readSlot(variant, base, walk);
    walk.mode = mode;
    walk.rollback(mark);
    return result !== INVALID;
  };
  let fitting = variants.filter((variant) => fits(variant, "strict"));
  if (fitting.length === 0 && mode !== "strict")
    fitting = variants.filter((variant) => fits(variant, mode));
  if (exclusive === 1 && fitting.length > 1)
    return walk.fail("oneOf", "exactly one of the alternatives", value);
  const [chosen] = fitting;
  if (chosen !== undefined) return readSlot(chosen, base, walk);
  return failUnion(variants, base, walk);
}

/** The errors of the variant that is meant, when its type alone tells; else one for all. */
function failUnion(variants: readonly Slot[], value: unknown, walk: Walk): unknown {
  const mark = walk.mark();
  const here = walk.pointer();
  const reports = variants.map((variant): DecodeError[] => {
    readSlot(variant, value, walk);
    return walk.rollback(mark);
  });
  const inside = reports.filter(
    ([first]) => first !== undefined && first.path !== here && first.rule !== "required",
  );
  const expected = [...new Set(reports.flatMap(([first]) => first?.expected ?? []))].join(" or ");
  if (inside.length === 1) walk.errors.push(...inside[0]!);
  else if (reports.length === 1) walk.errors.push(...reports[0]!);
  else walk.fail("anyOf", expected === "" ? "one of the alternatives" : expected, value);
  return INVALID;
}

function failAt(
  tag: string,
  rule: string,
  expected: string,
  value: unknown,
  walk: Walk,
): typeof INVALID {
  walk.path.push(tag);
  walk.fail(rule, expected, value);
  walk.path.pop();
  return INVALID;
}

function noteAt(tag: string, reason: string, walk: Walk): void {
  walk.path.push(tag);
  walk.note("unknown", reason);
  walk.path.pop();
}
