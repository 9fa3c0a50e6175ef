import { describe, expect, test } from "vitest";
import { convertersOf } from "../../../../../templates/typescript/runtime/bridge/convert/converters.js";
import type { LimitRule } from "../../../../../templates/typescript/runtime/bridge/convert/table.js";

/** Converts a value whose limits are narrower in version 2. */
function convert(limit: LimitRule["limit"], value: unknown) {
  const rule = { limit, loss: 0 };
  const loss = { kind: "dropped", place: "Name/text", when: "limit", text: "Left out." } as const;
  const table = { rows: { Name: rule }, losses: [loss], methods: {} };
  const { value: converted, losses } = convertersOf(table, "v2").convert("Name", value);
  return { value: converted, losses: losses.map(({ place }) => place) };
}

describe("a value is given up", () => {
  test.each<[string, LimitRule["limit"], unknown, unknown]>([
    ["by its least number of items", { least: 1 }, ["a"], []],
    ["by its most items", { most: 1 }, ["a"], ["a", "b"]],
    ["by its pattern", { pattern: "^[A-Z]{3}$" }, "EUR", "euro"],
    ["by its least length", { minLength: 2 }, "ab", "a"],
    ["by its most length, in code points", { maxLength: 2 }, "😀😀", "abc"],
  ])("%s", (_, limit, inside, outside) => {
    expect(convert(limit, inside)).toEqual({ value: inside, losses: [] });
    expect(convert(limit, outside)).toEqual({ value: undefined, losses: ["Name/text"] });
  });
});
