import { jsonPointer, type Problem } from "../problem.js";

/** A place in a text, counted from 1. */
export interface JsonPosition {
  readonly line: number;
  readonly column: number;
}

/** The values of a JSON text by pointer, as offsets, and the names that an object has twice. */
export interface JsonText {
  readonly offsets: ReadonlyMap<string, number>;
  readonly duplicates: readonly { readonly pointer: string; readonly offset: number }[];
}

const TOKEN = /[\s,:]*("(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+)/gy;

/**
 * Scans a JSON text for what `JSON.parse` does not keep: positions and duplicate names.
 *
 * @param text valid JSON of bounded depth; a value after an error has no offset
 */
export function scanJson(text: string): JsonText {
  const offsets = new Map<string, number>();
  const duplicates: { pointer: string; offset: number }[] = [];
  const tokens = new RegExp(TOKEN);
  const next = (): { readonly token: string; readonly offset: number } => {
    const match = tokens.exec(text);
    const token = match?.[1] ?? "";
    return { token, offset: tokens.lastIndex - token.length };
  };
  const scanValue = ({ token, offset }: ReturnType<typeof next>, pointer: string): void => {
    offsets.set(pointer, offset);
    if (token === "[") {
      let index = 0;
      for (let item = next(); item.token !== "]" && item.token !== ""; item = next())
        scanValue(item, `${pointer}/${index++}`);
    } else if (token === "{") {
      const names = new Set<string>();
      for (let key = next(); key.token.startsWith('"'); key = next()) {
        const name = JSON.parse(key.token) as string;
        const inner = pointer + jsonPointer([name]);
        if (names.has(name)) duplicates.push({ pointer: inner, offset: key.offset });
        names.add(name);
        scanValue(next(), inner);
      }
    }
  };
  scanValue(next(), "");
  return { offsets, duplicates };
}

/** Returns the line and column of an offset. */
export function positionAt(text: string, offset: number): JsonPosition {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/**
 * Returns the problem of a text that `JSON.parse` refuses, with the position if the error names
 * one.
 */
export function syntaxProblem(text: string, { message }: SyntaxError): Problem {
  const [named, offset] = /(?: in JSON)? at position (\d+).*$/.exec(message) ?? [];
  // For an unexpected token, the engine shows the 10 characters before it instead of its position.
  const [quoted, dots, before] = /, (\.*)"(.{1,10}).*"\.* is not valid JSON$/s.exec(message) ?? [];
  const at = message.startsWith("Unexpected end")
    ? text.length
    : offset !== undefined
      ? Number(offset)
      : dots && before !== undefined
        ? text.indexOf(before) + before.length
        : undefined;
  const rest = named ?? quoted ?? "";
  return {
    message: `is not JSON: ${message.slice(0, message.length - rest.length)}`,
    hint: "Correct the syntax.",
    ...(at !== undefined && { position: positionAt(text, at) }),
  };
}
