import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import type { Problem } from "../../schema/problem.js";
import type { BehaviorScript } from "./script.js";

/** The variables that the player sets. */
const GIVEN = ["long", "deep", "n"];

/** The variables that steps bind unless they name another one. */
const BY_DEFAULT = ["p", "c", "q", "n", "session", "initialize"];

const BOUND = /"\$let":"([^"]+)"/g;
/** Texts that consist of a name; a `${name}` inside a text may be meant as it is written. */
const USED = /"\$([a-z][\w-]*)"(?!:)/gi;

/**
 * Returns the uses of variables that no step before them has bound; the player would send their
 * names as text.
 *
 * @param mistaken the texts of written steps that are not expanded, which may have bound anything
 * @param origins the number of the written step that each step belongs to
 * @param given further variables that the player sets
 */
export function findUnbound(
  { steps, skip = [], replies = [] }: Pick<BehaviorScript, "steps" | "skip" | "replies">,
  origins: readonly number[],
  given: readonly string[] = [],
  mistaken: readonly string[] = [],
): readonly Problem[] {
  const bound = new Set([
    ...GIVEN,
    ...given,
    ...(mistaken.length > 0 ? [...BY_DEFAULT, ...mistaken] : []),
    ...namesIn([skip, replies.map(({ to }) => to)], BOUND),
  ]);
  const reported = new Set<string>();
  const find = (pointer: string, value: unknown): readonly Problem[] =>
    namesIn(value, USED)
      .filter((name) => !bound.has(name) && !reported.has(name))
      .map((name) => {
        const hint = `Bound so far: ${[...bound].join(", ")}.`;
        reported.add(name);
        return { pointer, message: `no step before has bound "$${name}"`, hint };
      });
  const found = steps.flatMap((step, index) => {
    for (const name of namesIn(step, BOUND)) bound.add(name);
    return find(`/steps/${origins[index]! - 1}`, step);
  });
  bound.add("id");
  return [...found, ...replies.flatMap(({ send }, index) => find(`/replies/${index}`, send))];
}

/**
 * Returns the steps that expect the answer to a request which no step before has sent.
 *
 * @param steps written steps, with their numbers
 */
export function findUnasked(steps: readonly (readonly [number, JsonObject])[]): readonly Problem[] {
  const asked = new Set<unknown>();
  return steps.flatMap(([index, step]): readonly Problem[] => {
    for (const one of [step, ...list(step["together"])]) {
      asked.add(read(one, "ask")).add(read(one, "elicit"));
      for (const message of list(read(one, "send"))) asked.add(read(message, "id"));
    }
    const id = step["answered"] ?? step["elicited"];
    if (id === undefined || asked.has(id)) return [];
    const pointer = `/steps/${index - 1}`;
    return [{ pointer, message: `no step before has asked ${JSON.stringify(id)}` }];
  });
}

function list(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value].flat();
}

function read(value: unknown, name: string): unknown {
  return isObject(value as Json) ? (value as JsonObject)[name] : undefined;
}

function namesIn(value: unknown, pattern: RegExp): readonly string[] {
  return [...JSON.stringify(value).matchAll(pattern)].map(([, name]) => name!);
}
