import type { LossCase, ComputeSource, VariantSource } from "../../schema/bridge/bridge-source.js";
import { jsonPointer } from "../../schema/problem.js";
import type { OtherVariant, Shape, TaggedShape } from "../shape.js";
import { alignFields } from "./align-fields.js";
import { computed } from "./computed.js";
import {
  coverReferences,
  declareLoss,
  defined,
  findCase,
  refuse,
  type Align,
  type Context,
  type Place,
} from "./context.js";
import { namesOf, withoutForeign } from "./foreign.js";
import { variantForms } from "./forms.js";
import type { ConversionRule, TaggedRule, VariantRule } from "./rules.js";

/** The key of the variant without a tag of its own. */
const UNTAGGED = "-";
/** The key of all variants that are not listed. */
const OTHERS = "*";

/** Finds the rule of two unions with a tag; undefined when every value can be kept. */
export function alignTagged(
  context: Context,
  from: TaggedShape,
  to: TaggedShape,
  at: Place,
  align: Align,
): ConversionRule | undefined {
  const entries = at.pair.entry?.entry.variants ?? {};
  if (from.tag !== to.tag)
    refuse(
      context,
      at.pair,
      `its tag is "${from.tag}", in the other version "${to.tag}"`,
      "Give the pair a computation.",
    );
  const variants = from.variants.map(
    ({ value, body }) =>
      [value, alignVariant(context, value, body, to, entries, at, align)] as const,
  );
  const untagged = [from.fallback, from.absent].flatMap((other) =>
    other === undefined ? [] : alignOther(context, other, to, entries, at, align),
  );
  const other = othersOf(context, from, to, entries, at);
  const shared = alignFields(
    context,
    from.shared,
    to.shared,
    at,
    align,
    namesOf(from, context.from),
  );
  const changed = variants.filter(([, rule]) => rule !== undefined);
  if (changed.length === 0 && untagged.length === 0 && other === undefined && shared === undefined)
    return undefined;
  return defined<TaggedRule>({
    tag: from.tag,
    // Where others are given up, those that are kept have to be listed.
    variants: Object.fromEntries(
      other === undefined && untagged.length === 0
        ? changed
        : variants.map(([value, rule]) => [value, rule ?? {}]),
    ) as { readonly [value: string]: VariantRule },
    other,
    untagged: untagged[0],
    forms: untagged.length === 0 ? undefined : variantForms(from, context.from),
    shared,
  });
}

type Entries = { readonly [tag: string]: VariantSource };

/** Finds the entry of a variant by its tag in the version that is converted, and its tag in the other. */
function entryOf(
  value: string,
  entries: Entries,
  to: TaggedShape,
  { direction }: Context,
): { readonly key: string; readonly entry: VariantSource; readonly target: string } {
  const own = entries[value];
  if (direction === "toV2") return { key: value, entry: own ?? {}, target: own?.rename ?? value };
  const isListed = to.variants.some((variant) => variant.value === value);
  const renamed = isListed
    ? undefined
    : Object.entries(entries).find(([, { rename }]) => rename === value);
  const [key, entry] = renamed ?? [value, own ?? {}];
  return { key, entry, target: key };
}

function alignVariant(
  context: Context,
  value: string,
  body: Shape,
  to: TaggedShape,
  entries: Entries,
  at: Place,
  align: Align,
): VariantRule | undefined {
  const { key, entry, target } = entryOf(value, entries, to, context);
  const place = placeOf(key, entry[context.direction], at);
  if (entries[key] !== undefined) context.used.add(jsonPointer(place.path));
  const lost = findCase(context, place.path, place.cases, "present");
  if (lost !== undefined) {
    coverReferences(context, body);
    return defined<VariantRule>({
      reject: true,
      loss: declareLoss(context, place.label, "present", lost),
    });
  }
  const isFallback =
    target === UNTAGGED || (to.variants.length === 0 && to.fallback?.title === value);
  const other = isFallback
    ? to.fallback?.body
    : to.variants.find((variant) => variant.value === target)?.body;
  if (other === undefined) {
    refuse(
      context,
      at.pair,
      `the variant "${value}" has no counterpart`,
      `Map it under variants/${key} in schema/bridge, or name what is lost.`,
    );
    return undefined;
  }
  const rule = bodyRule(context, body, other, place, entry.compute, align);
  const as = isFallback ? null : target === value ? undefined : target;
  return rule === undefined && as === undefined ? undefined : defined<VariantRule>({ as, rule });
}

function bodyRule(
  context: Context,
  from: Shape,
  to: Shape,
  place: Place,
  compute: ComputeSource | undefined,
  align: Align,
): ConversionRule | undefined {
  const name = compute?.[context.direction];
  if (name === undefined) return align(context, from, to, place);
  coverReferences(context, from);
  return withoutForeign(
    context,
    computed(context, name, place),
    namesOf(to, context.to),
    namesOf(from, context.from),
  );
}

/** Aligns the variant without a tag, which has one in the other version. */
function alignOther(
  context: Context,
  { body }: OtherVariant,
  to: TaggedShape,
  entries: Entries,
  at: Place,
  align: Align,
): VariantRule[] {
  const own = to.fallback ?? to.absent;
  const entry = entries[UNTAGGED];
  const target = entry?.rename;
  const place = placeOf(UNTAGGED, entry?.[context.direction], at);
  if (own !== undefined) {
    const rule = align(context, body, own.body, at);
    return rule === undefined ? [] : [{ rule }];
  }
  if (entry !== undefined) context.used.add(jsonPointer(place.path));
  const other = to.variants.find(({ value }) => value === target)?.body;
  if (other === undefined) {
    refuse(
      context,
      at.pair,
      "the variant without a tag has no counterpart",
      'Map it under variants/- in schema/bridge: { "rename": "its tag" }.',
    );
    return [];
  }
  // A tag that is not known has no meaning.
  const rule = withoutForeign(context, align(context, body, other, place), [to.tag], []);
  return [defined<VariantRule>({ as: target, rule })];
}

/** Returns what happens to variants that are not listed. */
function othersOf(
  context: Context,
  from: TaggedShape,
  to: TaggedShape,
  entries: Entries,
  at: Place,
): VariantRule | undefined {
  if (from.open === undefined) return undefined;
  coverReferences(context, from.open.body);
  if (to.open !== undefined) return undefined;
  const place = placeOf(OTHERS, entries[OTHERS]?.[context.direction], at);
  const lost = findCase(context, place.path, place.cases, "present");
  if (lost === undefined) {
    refuse(
      context,
      at.pair,
      "unknown variants have no counterpart",
      "Map them under variants/* in schema/bridge, or name what is lost.",
    );
    return undefined;
  }
  context.used.add(jsonPointer(place.path));
  return defined<VariantRule>({
    ...(lost.set === undefined ? { reject: true } : { set: lost.set }),
    loss: declareLoss(context, place.label, "present", lost),
  });
}

function placeOf(key: string, cases: readonly LossCase[] | undefined, { pair }: Place): Place {
  const path = ["definitions", pair.key, "variants", key];
  return { pair, path, label: `${pair.key}/${key}`, ...(cases && { cases }) };
}
