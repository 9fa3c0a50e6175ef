import { describe, expect, it } from "vitest";
import { corpus } from "../samples/corpus-lines.js";
import { ours, upstream } from "./verdicts.js";

describe("the validators", () => {
  const files = [
    ["valid", true],
    ["invalid", false],
    ["lenient", false],
    ["disagree", undefined],
  ] as const;

  it.each(files)("agree with upstream's schema on every %s value", (name, verdict) => {
    const expected = upstream();
    const samples = corpus(name);
    expect(samples).not.toEqual([]);
    const wrong = samples.filter(({ def, value }) => {
      const answer = ours(def, value);
      return answer !== expected(def, value) || (verdict !== undefined && answer !== verdict);
    });
    expect(wrong).toEqual([]);
  });
});
