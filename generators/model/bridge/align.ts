import { jsonPointer } from "../../schema/problem.js";
import type { ListShape, Shape, UnionShape } from "../shape.js";
import { alignFields } from "./align-fields.js";
import { alignTagged } from "./align-tagged.js";
import { alignValues, limitOf, narrowerLimits } from "./align-values.js";
import { checkCovers, computed } from "./computed.js";
import {
  coverReferences,
  refuse,
  resolvePlain,
  type Align,
  type Context,
  type Pair,
  type Place,
} from "./context.js";
import { fieldNames, namesOf, withoutForeign } from "./foreign.js";
import { valueForm } from "./forms.js";
import type { FirstRule, ConversionRule } from "./rules.js";

/** Finds the rule of two shapes; undefined when every value can be kept. */
export const align: Align = (context, given, wanted, at) => {
  const from = onlyVariant(resolvePlain(given, context.from));
  const to = onlyVariant(resolvePlain(wanted, context.to));
  if (given.kind === "reference" && from !== given) context.covered.add(given.name);
  if (to.kind === "any" || acceptsAny(from, to, context)) {
    coverReferences(context, from);
    return undefined;
  }
  if (from.kind === "reference" && to.kind === "reference")
    return { row: pairOf(context, from.name, to.name, at) };
  if (from.kind === "reference") {
    context.covered.add(from.name);
    return align(context, context.from.get(from.name)!.shape, to, at);
  }
  if (to.kind === "reference") return align(context, from, context.to.get(to.name)!.shape, at);
  if (from.kind === "scalar" && to.kind === "scalar" && from.type === to.type)
    return limitOf(context, at, narrowerLimits(from, to));
  if (from.kind === "enum" && to.kind === "scalar" && from.type === to.type) return undefined;
  if (from.kind === "enum" && to.kind === "enum") return alignValues(context, from, to, at);
  if (from.kind === "list" && to.kind === "list") return alignLists(context, from, to, at);
  if (from.kind === "map" && to.kind === "map") {
    const rule = align(context, from.values.shape, to.values.shape, at);
    return rule && { map: rule };
  }
  if (from.kind === "object" && to.kind === "object")
    return alignFields(context, from.fields, to.fields, at, align);
  if (from.kind === "tagged" && to.kind === "tagged")
    return alignTagged(context, from, to, at, align);
  if (from.kind === "union" && to.kind === "union") return alignUnions(context, from, to, at);
  if (from.kind === "null" && to.kind === "null") return undefined;
  refuse(
    context,
    at.pair,
    `${at.label} is ${from.kind} there and ${to.kind} in the other version`,
    "Give the pair a computation.",
  );
  return undefined;
};

/** Finds the rule of a pair of definitions, once. Returns the name of the pair. */
export function pairOf(context: Context, from: string, to: string, at?: Place): string {
  const [key, other] = context.direction === "toV2" ? [from, to] : [to, from];
  if (context.rows.has(key)) return key;
  context.rows.set(key, undefined);
  context.covered.add(from);
  const entry = context.source.definitions.get(key);
  const pair: Pair = {
    key,
    from: context.from.get(from)!,
    to: context.to.get(to)!,
    ...(entry && { entry }),
  };
  const isPaired =
    (entry?.entry.v2 ?? key) === other &&
    (entry?.entry.only ?? context.direction) === context.direction;
  if (!isPaired) {
    refuse(
      context,
      at?.pair ?? pair,
      `${at?.label ?? from} is a ${from}, and a ${to} in the other version`,
      `Pair them in schema/bridge: "${key}": { "v2": "${other}" }.`,
    );
    return key;
  }
  const path = ["definitions", key];
  if (entry !== undefined) context.used.add(jsonPointer(path));
  const cases = entry?.entry[context.direction];
  context.rows.set(key, ruleOf(context, pair, { pair, path, label: key, ...(cases && { cases }) }));
  return key;
}

function ruleOf(context: Context, pair: Pair, at: Place): ConversionRule | undefined {
  const { from, to, entry } = pair;
  const { compute, covers, wrap } = entry?.entry ?? {};
  const name = compute?.[context.direction];
  if (name !== undefined) {
    const { v1 = [], v2 = [] } = covers ?? {};
    const [own, other] = context.direction === "toV2" ? [v1, v2] : [v2, v1];
    checkCovers(context, pair, own);
    return withoutForeign(context, computed(context, name, at), other, own);
  }
  if (wrap === undefined) return align(context, from.shape, to.shape, at);
  const [outer, inner] =
    context.direction === "toV2" ? [to.shape, from.shape] : [from.shape, to.shape];
  if (outer.kind !== "tagged") {
    refuse(context, pair, "only a union with a tag can wrap", "Remove the entry.");
    return undefined;
  }
  const body = outer.variants.find(({ value }) => value === wrap.value)!.body;
  if (context.direction === "toV1")
    return alignTagged(
      context,
      outer,
      {
        kind: "tagged",
        tag: wrap.tag,
        variants: [],
        shared: [],
        fallback: { title: wrap.value, description: "", body: inner },
      },
      at,
      align,
    );
  const rule = align(context, inner, body, at);
  return { wrap, rule: withoutForeign(context, rule, [wrap.tag], [])! };
}

function alignLists(
  context: Context,
  from: ListShape,
  to: ListShape,
  at: Place,
): ConversionRule | undefined {
  const { cases: _, ...place } = at;
  const items = align(context, from.items.shape, to.items.shape, place);
  // Without the variants that only version 2 has, a list can become too short.
  const losesItems = items !== undefined && context.direction === "toV1";
  const isShorter = losesItems || (to.minItems ?? 0) > (from.minItems ?? 0);
  const least = isShorter ? to.minItems : undefined;
  const most = (to.maxItems ?? Infinity) < (from.maxItems ?? Infinity) ? to.maxItems : undefined;
  return limitOf(context, at, { least, most }, items && { list: items });
}

function alignUnions(
  context: Context,
  from: UnionShape,
  to: UnionShape,
  at: Place,
): ConversionRule | undefined {
  const first = from.variants.map(({ name, slot }) => {
    const other = to.variants.find((variant) => variant.name === name);
    if (other === undefined)
      refuse(
        context,
        at.pair,
        `the alternative ${name} has no counterpart`,
        "Give the pair a computation.",
      );
    const aligned = other && align(context, slot.shape, other.slot.shape, at);
    // Where only one alternative may fit, the properties of others are left out.
    const known = [...fieldNames(from.shared), ...namesOf(slot.shape, context.from)];
    const rule = withoutForeign(
      context,
      aligned,
      to.exclusive ? namesOf(to, context.to) : [],
      known,
    );
    return { form: valueForm(slot.shape, context.from), ...(rule && { rule }) };
  });
  const shared = alignFields(context, from.shared, to.shared, at, align);
  if (shared === undefined && first.every(({ rule }) => rule === undefined)) return undefined;
  return { first, ...(shared && { shared }) } satisfies FirstRule;
}

function onlyVariant(shape: Shape): Shape {
  return shape.kind === "union" && shape.variants.length === 1 && shape.shared.length === 0
    ? shape.variants[0]!.slot.shape
    : shape;
}

/** Checks for a value of any kind whose counterpart lists forms but refuses none. */
function acceptsAny(from: Shape, to: Shape, { to: definitions }: Context): boolean {
  if (from.kind !== "any") return false;
  const target = to.kind === "reference" ? definitions.get(to.name)!.shape : to;
  return (
    target.kind === "any" ||
    (target.kind === "union" && target.variants.some(({ slot }) => slot.shape.kind === "any"))
  );
}
