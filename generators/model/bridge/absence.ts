import type { LossCase } from "../../schema/bridge/bridge-source.js";
import { jsonPointer } from "../../schema/problem.js";
import type { Field, Shape } from "../shape.js";
import { declareLoss, defined, findCase, refuse, type Context, type Place } from "./context.js";
import { fieldAt, placeOf, type Link } from "./links.js";
import type { Fill, ValueReplacement } from "./rules.js";

/** Returns what happens to null; undefined when the other version takes it too. */
export function nullRule(
  context: Context,
  own: Field,
  other: Field,
  { pair, path, label, cases }: Place,
): ValueReplacement | undefined {
  if (!own.nullable) return undefined;
  const found = findCase(context, path, cases, "null");
  if (found !== undefined)
    return defined<ValueReplacement>({
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
export function fillOf(
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
  const make = (found: LossCase, always: boolean): Fill => {
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
  // An absent value means its default, which must be sent to the other version.
  if (own?.default !== undefined) return [make({ when: "absent", set: own.default }, false)];
  refuse(
    context,
    at.pair,
    `the other version needs "${target.name}"`,
    `Add a case for "absent" under properties/${link.key} in schema/bridge.`,
  );
  return [];
}
