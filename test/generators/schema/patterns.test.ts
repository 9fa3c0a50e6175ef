import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compose } from "../../../generators/schema/compose.js";
import { InputError } from "../../../generators/schema/problem.js";
import { findPatternProblem } from "../../../generators/schema/json-schema/pattern/find-pattern-problem.js";
import { protocolOf } from "./sources.js";
import { IS_DEEP } from "../../support/deep.js";

const runs = IS_DEEP ? 2_000 : 40;
const seed = Number(process.env["SEED"] ?? 20261122);

/** Returns the words of a text, in which a backslash stands for itself. */
const words = (text: TemplateStringsArray): string[] => String.raw(text).trim().split(/\s+/);

const message = (pattern: string): string => findPatternProblem(pattern)?.message ?? "fine";

describe("a pattern is accepted", () => {
  test.each([
    "",
    ...words`
    ^$ ^_ ^[a-z0-9-]+$ ^\p{L}+$ \p{L} ^[\p{L}\d]+$ ^[A-Z]{3}$ ^_?[a-z_]+$ ^-?\d+\.\d*$
    ^\S+@example\.com$ foo\d+ ^a{0,50000}b$ ^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$ ^\d+\.\d+\.\d+$
    ^\u{1F600}\uD83D\uDE00😀+$ ^[\]\\(){}|*+?.^$\/-]*$
  `,
  ])("when the time for a text grows with its length: %s", (pattern) => {
    expect(message(pattern)).toBe("fine");
  });
});

describe("a pattern is refused", () => {
  test.each(["(", "[", "a**", "{", "\\p{Nonsense}", "(?<a", "]", "\\a"])(
    "when it is not a regular expression with the flag u: %s",
    (pattern) => expect(message(pattern)).toContain("is not a regular expression"),
  );

  test.each(words`
    ^(a|a)*$ ^(a+)+$ ^(?:a{1,30}){1,30}$ (x+x+)+y ^(?:ab)$ ^a|b$ ^(?=a)b$ a\b a^ $a (?<a>a)
  `)("when it is more than a sequence of characters and classes: %s", (pattern) =>
    expect(message(pattern)).toContain("which are unsupported"),
  );

  test.each(words`
    (a)\1$ ^(?<=a)b$ (?<!a)b (?<a>a)\k<a> \p{Script=Greek} [\P{Emoji}]
  `)("when not every language has its parts: %s", (pattern) => {
    expect(message(pattern)).toContain("which not every language has");
    expect(findPatternProblem(pattern, true)?.message).toBe(message(pattern));
  });

  test.each(words`
    \s+$ [a-z]+$ .*x ^a*a*$ ^a*b*a*$ ^a?a?a?a?a?a?a?$ ^\S+@\S+$ ^.{1,64}/.{1,64}$ ^[^a]*\uD800*$
    ^\u{1F600}*\uD83D\uDE00*$ ^.*a{40}$ a{40}b a*a*b
  `)("when the time grows faster than the length of a text that does not match: %s", (pattern) =>
    expect(message(pattern)).toContain("can take very long"),
  );

  test("when it has more than 1,000 characters", () => {
    expect(message("a".repeat(1001))).toContain("has more than 1000 characters");
  });

  test("with its place and a hint", () => {
    const thing = { type: "object", properties: { a: { type: "string", pattern: "^a*a*$" } } };
    expect(() => compose(protocolOf({ Thing: thing }), [])).toThrow(
      new InputError([
        {
          file: "schema/v9/base/things.json",
          pointer: "/$defs/Thing/properties/a/pattern",
          message: '"^a*a*$" can take very long for a text that does not match',
          cause: "can take very long for a text that does not match",
          hint: "Begin it with ^, and do not repeat characters that may also follow the repetition. An imported schema may have it with --allow patterns.",
          accepts: { allow: "patterns" },
        },
      ]),
    );
  });
});

/** Patterns over few characters, so that their parts match the same ones. */
const pattern = fc
  .array(
    fc
      .tuple(
        fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\s", "\\p{L}"),
        fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "{0,40}"),
      )
      .map((part) => part.join("")),
    { maxLength: 8 },
  )
  .chain((parts) => fc.constantFrom("", "$").map((end) => parts.join("") + end));

describe(`of ${runs} random patterns`, () => {
  test("accepted ones take at most 100 ms for 50,000 characters", () => {
    let fine = 0;
    const check = fc.property(
      fc.tuple(fc.constantFrom("", "^"), pattern).map(([start, rest]) => start + rest),
      (source) => {
        if (findPatternProblem(source) !== undefined) return;
        fine++;
        const expression = new RegExp(source, "u");
        for (const pump of ["a", "b", "ab", "aab", " a", " "]) {
          for (const end of ["", "!", "\n"]) {
            const text = pump.repeat(50_000 / pump.length) + end;
            let least = Infinity;
            // Other work of the machine makes it worse, so the best of a few counts.
            for (let round = 0; round < 5 && least > 100; round++) least = timeOf(expression, text);
            expect(least, `${source} on ${pump}`).toBeLessThanOrEqual(100);
          }
        }
      },
    );
    fc.assert(check, { numRuns: runs, seed });
    expect(fine).toBeGreaterThan(runs / 20);
  }, 1_800_000);
});

function timeOf(expression: RegExp, text: string): number {
  const { user, system } = process.cpuUsage();
  expression.test(text);
  const used = process.cpuUsage({ user, system });
  return (used.user + used.system) / 1_000;
}
