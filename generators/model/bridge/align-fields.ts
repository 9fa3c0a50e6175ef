import type { LossCase } from "../../schema/bridge/bridge-source.js";
import { jsonPointer } from "../../schema/problem.js";
import type { Field } from "../shape.js";
import { fillOf, nullRule } from "./absence.js";
import { computed } from "./computed.js";
import {
  coverReferences,
  declareLoss,
  defined,
  findCase,
  lossEntry,
  refuse,
  type Align,
  type Context,
  type Place,
} from "./context.js";
import { fieldNames, withoutForeign } from "./foreign.js";
import { fieldAt, linkOf, placeOf, targetLink, type Link } from "./links.js";
import type { FieldRule, FieldsRule, MarkerRule, NestedRule, ConversionRule } from "./rules.js";

/**
 * Finds the rule of two lists of properties; undefined when every value can be kept.
 *
 * @param known other properties that the value may have
 */
export function alignFields(
  context: Context,
  from: readonly Field[],
  to: readonly Field[],
  at: Place,
  align: Align,
  known: readonly string[] = [],
): ConversionRule | undefined {
  const rule = alignKnown(context, from, to, at, align);
  return withoutForeign(context, rule, fieldNames(to), [...fieldNames(from), ...known]);
}

function alignKnown(
  context: Context,
  from: readonly Field[],
  to: readonly Field[],
  at: Place,
  align: Align,
): FieldsRule | undefined {
  const entries = at.pair.entry?.entry.properties ?? {};
  const links = from.map(({ name }) => linkOf(name, entries, context));
  const inner = Object.entries(entries)
    .filter(([, { rename }]) => context.direction === "toV1" && rename?.includes("/"))
    .map(([key, entry]): Link => ({ key, entry, from: entry.rename!.split("/"), to: [key] }))
    .filter(
      (link) =>
        fieldAt(from, link.from, context.from) !== undefined &&
        fieldAt(to, link.to, context.to) !== undefined,
    );
  const rules = [...links, ...inner].map(
    (link) => [link, alignField(context, link, from, to, at, align)] as const,
  );
  const fields = rules.filter(([{ from: way }, rule]) => way.length === 1 && rule !== undefined);
  const nested = rules.filter(([{ from: way }]) => way.length === 2);
  const reached = [...links, ...inner].map((link) => link.to.join("/"));
  const fill = [
    ...[...links, ...inner].flatMap((link) => fillOf(context, link, from, to, at)),
    ...to
      .filter(({ name }) => !reached.includes(name))
      .flatMap(({ name }) => fillOf(context, targetLink(name, entries, context), from, to, at)),
  ];
  if (fields.length + nested.length + fill.length === 0) return undefined;
  return defined<FieldsRule>({
    fields: Object.fromEntries(fields.map(([link, rule]) => [link.from[0]!, rule!])),
    nested:
      nested.length === 0
        ? undefined
        : nested.map(([link, rule]): NestedRule => ({
            from: [link.from[0]!, link.from[1]!],
            ...rule,
          })),
    fill: fill.length === 0 ? undefined : fill,
  });
}

function alignField(
  context: Context,
  link: Link,
  from: readonly Field[],
  to: readonly Field[],
  at: Place,
  align: Align,
): FieldRule | undefined {
  const place = placeOf(context, link, at);
  const own = fieldAt(from, link.from, context.from)!;
  if (at.pair.entry?.entry.properties?.[link.key] !== undefined)
    context.used.add(jsonPointer(place.path));
  const other = fieldAt(to, link.to, context.to);
  if (other === undefined) {
    coverReferences(context, own.shape);
    // Any object may have metadata.
    if (own.name === "_meta") return undefined;
    const lost = findCase(context, place.path, place.cases, "present");
    if (lost === undefined) {
      refuse(
        context,
        at.pair,
        `the property "${own.name}" has no counterpart`,
        `Map it under properties/${link.key} in schema/bridge, or say how it is lost: ${lossEntry(link.key, context.direction, "dropped")}.`,
      );
      return undefined;
    }
    return dropped(context, place, lost);
  }
  const rule = ruleOf(context, link, own, other, place, align);
  const ifNull = nullRule(context, own, other, place);
  const [to0, to1] = link.to;
  const isMoved = link.to.join("/") !== own.name || link.from.length > 1;
  if (rule === undefined && ifNull === undefined && !isMoved) return undefined;
  return defined<FieldRule>({
    to: isMoved ? (to1 ?? to0) : undefined,
    into: to1 === undefined ? undefined : to0,
    rule,
    absent: rule === undefined || own.required ? undefined : own.default,
    ifNull,
    needed: other.required && to1 === undefined ? true : undefined,
  });
}

function ruleOf(
  context: Context,
  { entry }: Link,
  own: Field,
  other: Field,
  place: Place,
  align: Align,
): ConversionRule | undefined {
  const name = entry.compute?.[context.direction];
  if (name !== undefined) {
    coverReferences(context, own.shape);
    return computed(context, name, place);
  }
  if (entry.wrap !== "marker") return align(context, own.shape, other.shape, place);
  coverReferences(context, own.shape);
  if (context.direction === "toV2") return { marker: "object" };
  const details = findCase(context, place.path, place.cases, "details");
  if (details === undefined)
    refuse(
      context,
      place.pair,
      `properties of "${own.name}" have no counterpart`,
      'Add a case for "details".',
    );
  return defined<MarkerRule>({
    marker: "boolean",
    loss: details && declareLoss(context, place.label, "details", details),
  });
}

/** Makes the rule of a property without a counterpart. */
function dropped(context: Context, { label, path, cases }: Place, lost: LossCase): FieldRule {
  const missing = findCase(context, path, cases, "missing");
  const details = findCase(context, path, cases, "details");
  return defined<FieldRule>({
    drop: true,
    loss: declareLoss(context, label, "present", lost),
    unless: lost.unless,
    details: details && declareLoss(context, label, "details", details),
    missing: missing && declareLoss(context, label, "missing", missing),
  });
}
