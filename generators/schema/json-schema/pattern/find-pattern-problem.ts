import type { Problem } from "../../problem.js";
import { countWays } from "./count-ways.js";
import { readPattern, UnsupportedPattern } from "./read-pattern.js";

/** A validator takes a few hundredths of a second for 50,000 characters, then. */
const MOST_WAYS = 32;

/** Nobody reads a longer pattern. */
const LONGEST = 1_000;

/**
 * Finds out why a pattern cannot be used: it is no regular expression, or it
 * would let a message that does not match stall whoever validates it. (The
 * library for this, redos-detector 6, refuses `\p{L}` and named groups, and takes
 * seconds for patterns that are fine.)
 */
export function findPatternProblem(pattern: string): Pick<Problem, "message" | "hint"> | undefined {
  if (pattern.length > LONGEST) {
    const message = `the pattern has more than ${LONGEST} characters`;
    return { message, hint: "Say it in a shorter way." };
  }
  const shown = JSON.stringify(pattern);
  if (!isRegularExpression(pattern)) {
    return {
      message: `${shown} is not a regular expression`,
      hint: "Patterns are ECMAScript regular expressions with the flag u.",
    };
  }
  try {
    if (countWays(readPattern(pattern), MOST_WAYS) <= MOST_WAYS) return undefined;
    return {
      message: `${shown} can take very long for a text that does not match`,
      hint: "Begin it with ^, and let nothing that is repeated take the same characters as what follows or surrounds it.",
    };
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    return {
      message: `${shown} has ${error.message}, so that nobody can say how long it may take`,
      hint: "Say it in another way.",
    };
  }
}

function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
