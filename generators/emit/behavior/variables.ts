import type { Problem } from "../../schema/problem.js";
import type { BehaviorScript } from "./script.js";

/** The variables that the player sets. */
const GIVEN = ["long", "deep", "n"];

const BOUND = /"\$let":"([^"]+)"/g;
/** Texts that consist of a name; a `${name}` inside a text may be meant as it is written. */
const USED = /"\$([a-z][\w-]*)"(?!:)/gi;

/**
 * Returns the uses of variables that no step before them has bound; the player would send their
 * names as text.
 *
 * @param origins the number of the written step that each step belongs to
 * @param given further variables that the player sets
 */
export function findUnbound(
  { steps, skip = [], replies = [] }: Pick<BehaviorScript, "steps" | "skip" | "replies">,
  origins: readonly number[],
  given: readonly string[] = [],
): readonly Problem[] {
  const bound = new Set([
    ...GIVEN,
    ...given,
    ...namesIn([skip, replies.map(({ to }) => to)], BOUND),
  ]);
  const find = (pointer: string, value: unknown): readonly Problem[] =>
    namesIn(value, USED)
      .filter((name) => !bound.has(name))
      .map((name) => ({
        pointer,
        message: `no step before has bound "$${name}"`,
        hint: `Bound so far: ${[...bound].join(", ")}.`,
      }));
  const found = steps.flatMap((step, index) => {
    for (const name of namesIn(step, BOUND)) bound.add(name);
    return find(`/steps/${origins[index]! - 1}`, step);
  });
  bound.add("id");
  return [...found, ...replies.flatMap(({ send }, index) => find(`/replies/${index}`, send))];
}

function namesIn(value: unknown, pattern: RegExp): readonly string[] {
  return [...JSON.stringify(value).matchAll(pattern)].map(([, name]) => name!);
}
