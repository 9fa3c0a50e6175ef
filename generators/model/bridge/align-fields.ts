import type { CaseSource, PropertySource } from "../../schema/bridge/bridge-source.js";
import { jsonPointer } from "../../schema/problem.js";
import type { Field, Shape } from "../shape.js";
import type { Align, Place } from "./align.js";
import {
  coverReferences,
  declareLoss,
  defined,
  findCase,
  refuse,
  type Context,
} from "./context.js";
import type { FieldRule, FieldsRule, Fill, NestedRule, Replacement, Rule } from "./rules.js";

/** A property of one side with its entry, and the way to it on the other side. */
interface Link {
  /** The name in version 1, or in version 2 where version 1 has none. */
  readonly key: string;
  readonly entry: PropertySource;
  /** One or two names: a property, or a property of a property. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Finds the rule of two lists of properties; undefined when every value can be kept. */
export function alignFields(
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

type Entries = { readonly [name: string]: PropertySource };

/** Finds the counterpart of a property by its name in the version that is converted. */
function linkOf(name: string, entries: Entries, { direction }: Context): Link {
  if (direction === "toV2") {
    const entry = entries[name] ?? {};
    return { key: name, entry, from: [name], to: (entry.rename ?? name).split("/") };
  }
  const renamed = Object.entries(entries).find(([, { rename }]) => rename === name);
  const [key, entry] = renamed ?? [name, entries[name] ?? {}];
  return { key, entry, from: [name], to: [key] };
}

/** Finds the entry of a property of the result that nothing is converted to. */
function targetLink(name: string, entries: Entries, { direction }: Context): Link {
  const renamed =
    direction === "toV2"
      ? Object.entries(entries).find(([, { rename }]) => rename === name)
      : undefined;
  const [key, entry] = renamed ?? [name, entries[name] ?? {}];
  return { key, entry, from: [], to: [name] };
}

function fieldAt(
  fields: readonly Field[],
  way: readonly string[],
  definitions: Context["from"],
): Field | undefined {
  const field = fields.find(({ name }) => name === way[0]);
  if (way.length < 2 || field === undefined) return field;
  const shape: Shape =
    field.shape.kind === "reference" ? definitions.get(field.shape.name)!.shape : field.shape;
  return shape.kind === "object" ? fieldAt(shape.fields, way.slice(1), definitions) : undefined;
}

function placeOf(context: Context, { key, entry }: Link, at: Place): Place {
  const path = ["definitions", at.pair.key, "properties", key];
  const cases = entry[context.direction];
  return { pair: at.pair, path, label: `${at.pair.key}/${key}`, ...(cases && { cases }) };
}

function alignField(
  context: Context,
  link: Link,
  from: readonly Field[],
  to: readonly Field[],
  at: Place,
  align: Align,
): FieldRule | undefined {
  const { entry } = link;
  const place = placeOf(context, link, at);
  const own = fieldAt(from, link.from, context.from)!;
  if (at.pair.entry?.entry.properties?.[link.key] !== undefined)
    context.used.add(jsonPointer(place.path));
  const other = fieldAt(to, link.to, context.to);
  if (other === undefined) {
    coverReferences(context, own.shape);
    // Any object may have metadata.
    if (own.name === "_meta") return undefined;
    if (entry.moved !== undefined) return { drop: true };
    const lost = findCase(context, place.path, place.cases, "present");
    if (lost === undefined) {
      refuse(
        context,
        at.pair,
        `the property "${own.name}" has no counterpart`,
        `Map it under properties/${link.key} in schema/bridge, or name what is lost.`,
      );
      return undefined;
    }
    return defined<FieldRule>({
      drop: true,
      loss: declareLoss(context, place.label, "present", lost),
    });
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
): Rule | undefined {
  const name = entry.compute?.[context.direction];
  if (name !== undefined) {
    coverReferences(context, own.shape);
    const losses = (place.cases ?? [])
      .map(
        ({ when }) =>
          [
            when,
            declareLoss(
              context,
              place.label,
              when,
              findCase(context, place.path, place.cases, when)!,
            ),
          ] as const,
      )
      .filter(([, loss]) => loss !== undefined);
    return {
      compute: name,
      losses: Object.fromEntries(losses) as { readonly [reason: string]: number },
    };
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
  return defined<Rule & { readonly marker: string }>({
    marker: "boolean",
    loss: details && declareLoss(context, place.label, "details", details),
  });
}

function nullRule(
  context: Context,
  own: Field,
  other: Field,
  { pair, path, label, cases }: Place,
): Replacement | undefined {
  if (!own.nullable) return undefined;
  const found = findCase(context, path, cases, "null");
  if (found !== undefined)
    return defined<Replacement>({
      set: found.set,
      loss: declareLoss(context, label, "null", found),
    });
  if (other.nullable || acceptsNull(other.shape)) return undefined;
  // Where a property may be null in one version only, null means the same as its absence.
  if (!other.required) return {};
  refuse(
    context,
    pair,
    `"${own.name}" can be null there, but not in the other version`,
    'Add a case for "null".',
  );
  return undefined;
}

function acceptsNull({ kind }: Shape): boolean {
  return kind === "any" || kind === "null";
}

/** Makes what is added where a property of the result is absent. */
function fillOf(
  context: Context,
  link: Link,
  from: readonly Field[],
  to: readonly Field[],
  at: Place,
): Fill[] {
  const place = placeOf(context, link, at);
  const target = fieldAt(to, link.to, context.to);
  if (target === undefined) return [];
  const own = link.from.length === 0 ? undefined : fieldAt(from, link.from, context.from);
  const [to0, to1] = link.to;
  const make = (found: CaseSource, always: boolean): Fill => {
    context.used.add(jsonPointer(place.path.slice(0, 4)));
    return defined<Fill>({
      key: to1 ?? to0!,
      into: to1 === undefined ? undefined : to0,
      set: found.set ?? null,
      loss: declareLoss(context, place.label, found.when, found),
      always: always ? true : undefined,
    });
  };
  const always = findCase(context, place.path, place.cases, "always");
  if (always !== undefined) return [make(always, true)];
  const found = findCase(context, place.path, place.cases, "absent");
  if (found !== undefined) return [make(found, false)];
  if (!target.required || own?.required) return [];
  // An absent value means its default, which the other version has to be told.
  if (own?.default !== undefined) return [make({ when: "absent", set: own.default }, false)];
  refuse(
    context,
    at.pair,
    `the other version needs "${target.name}"`,
    `Add a case for "absent" under properties/${link.key} in schema/bridge.`,
  );
  return [];
}
