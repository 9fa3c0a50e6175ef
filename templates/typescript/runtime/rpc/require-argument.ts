import { AcpError } from "../acp-error.js";
import { isRecord } from "./messages.js";

type Kind =
  | "an array"
  | "a function"
  | "an object"
  | "an async iterable"
  | "a string or an array"
  | "a string"
  | "a non-empty string";

const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "an array": Array.isArray,
  "a function": (value) => typeof value === "function",
  "an object": isRecord,
  "an async iterable": (value) =>
    isRecord(value) && (Symbol.asyncIterator in value || typeof value["getReader"] === "function"),
  "a string or an array": (value) => typeof value === "string" || Array.isArray(value),
  "a string": (value) => typeof value === "string",
  "a non-empty string": (value) => typeof value === "string" && value !== "",
};

/**
 * Checks an argument of a public function at run time, for programs in plain JavaScript.
 *
 * @param example a right call, in code
 * @throws AcpError that says what to pass
 */
export function requireArgument(name: string, value: unknown, kind: Kind, example: string): void {
  if (KINDS[kind](value)) return;
  const found =
    typeof value === "string"
      ? JSON.stringify(value.slice(0, MOST_SHOWN))
      : Array.isArray(value)
        ? "an array"
        : typeof value === "object" && value !== null
          ? "an object"
          : String(value);
  throw new AcpError(`${name} needs ${kind}, not ${found}: ${example}`);
}

/** The length of a text in a message, in UTF-16 units. */
const MOST_SHOWN = 60;
