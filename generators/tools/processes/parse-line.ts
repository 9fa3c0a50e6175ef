import type { Json } from "../../schema/json-schema/json.js";

/** The deepest value that is kept, in levels; no message of the protocol comes close to it. */
const DEEPEST = 200;

/** What stands in place of a deeper value. */
const TOO_DEEP = `(more than ${DEEPEST} levels)`;

/**
 * Parses a line of the wire. Values that are nested too deep for functions that call themselves are
 * replaced by a text that says so.
 *
 * @throws SyntaxError for a line that is not JSON
 */
export function parseLine(line: string): Json {
  const value = JSON.parse(line) as Json;
  // Each level has two brackets.
  return line.length < 2 * DEEPEST ? value : cut(value, DEEPEST);
}

function cut(value: Json, levels: number): Json {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item: Json) => cut(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cut(part, levels - 1)]),
  );
}
