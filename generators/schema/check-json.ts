import type { Problem } from "./problem.js";

/** Deeper documents are refused before anything recursive touches them. */
const MAX_DEPTH = 64;

/**
 * Finds what makes a parsed document unfit for everything that comes later:
 * too deep nesting, text that is not Unicode. Works without recursion.
 */
export function findUnusable(value: unknown): Problem | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      return {
        message: `is nested deeper than ${MAX_DEPTH} levels`,
        hint: "Give the inner parts definitions of their own.",
      };
    }
    const parts = level.flatMap((item) =>
      typeof item === "object" && item !== null
        ? [...Object.keys(item), ...Object.values(item)]
        : [item],
    );
    const broken = parts.find((part) => typeof part === "string" && /\p{Surrogate}/u.test(part));
    if (broken !== undefined) {
      return {
        message: `has text that is not Unicode: ${JSON.stringify(broken)}`,
        hint: "Remove the lone surrogate.",
      };
    }
    level = parts.filter((part) => typeof part === "object" && part !== null);
  }
  return undefined;
}
