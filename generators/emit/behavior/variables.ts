import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { Problem } from "../../schema/problem.js";
import type { Script } from "./script.js";

/** The variables that the player sets. */
const GIVEN = ["long", "deep", "n"];

/**
 * Returns the uses of variables that no step before them has bound; the player would send their
 * names as text.
 *
 * @param origins the number of the written step that each step belongs to
 * @param given further variables that the player sets
 */
export function findUnbound(
  { steps, skip = [], replies = [] }: Pick<Script, "steps" | "skip" | "replies">,
  origins: readonly number[],
  given: readonly string[] = [],
): readonly Problem[] {
  const bound = new Set([...GIVEN, ...given]);
  const bind = (value: unknown): void => bindings(value as Json).forEach((name) => bound.add(name));
  const find = (pointer: string, value: unknown): readonly Problem[] =>
    uses(value as Json)
      .filter((name) => !bound.has(name))
      .map((name) => ({
        pointer,
        message: `no step before has bound "$${name}"`,
        hint: `Bound so far: ${[...bound].join(", ")}.`,
      }));
  bind([...skip, ...replies.map(({ to }) => to)]);
  const found = steps.flatMap((step, index) => {
    bind(step);
    return find(`/steps/${origins[index]! - 1}`, step);
  });
  bound.add("id");
  return [...found, ...replies.flatMap(({ send }, index) => find(`/replies/${index}`, send))];
}

/** Returns the names that `$let` binds in a value. */
function bindings(value: Json): readonly string[] {
  if (!isObject(value)) return Array.isArray(value) ? value.flatMap(bindings) : [];
  const { $let: name } = value;
  return typeof name === "string" ? [name] : Object.values(value).flatMap(bindings);
}

/**
 * Returns the names that texts consist of, as in `$name`. A `${name}` inside a text may be meant as
 * it is written.
 */
function uses(value: Json): readonly string[] {
  if (typeof value === "string") return /^\$([a-z][\w-]*)$/i.exec(value)?.slice(1) ?? [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(uses) : [];
}
