import { jsonPointer } from "../../schema/problem.js";
import type { EnumShape, ScalarShape } from "../shape.js";
import { declareLoss, defined, findCase, refuse, type Context, type Place } from "./context.js";
import type { LimitRule, ConversionRule, ValuesRule } from "./rules.js";

/** Limits of a result; undefined where there is none that the value could break. */
type Limits = {
  readonly [Limit in keyof LimitRule["limit"]]: LimitRule["limit"][Limit] | undefined;
};

/** Makes the rule for limits that are narrower in the result; the inner rule when none is. */
export function limitOf(
  context: Context,
  { pair, path, label, cases }: Place,
  limits: Limits,
  rule?: ConversionRule,
): ConversionRule | undefined {
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

/** Returns the limits of the result that those of the value do not imply. */
export function narrowerLimits(from: ScalarShape, to: ScalarShape): Limits {
  const least = (limit: "minimum" | "minLength") =>
    (from[limit] ?? -Infinity) >= (to[limit] ?? -Infinity) ? undefined : to[limit];
  const most = (limit: "maximum" | "maxLength") =>
    (from[limit] ?? Infinity) <= (to[limit] ?? Infinity) ? undefined : to[limit];
  return {
    minimum: least("minimum"),
    maximum: most("maximum"),
    minLength: least("minLength"),
    maxLength: most("maxLength"),
    pattern: from.pattern === to.pattern ? undefined : to.pattern,
  };
}

/** Finds the rule of two enumerations; undefined when every value can be kept. */
export function alignValues(
  context: Context,
  from: EnumShape,
  to: EnumShape,
  at: Place,
): ConversionRule | undefined {
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
