import { inspect } from "node:util";

/** A number of things: `1 file`, `2 files`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** The message of whatever was thrown. */
export function thrownText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : inspect(thrown);
}
