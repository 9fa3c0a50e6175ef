import { AcpError } from "../acp-error.js";
import * as sentences from "../sentences.js";
import { render } from "../validate/report-text.js";
import { isRecord } from "./messages.js";

/** What the value of an option has to be, and whether it is. */
type Kind = readonly [expected: string, is: (value: unknown) => boolean];

export const FUNCTION: Kind = [sentences.functionSetting, (value) => typeof value === "function"];
export const OBJECT: Kind = [sentences.objectSetting, isRecord];
export const TEXT: Kind = [sentences.textSetting, (value) => typeof value === "string"];
export const FLAG: Kind = [sentences.flagSetting, (value) => typeof value === "boolean"];
export const COUNT: Kind = [
  sentences.countSetting,
  (value) => value === Infinity || (Number.isInteger(value) && (value as number) >= 1),
];
export const TIME: Kind = [
  sentences.timeSetting,
  (value) => typeof value === "number" && value >= 0,
];
export const STORE: Kind = [
  sentences.storeSetting,
  (value) =>
    isRecord(value) && FUNCTION[1](value["findMessage"]) && FUNCTION[1](value["keepMessage"]),
];

/** Options, or names in one, by name; undefined for those that have checks of their own. */
export type Kinds = Readonly<Record<string, Kind | undefined>>;

/**
 * Checks what options are.
 *
 * @param place precedes the names, as `limits.`
 * @throws AcpError for a value of a wrong type
 */
export function checkKinds(place: string, options: object, kinds: Kinds): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && kind !== undefined && !kind[1](value))
      throw new AcpError(sentences.wrongSetting(place + name, kind[0], render(value)));
  }
}
