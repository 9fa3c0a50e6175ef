import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compose } from "../../generators/schema/compose/compose.js";
import { InputError } from "../../generators/schema/problem.js";
import { findPatternProblem } from "../../generators/schema/json-schema/pattern/find-pattern-problem.js";
import { ROOT } from "../paths.js";
import { protocolOf } from "./sources.js";

const runs = process.env["DEEP"] ? 2_000 : 40;
const seed = Number(process.env["SEED"] ?? 20261122);

const message = (pattern: string): string => findPatternProblem(pattern)?.message ?? "fine";

describe("a pattern is fine", () => {
  test.each([
    "",
    "^$",
    "^_",
    "^[a-z0-9-]+$",
    "^\\p{L}+$",
    "\\p{L}",
    "^(\\p{L}|\\d)+$",
    "(?<=a)b",
    "^(?=.*a)(?!.*b).*$",
    "^(foo|foobar|foobaz)$",
    "foo\\d+",
    "^a{0,50000}b$",
    "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "^(?<year>\\d+)-(?<month>\\d+)$",
    "^\\u{1F600}\\uD83D\\uDE00😀+$",
    "^[\\]\\\\(){}|*+?.^$\\/-]*$",
  ])("when the time for a text grows with its length: %s", (pattern) => {
    expect(message(pattern)).toBe("fine");
  });

  test("when the dialect has it", () => {
    for (const name of [
      "keywords",
      "module",
      "feature",
      "protocol",
      "profiles",
      "docs",
      "config",
    ]) {
      const text = readFileSync(join(ROOT, `schema/dialect/${name}.schema.json`), "utf8");
      for (const [, pattern] of text.matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g))
        expect(message(JSON.parse(pattern!) as string), pattern).toBe("fine");
    }
  });
});

describe("A15: a pattern is refused", () => {
  test.each(["(", "[", "a**", "{", "\\p{Nonsense}", "(?<a", "]", "\\a"])(
    "when it is no regular expression with the flag u: %s",
    (pattern) => expect(message(pattern)).toContain("is not a regular expression"),
  );

  test.each([
    "^(a|a)*$",
    "^(a+)+$",
    "^(a*)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(?:a{1,30}){1,30}$",
    "^(a?){30}$",
    `^${"(a|a)".repeat(30)}$`,
    "^(\\uD83D\\uDE00|\\u{1F600})*$",
    "^([^a]|\\uD800)*$",
    "(?=(a+)+b)",
    "(x+x+)+y",
    "^(ab|a|b)*$",
  ])("when the time for a text that does not match doubles with every character: %s", (pattern) =>
    expect(message(pattern)).toContain("can take very long"),
  );

  test.each(["\\s+$", "[a-z]+$", "(.*)x", "^a*a*$", "^\\S+@\\S+$", "(?:(?=.*x)a)*b", "a*a*b"])(
    "when it grows with the square of the length: %s",
    (pattern) => expect(message(pattern)).toContain("can take very long"),
  );

  test.each([
    ["(a)\\1+$", "a back-reference"],
    ["(?<a>a)\\k<a>", "a back-reference"],
    ["(?<=a*)b", "looking far behind"],
    [`(?<=${"(a|a)".repeat(9)})b`, "looking far behind"],
    ["^.{1,64}/.{1,64}$", "more than can be looked at"],
    ["a".repeat(1001), "has more than 1000 characters"],
  ])("when nobody can say how long it may take: %s", (pattern, reason) =>
    expect(message(pattern)).toContain(reason),
  );

  test("with its place and what to do", () => {
    const thing = { type: "object", properties: { a: { type: "string", pattern: "(a*)*b" } } };
    expect(() => compose(protocolOf({ Thing: thing }), [])).toThrow(
      new InputError([
        {
          file: "schema/v9/base/things.json",
          pointer: "/$defs/Thing/properties/a/pattern",
          message: '"(a*)*b" can take very long for a text that does not match',
          hint: "Begin it with ^, and let nothing that is repeated take the same characters as what follows or surrounds it.",
        },
      ]),
    );
  });
});

/** Patterns over few characters, so that their parts take the same ones. */
const { pattern } = fc.letrec<{ readonly pattern: string; readonly part: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie("part"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((choices) => choices.map((parts) => parts.join("")).join("|")),
  part: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\s", "$", "^", "\\b", "\\p{L}"),
    fc
      .tuple(
        fc.oneof(
          fc.constantFrom("a", "b", ".", "[ab]"),
          fc
            .tuple(fc.constantFrom("", "?:"), tie("pattern"))
            .map(([kind, body]) => `(${kind}${body})`),
        ),
        fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "{0,40}"),
      )
      .map(([body, quantity]) => body + quantity),
    tie("pattern").map((body) => `(?=${body})`),
  ),
}));

describe(`A15: of ${runs} random patterns`, () => {
  test("those that are fine take at most 100 ms for 50,000 characters", () => {
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
            // What else the machine does makes it worse, so the best of a few counts.
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
