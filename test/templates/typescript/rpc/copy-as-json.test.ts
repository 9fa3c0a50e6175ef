import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyAsJson } from "../../../../templates/typescript/runtime/rpc/transports/copy-as-json.js";

describe("a copy as JSON", () => {
  test("is what parsing the JSON of the value gives, whatever the value", () => {
    const values = fc.anything({
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
      key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "constructor", "a")),
    } as fc.ObjectConstraints);
    fc.assert(
      fc.property(values, (value) => {
        const text = outcomeOf(() => JSON.stringify(value));
        if (text === undefined || text === "throws") return;
        const copy = copyAsJson(value);
        // Compared as text, too: keys in order, and `__proto__` as a key.
        expect(JSON.stringify(copy)).toBe(text);
        expect(copy).toEqual(JSON.parse(text));
      }),
      { seed: 7, numRuns: 3000 },
    );
  });

  test.each<[string, unknown]>([
    ["a BigInt", { a: 1n }],
    ["a circle", circle()],
    ["a depth that the writer does not reach either", deep(1_000_000)],
  ])("is refused where JSON cannot carry the value: %s", (_, value) => {
    expect(() => copyAsJson(value)).toThrow();
  });

  test("does not change prototypes: a key __proto__ stays a key", () => {
    const copy = copyAsJson(JSON.parse('{"__proto__":{"polluted":1}}')) as object;
    expect(Object.keys(copy)).toEqual(["__proto__"]);
    expect("polluted" in copy).toBe(false);
  });
});

function outcomeOf(run: () => string | undefined): string | undefined {
  try {
    return run();
  } catch {
    return "throws";
  }
}

function circle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

function deep(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
