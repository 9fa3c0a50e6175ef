import { AcpError } from "../acp-error.js";
import { didYouMean } from "../did-you-mean.js";
import * as sentences from "../sentences.js";
import { render } from "../validate/report-text.js";
import { isRecord } from "./messages.js";

const isFunction = (value: unknown): boolean => typeof value === "function";

/** What a value has to be, as messages say it. */
type Kind =
  | "an array"
  | "a function"
  | "an object"
  | "an async iterable"
  | "a string or an array"
  | "a string"
  | "a non-empty string"
  | "true or false"
  | typeof sentences.countSetting
  | typeof sentences.timeSetting
  | typeof sentences.storeSetting;

const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "an array": Array.isArray,
  "a function": isFunction,
  "an object": isRecord,
  "an async iterable": (value) =>
    isRecord(value) && (Symbol.asyncIterator in value || isFunction(value["getReader"])),
  "a string or an array": (value) => typeof value === "string" || Array.isArray(value),
  "a string": (value) => typeof value === "string",
  "a non-empty string": (value) => typeof value === "string" && value !== "",
  "true or false": (value) => typeof value === "boolean",
  [sentences.countSetting]: (value) =>
    value === Infinity || (Number.isInteger(value) && (value as number) >= 1),
  [sentences.timeSetting]: (value) => typeof value === "number" && value >= 0,
  [sentences.storeSetting]: (value) =>
    isRecord(value) && isFunction(value["findMessage"]) && isFunction(value["keepMessage"]),
};

/** Options, or names in one, by name; undefined for those that have checks of their own. */
export type Kinds = Readonly<Record<string, Kind | undefined>>;

/**
 * Checks an argument of a public function at run time, for programs in plain JavaScript.
 *
 * @param example a right call, in code
 * @throws AcpError that says what to pass
 */
export function requireArgument(name: string, value: unknown, kind: Kind, example: string): void {
  if (!KINDS[kind](value))
    throw new AcpError(`${name} needs ${kind}, not ${render(value)}: ${example}`);
}

/**
 * Checks the names and the types of options. Names that resemble none of theirs are ignored.
 *
 * @param place precedes the names in messages, as `limits.`
 * @param others names that are no options
 * @throws AcpError for a name that is almost that of an option, and for a value of a wrong type
 */
export function checkSettings(
  place: string,
  options: object,
  kinds: Kinds,
  others: ReadonlySet<string> = new Set(),
): void {
  for (const name of Object.keys(options)) {
    const isKnown = Object.hasOwn(kinds, name) || others.has(name);
    const suggestion = isKnown ? "" : didYouMean(name, Object.keys(kinds));
    if (suggestion !== "") throw new AcpError(`${place}${name} is not an option${suggestion}`);
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && kind !== undefined && !KINDS[kind](value))
      throw new AcpError(sentences.wrongSetting(place + name, kind, render(value)));
  }
}
