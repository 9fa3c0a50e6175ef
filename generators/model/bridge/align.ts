import type { CaseSource } from "../../schema/bridge/bridge-source.js";
import { jsonPointer } from "../../schema/problem.js";
import type { EnumShape, ListShape, ScalarShape, Shape, UnionShape } from "../shape.js";
import { alignFields } from "./align-fields.js";
import { alignTagged } from "./align-tagged.js";
import {
  coverReferences,
  declareLoss,
  defined,
  findCase,
  refuse,
  resolvePlain,
  type Context,
  type Pair,
} from "./context.js";
import type { FirstRule, LimitRule, Rule, ValuesRule } from "./rules.js";

/** The place of a value in a pair, with the cases that apply to it. */
export interface Place {
  readonly pair: Pair;
  /** The pointer of its entry. */
  readonly path: readonly string[];
  /** For people: `Definition/property`. */
  readonly label: string;
  readonly cases?: readonly CaseSource[];
}

/** Finds the rule of two shapes; undefined when every value can be kept. */
export type Align = (context: Context, from: Shape, to: Shape, at: Place) => Rule | undefined;

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
    return limitOf(context, at, {
      minimum: narrower(from, to, "minimum"),
      maximum: narrower(from, to, "maximum"),
    });
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

function ruleOf(context: Context, pair: Pair, at: Place): Rule | undefined {
  const { from, to, entry } = pair;
  const { compute, covers, wrap } = entry?.entry ?? {};
  const name = compute?.[context.direction];
  if (name !== undefined) {
    checkCovers(context, pair, covers?.[context.direction === "toV2" ? "v1" : "v2"] ?? []);
    return computed(context, name, at);
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
  return { wrap, ...(rule && { rule }) };
}

/** Makes the rule of a computation: its cases are the losses that it may report. */
export function computed(context: Context, name: string, { path, label, cases = [] }: Place): Rule {
  const losses = cases.map(
    ({ when }) =>
      [when, declareLoss(context, label, when, findCase(context, path, cases, when)!)] as const,
  );
  return {
    compute: name,
    losses: Object.fromEntries(losses.filter(([, loss]) => loss !== undefined)) as {
      readonly [reason: string]: number;
    },
  };
}

/** A computation must name every property that it reads, so that a new one is noticed. */
function checkCovers(context: Context, pair: Pair, covers: readonly string[]): void {
  const { shape } = pair.from;
  coverReferences(context, shape);
  const names =
    shape.kind === "object"
      ? shape.fields.map(({ name }) => name).filter((name) => name !== "_meta")
      : [];
  for (const name of names)
    if (!covers.includes(name))
      refuse(
        context,
        pair,
        `"${name}" is not known to the computation`,
        'Teach it the property and add it to "covers".',
      );
  for (const name of covers)
    if (!names.includes(name))
      refuse(context, pair, `"covers" names "${name}", which does not exist`, "Remove it.");
}

function alignLists(context: Context, from: ListShape, to: ListShape, at: Place): Rule | undefined {
  const { cases: _, ...place } = at;
  const items = align(context, from.items.shape, to.items.shape, place);
  const least = (to.minItems ?? 0) > (from.minItems ?? 0) ? to.minItems : undefined;
  return limitOf(context, at, { least }, items && { list: items });
}

/** Makes the rule for limits that are narrower in the result; the inner rule when none is. */
function limitOf(
  context: Context,
  { pair, path, label, cases }: Place,
  limits: { readonly [Limit in keyof LimitRule["limit"]]: number | undefined },
  rule?: Rule,
): Rule | undefined {
  const limit = defined<LimitRule["limit"]>(limits);
  if (Object.keys(limit).length === 0) return rule;
  const found = findCase(context, path, cases, "limit");
  if (found === undefined) {
    refuse(
      context,
      pair,
      `${label} has narrower limits in the other version: ${JSON.stringify(limit)}`,
      'Add a case for "limit".',
    );
    return rule;
  }
  return defined<LimitRule>({
    limit,
    clamp: found.do === "clamp" ? true : undefined,
    set: found.set,
    loss: declareLoss(context, label, "limit", found),
    rule,
  });
}

function narrower(
  from: ScalarShape,
  to: ScalarShape,
  limit: "minimum" | "maximum",
): number | undefined {
  const [own, other] = [from[limit], to[limit]];
  if (other === undefined) return undefined;
  const isWithin = own !== undefined && (limit === "minimum" ? own >= other : own <= other);
  return isWithin ? undefined : other;
}

function alignValues(
  context: Context,
  from: EnumShape,
  to: EnumShape,
  at: Place,
): Rule | undefined {
  if (to.open !== undefined) return undefined;
  const known = to.values.map(({ value }) => value);
  const lost = [
    ...from.values.map(({ value }) => value).filter((value) => !known.includes(value)),
    ...(from.open ? ["*"] : []),
  ];
  const replacement = (value: string | number) => {
    const found = at.pair.entry?.entry.values?.[value]?.[context.direction];
    if (found === undefined) {
      refuse(
        context,
        at.pair,
        value === "*"
          ? "unknown values have no counterpart"
          : `the value "${value}" has no counterpart`,
        `Add "${value}" to its values.`,
      );
      return {};
    }
    context.used.add(jsonPointer(["definitions", at.pair.key, "values", value]));
    return defined<ValuesRule["values"][string]>({
      set: found.as,
      loss: declareLoss(context, at.label, String(value), found),
    });
  };
  if (lost.length === 0) return undefined;
  const values = lost
    .filter((value) => value !== "*")
    .map((value) => [value, replacement(value)] as const);
  return {
    values: Object.fromEntries(values),
    ...(from.open && { known, other: replacement("*") }),
  };
}

function alignUnions(
  context: Context,
  from: UnionShape,
  to: UnionShape,
  at: Place,
): Rule | undefined {
  const first = from.variants.map(({ name, slot }) => {
    const other = to.variants.find((variant) => variant.name === name);
    if (other === undefined)
      refuse(
        context,
        at.pair,
        `the alternative ${name} has no counterpart`,
        "Give the pair a computation.",
      );
    const rule = other && align(context, slot.shape, other.slot.shape, at);
    return { needs: requiredKeys(slot.shape, context), ...(rule && { rule }) };
  });
  const shared = alignFields(context, from.shared, to.shared, at, align);
  if (shared === undefined && first.every(({ rule }) => rule === undefined)) return undefined;
  return { first, ...(shared && { shared }) } satisfies FirstRule;
}

/** Returns the properties by which an alternative is recognized. */
function requiredKeys(shape: Shape, context: Context): readonly string[] {
  if (shape.kind === "reference") return requiredKeys(context.from.get(shape.name)!.shape, context);
  if (shape.kind === "list") return requiredKeys(shape.items.shape, context);
  return shape.kind === "object"
    ? shape.fields.filter(({ required }) => required).map(({ name }) => name)
    : [];
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
