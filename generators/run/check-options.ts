import { inspect } from "node:util";
import { nearest } from "../schema/problem.js";

/** An option of a function of the library. */
export interface OptionRule {
  readonly accepts: (value: unknown) => boolean;
  /** The values that it accepts, in the words of an error message. */
  readonly expected: string;
  readonly isRequired?: boolean;
}

export type OptionRules<Options> = { readonly [name in keyof Required<Options>]: OptionRule };

const isText = (value: unknown): boolean => typeof value === "string";

/** The kinds of options that several functions have. */
export const OPTION = {
  text: { accepts: isText, expected: "a string" },
  texts: {
    accepts: (value) => Array.isArray(value) && value.every(isText),
    expected: "a list of strings",
  },
  flag: { accepts: (value) => typeof value === "boolean", expected: "true or false" },
  count: {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    expected: "a whole number above 0",
  },
  // Timers of Node.js overflow beyond it.
  time: {
    accepts: (value) => typeof value === "number" && value > 0 && value < 2 ** 31,
    expected: "a number of milliseconds above 0 and below 2 ** 31",
  },
  object: {
    accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    expected: "an object",
  },
} as const satisfies { readonly [kind: string]: OptionRule };

/**
 * Checks the names and types of options. An option that is `undefined` counts as absent.
 *
 * @param place what the options belong to, as messages name it
 * @throws TypeError that names the first option that is unknown, missing, or of another type
 */
export function checkOptions<Options>(
  place: string,
  options: unknown,
  rules: OptionRules<Options>,
): asserts options is Options {
  if (!OPTION.object.accepts(options))
    throw new TypeError(`${place} requires an object with options, not ${show(options)}`);
  const known = Object.entries<OptionRule>(rules);
  const given = options as { readonly [name: string]: unknown };
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(rules, name)) continue;
    const names = Object.keys(rules);
    const near = nearest(name, names);
    const hint = near === undefined ? `Known: ${names.join(", ")}.` : `Did you mean "${near}"?`;
    throw new TypeError(`${place} has no option "${name}". ${hint}`);
  }
  for (const [name, { accepts, expected, isRequired = false }] of known) {
    const value = given[name];
    if (value === undefined ? !isRequired : accepts(value)) continue;
    const found = value === undefined ? "it is missing" : `it is ${show(value)}`;
    throw new TypeError(`the option "${name}" of ${place} must be ${expected}; ${found}`);
  }
}

function show(value: unknown): string {
  const text = inspect(value, { depth: 1, breakLength: Infinity });
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
