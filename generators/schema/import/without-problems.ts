import { isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { parsePointer, type Problem } from "../problem.js";

/** Keywords whose values are schemas by name. */
const NAMED = ["properties", "$defs"];

/**
 * Removes the keywords of a document that have problems, so that the other parts can be checked as
 * well. A schema that is none becomes one of any value.
 */
export function withoutProblems(document: JsonObject, problems: readonly Problem[]): JsonObject {
  return problems.reduce<JsonObject>(
    (rest, { pointer = "" }) => removed(rest, parsePointer(pointer)) as JsonObject,
    document,
  );
}

/** Removes the keyword that a path leads to or into, at the innermost schema. */
function removed(part: Json, [token, ...rest]: readonly string[]): Json {
  if (token === undefined) return part;
  if (Array.isArray(part)) {
    const list = part as readonly Json[];
    return list.map((one, index) => (String(index) === token ? removed(one, rest) : one));
  }
  if (!isObject(part) || !Object.hasOwn(part, token)) return part;
  const child = part[token]!;
  const named = NAMED.includes(token) && isObject(child) && rest.length > 0 ? rest[0] : undefined;
  if (named !== undefined) {
    const schema = isObject(child) ? child[named] : undefined;
    const inside = isObject(schema) ? removed(schema, rest.slice(1)) : {};
    return { ...part, [token]: { ...(child as JsonObject), [named]: inside } };
  }
  if (holdsSchema(child, rest)) return { ...part, [token]: removed(child, rest) };
  const { [token]: _, ...others } = part;
  return NAMED.includes(token) && isObject(child) ? part : others;
}

/** Checks whether a path leads through the value of a keyword into a schema. */
function holdsSchema(value: Json, path: readonly string[]): boolean {
  const inner = Array.isArray(value) ? (value as readonly Json[])[Number(path[0])] : value;
  return isObject(inner) && path.length > (Array.isArray(value) ? 1 : 0);
}
