import { describe, expect, test } from "vitest";
import { parseList, parseOnce, parseSeconds } from "../../../generators/cli/flags.js";

describe("a flag", () => {
  test.each([
    [["a"], ["a"]],
    [
      ["a,b", "c"],
      ["a", "b", "c"],
    ],
    [[",a,,b,"], ["a", "b"]],
  ])("for names that is given as %j has the names %j", (values, names) => {
    const parse = (known: string[] | undefined, value: string): string[] => parseList(value, known);
    expect(values.reduce(parse, undefined)).toEqual(names);
  });

  test("for names without any, or with one value that is given twice, is refused", () => {
    expect(() => parseList(",")).toThrow("Expected at least one name.");
    expect(() => parseOnce("a", "b")).toThrow("Expected it once only.");
  });

  test("for seconds takes a whole number of them up to a day", () => {
    expect([parseSeconds("1"), parseSeconds("86400")]).toEqual([1, 86_400]);
    for (const value of ["0", "1.5", "-1", "", "86401", "1e3"])
      expect(() => parseSeconds(value)).toThrow("Expected");
  });
});
