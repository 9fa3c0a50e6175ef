import type { Problem } from "../../problem.js";
import { readPattern, type Pattern, type PatternPart } from "./read-pattern.js";

/** The limit of steps for each character of a text: a validator then takes at most a few hundredths of a second for 50,000. */
const MOST_STEPS = 32;

const LONGEST = 1_000;

/**
 * Finds out why a pattern cannot be used: it is not a regular expression, not every language has
 * its parts, it is more than a sequence of characters, or it would let a message that does not match
 * stall its receiver.
 *
 * @param isAllowed whether any pattern is right that every language has, however long it takes
 */
export function findPatternProblem(
  source: string,
  isAllowed = false,
): Pick<Problem, "message" | "cause" | "hint" | "accepts"> | undefined {
  if (source.length > LONGEST) {
    const message = `the pattern has more than ${LONGEST} characters`;
    return { message, hint: "Use a shorter one." };
  }
  const shown = JSON.stringify(source);
  if (!isRegularExpression(source)) {
    const cause = "is not a regular expression";
    return {
      ...{ message: `${shown} ${cause}`, cause },
      hint: "Patterns are ECMAScript regular expressions with the flag u.",
    };
  }
  const foreign = findForeign(source);
  if (foreign !== undefined) {
    return {
      message: `${shown} has "${foreign}", which not every language has`,
      hint: "Write it without references, lookbehinds, flags and Unicode properties other than categories.",
    };
  }
  if (isAllowed) return undefined;
  const pattern = readPattern(source);
  if (pattern === undefined) {
    const cause = "has groups, alternatives, references or assertions, which are unsupported";
    return {
      ...{ message: `${shown} ${cause}`, cause },
      hint: `A pattern is a sequence of characters and classes with quantifiers, between ^ and $. ${ALLOW}`,
      accepts: { allow: "patterns" },
    };
  }
  if (countSteps(pattern) <= MOST_STEPS) return undefined;
  const cause = "can take very long for a text that does not match";
  return {
    ...{ message: `${shown} ${cause}`, cause },
    hint: `Begin it with ^, and do not repeat characters that may also follow the repetition. ${ALLOW}`,
    accepts: { allow: "patterns" },
  };
}

const ALLOW = "An imported schema may have it with --allow patterns.";

/** Escapes, the beginnings of groups, and brackets. */
const TOKEN = /\\[pP]\{[^}]*\}|\\k<[^>]*>|\\[^]|\(\?(?:<[=!]|[^])|[[\]]/gu;

/** Escapes and groups of every language. */
const COMMON = /^(?:\\[pP]\{[A-Z][a-z]?\}|\\[^1-9kpP]|\(\?(?:[:=!]|<))$/u;

/** Finds a part of a regular expression that some languages do not have. */
function findForeign(source: string): string | undefined {
  let isInside = false;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === "[" || token === "]") isInside = token === "[";
    else if (!COMMON.test(token) && !(isInside && token.startsWith("("))) return token;
  }
  return undefined;
}

function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Returns a limit for the steps that a backtracking matcher takes for each character of a text, or
 * infinity.
 *
 * A part that is repeated is deterministic when it shares no character with what can follow it:
 * after a failure, trying fewer repetitions fails at once. Only the others multiply the steps.
 */
function countSteps({ isStart, isEnd, parts }: Pattern): number {
  const tried = isEnd ? parts : withoutTail(parts);
  const isFixed = ({ least, most }: PatternPart): boolean => least === most;
  const length = (some: readonly PatternPart[]): number =>
    some.reduce((sum, { least }) => sum + least, 0);
  if (!isStart) return tried.every(isFixed) ? length(tried) : Infinity;
  let steps = 1;
  tried.forEach((part, index) => {
    if (isFixed(part) || !meets(part, followers(tried.slice(index + 1)))) return;
    const rest = tried.slice(index + 1);
    const choices = part.most - part.least + 1;
    if (choices <= MOST_STEPS) steps *= choices;
    // Each of up to as many choices as the text is long costs what the rest takes.
    else steps *= rest.every(isFixed) ? Math.max(1, length(rest)) : Infinity;
  });
  return steps;
}

/** Leaves out the repetitions at the end of a pattern without `$`: they cannot fail. */
function withoutTail(parts: readonly PatternPart[]): readonly PatternPart[] {
  const last = parts.at(-1);
  if (last === undefined || last.least === last.most) return parts;
  const before = parts.slice(0, -1);
  return last.least === 0 ? withoutTail(before) : [...before, { ...last, most: last.least }];
}

/** The parts that can follow directly: all up to the first that cannot be absent. */
function followers(rest: readonly PatternPart[]): readonly PatternPart[] {
  const index = rest.findIndex(({ least }) => least > 0);
  return index < 0 ? rest : rest.slice(0, index + 1);
}

function meets(part: PatternPart, others: readonly PatternPart[]): boolean {
  return others.some((other) => other.most > 0 && shareCharacter(part.source, other.source));
}

/** Characters, escapes and classes that match only ASCII. */
const ASCII =
  /^(?:\[(?!\^)(?:\\[dw^$\\.*+?()[\]{}|/-]|[\x20-\x5b\x5e-\x7e])*\]|\\[dw^$\\.*+?()[\]{}|/-]|[\x20-\x2d\x2f-\x5b\x5d-\x7e])$/;

function shareCharacter(one: string, other: string): boolean {
  const tests = [one, other].map((source) => new RegExp(`^${source}$`, "u"));
  const limit = [one, other].some((source) => ASCII.test(source)) ? 0x80 : 0x110000;
  for (let point = 0; point < limit; point++) {
    const character = String.fromCodePoint(point);
    if (tests.every((test) => test.test(character))) return true;
  }
  return false;
}
