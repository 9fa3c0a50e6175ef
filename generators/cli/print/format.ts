import { withoutControls } from "../../schema/controls.js";

/** Prints a number of things: `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Returns a text of a schema or a program on one line, cut to a length in characters. */
export function cut(text: string, length: number): string {
  return withoutControls(text.length > length ? `${text.slice(0, length)}…` : text);
}

/** Prints the last lines of what a program has written to standard error. */
export function standardError(text = ""): readonly string[] {
  const lines = text === "" ? [] : text.split("\n").slice(-3);
  return lines.map((line) => `  stderr: ${cut(line, 200)}`);
}

/** The number of foreign files that are named. */
const MAX_FOREIGN = 5;

/** Prints the note about files in generated folders that no run has generated. */
export function foreignNote(files: readonly string[]): string {
  const shown = files.slice(0, MAX_FOREIGN).join(", ") + (files.length > MAX_FOREIGN ? ", …" : "");
  return `note: ${count(files.length, "file")} in generated folders not from acp-codegen: ${withoutControls(shown)}`;
}
