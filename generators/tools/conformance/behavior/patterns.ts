import type { OPERATORS } from "../../../emit/behavior/members.js";
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
} from "../../../schema/json-schema/json.js";

/** The values that patterns have kept so far, by name. */
export type Variables = Map<string, Json>;

/** Replaces `$name` and `${name}` in all texts of a value by the variables that there are. */
export function fill(value: Json, variables: Variables): Json {
  if (typeof value === "string") return fillText(value, variables);
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, variables));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, fill(part, variables)]),
  );
}

function fillText(text: string, variables: Variables): Json {
  const whole = text.startsWith("$") ? variables.get(text.slice(1)) : undefined;
  if (whole !== undefined) return whole;
  return text.replace(/\$\{([a-z]\w*)\}/gi, (given, name: string) => {
    const value = variables.get(name);
    return value === undefined ? given : typeof value === "string" ? value : canonicalJson(value);
  });
}

type Test = (actual: Json | undefined, operand: Json, variables: Variables) => boolean;

/** The members that make an object a test rather than a subset. */
const TESTS: { readonly [name in (typeof OPERATORS)[number]]: Test } = {
  $let: (actual, name, variables) => {
    if (actual === undefined) return false;
    variables.set(String(name), actual);
    return true;
  },
  $any: (actual) => actual !== undefined,
  $absent: (actual) => actual === undefined,
  $in: (actual, allowed, variables) =>
    (allowed as readonly Json[]).some((one) => matchesPattern(actual, one, variables)),
  $not: (actual, pattern, variables) => !matchesPattern(actual, pattern, variables),
  $has: (actual, part) => typeof actual === "string" && actual.includes(String(part)),
  $size: (actual, size) => Array.isArray(actual) && actual.length === size,
  $items: (actual, items, variables) =>
    Array.isArray(actual) &&
    (items as readonly Json[]).every((item) =>
      (actual as readonly Json[]).some((one) => matchesPattern(one, item, variables)),
    ),
};

function isTest(name: string): name is keyof typeof TESTS {
  return Object.hasOwn(TESTS, name);
}

/**
 * Returns whether a value matches a pattern; see `Pattern` of `emit/behavior/script.ts`.
 *
 * @param variables gets the values of `$let`, also where the rest does not match
 */
export function matchesPattern(
  actual: Json | undefined,
  pattern: Json,
  variables: Variables,
): boolean {
  if (isObject(pattern)) {
    const [name, ...others] = Object.keys(pattern);
    if (name !== undefined && others.length === 0 && isTest(name))
      return TESTS[name](actual, pattern[name]!, variables);
    return isObject(actual) && hasMembers(actual, pattern, variables);
  }
  if (Array.isArray(pattern)) {
    const items = pattern as readonly Json[];
    return (
      Array.isArray(actual) &&
      actual.length === items.length &&
      items.every((item, index) =>
        matchesPattern((actual as readonly Json[])[index], item, variables),
      )
    );
  }
  return actual === fill(pattern, variables);
}

function hasMembers(actual: JsonObject, pattern: JsonObject, variables: Variables): boolean {
  return Object.entries(pattern).every(([name, part]) =>
    matchesPattern(Object.hasOwn(actual, name) ? actual[name] : undefined, part, variables),
  );
}
