import fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createSamples } from "../../../generators/model/sample/sample.js";
import { LONGEST, textOfPattern } from "../../../generators/model/sample/pattern.js";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../generators/schema/problem.js";
import { smallProtocol, type SmallMethod } from "../emit/small-protocol.js";

type Definitions = { readonly [name: string]: JsonSchema };

const TEXT = { type: "string" } as const;
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

/** The two samples of `Thing`, each checked by plain ajv. */
function samples(
  definitions: Definitions,
  methods: readonly SmallMethod[] = [],
): { readonly typical: Json; readonly full: Json } {
  const protocol = smallProtocol({ definitions, methods });
  const { typical, full } = createSamples(protocol);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(protocol.schema, "bundle");
  const made = { typical: typical("Thing"), full: full("Thing") };
  for (const value of Object.values(made))
    expect(ajv.validate("bundle#/$defs/Thing", value), ajv.errorsText()).toBe(true);
  return made;
}

const typical = (thing: JsonSchema, more: Definitions = {}): Json =>
  samples({ Thing: thing, ...more }).typical;
const full = (thing: JsonSchema, more: Definitions = {}): Json =>
  samples({ Thing: thing, ...more }).full;

describe("a typical sample", () => {
  test("is the most complete example, if there is one", () => {
    const thing = object({ a: TEXT, b: TEXT }, ["a"]);
    expect(typical({ ...thing, examples: [{ a: "1" }, { a: "2", b: "3" }] })).toEqual({
      a: "2",
      b: "3",
    });
  });

  test("is the example of a method that carries it", () => {
    const method = { name: "do", params: "Thing", examples: [{ title: "", params: { a: "1" } }] };
    expect(samples({ Thing: object({ a: TEXT }) }, [method]).typical).toEqual({ a: "1" });
  });

  test("is a part of another definition's example", () => {
    const other = {
      ...object({ things: { type: "array", items: ref("Thing") } }),
      examples: [{ things: [{ a: "1" }] }],
    };
    expect(typical(object({ a: TEXT }), { Other: other })).toEqual({ a: "1" });
  });

  test.each([
    ["does not fit", { a: 5 }],
    ["has a property that is not declared", { a: "1", z: 1 }],
  ])("is not an example that %s", (_, example) => {
    expect(typical({ ...object({ a: TEXT }), examples: [example] })).toEqual({ a: "a" });
  });

  test("takes the first variant that matches alone where a value must match exactly one", () => {
    const list = (title: string, items: JsonSchema): JsonSchema => ({
      title,
      type: "array",
      items,
    });
    const thing = {
      oneOf: [
        list("Texts", TEXT),
        list("Numbers", { type: "integer" }),
        { title: "Text", ...TEXT },
      ],
    } as const;
    expect(typical(thing)).toBe("thing");
  });

  test.each([
    ["minimum", { type: "integer", minimum: 2 }, 2],
    ["minimum that is no integer", { type: "integer", minimum: 1.5 }, 2],
    ["maximum", { type: "integer", maximum: -3 }, -3],
    ["maximum 1", { type: "number", maximum: 1 }, 1],
    ["maximum 0.5", { type: "number", maximum: 0.5 }, 0.5],
    ["minLength", { type: "string", minLength: 9 }, "thingthin"],
    ["maxLength", { type: "string", maxLength: 2 }, "th"],
    [
      "length in code points",
      { type: "string", minLength: 2, maxLength: 2, pattern: "^😀+$" },
      "😀😀",
    ],
    ["pattern", { type: "string", pattern: "^sess_[0-9a-f]{4}$" }, "sess_aaaa"],
    ["pattern that readable text fits", { type: "string", pattern: "^[a-z]+$" }, "thing"],
    ["pattern and length", { type: "string", pattern: "^[0-9]*$", minLength: 20 }, "0".repeat(32)],
    ["minItems", { type: "array", items: TEXT, minItems: 2 }, ["thing", "thing"]],
    ["format", { type: "string", format: "date-time" }, "2026-01-02T03:04:05Z"],
    ["encoding", { type: "string", contentEncoding: "base64" }, "c2FtcGxl"],
  ] as const)("respects %s", (_, thing, expected) => {
    expect(typical(thing)).toEqual(expected);
  });

  test.each([
    ["optional", object({ next: ref("Thing") }, []), {}],
    ["a list", object({ next: { type: "array", items: ref("Thing") } }), { next: [] }],
    ["null", object({ next: { anyOf: [ref("Thing"), { type: "null" }] } }), { next: null }],
    [
      "a map",
      object({ next: { type: "object", additionalProperties: ref("Thing") } }),
      { next: {} },
    ],
    [
      "another variant",
      {
        anyOf: [
          { title: "Deep", ...object({ next: ref("Thing") }) },
          { title: "End", ...TEXT },
        ],
      },
      "thing",
    ],
  ] as const)("of a recursive definition ends by %s", (_, thing, expected) => {
    expect(typical(thing as JsonSchema)).toEqual(expected);
  });

  test("keeps the names of properties, also `__proto__`", () => {
    const properties = Object.fromEntries([
      ["__proto__", TEXT],
      ["constructor", TEXT],
    ]);
    const made = samples({ Thing: object(properties) });
    for (const value of Object.values(made)) {
      expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  test("of a string describes itself in words", () => {
    expect(typical(object({ sessionId: TEXT, "odd-key": TEXT, "": TEXT }))).toEqual({
      sessionId: "session id",
      "odd-key": "odd key",
      "": "text",
    });
  });
});

describe("a full sample", () => {
  test("takes values from examples of the same property", () => {
    const other = {
      ...object({ thing: ref("Thing") }),
      examples: [{ thing: { uri: "file:///a" } }],
    };
    const thing = object({ uri: TEXT, title: TEXT }, []);
    expect(full(thing, { Other: other })).toEqual({ uri: "file:///a", title: "title" });
  });

  test("leaves out an optional property that no value can be built for", () => {
    const odd = { type: "string", pattern: "^[^\\s\\S]$" } as const;
    expect(full(object({ odd, name: TEXT }, []))).toEqual({ name: "name" });
  });
});

describe("no sample is built", () => {
  const refused = (thing: JsonSchema, more: Definitions = {}): string => {
    const { typical } = createSamples(smallProtocol({ definitions: { Thing: thing, ...more } }));
    try {
      typical("Thing");
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
    throw new Error("a sample was made");
  };

  test("of a definition that contains itself without end", () => {
    expect(refused(object({ next: ref("Thing") }))).toContain(
      '"Thing" contains itself without end',
    );
    const more = { Other: object({ back: { type: "array", items: ref("Thing"), minItems: 1 } }) };
    expect(refused(object({ next: ref("Other") }), more)).toContain("without end");
  });

  test.each([
    ["an empty class", { type: "string", pattern: "^[^\\s\\S]$" }],
    ["limits that exclude each other", { type: "integer", minimum: 2, maximum: 1 }],
    ["limits without an integer between", { type: "integer", minimum: 0.2, maximum: 0.8 }],
    ["a text of a gigabyte", { type: "string", minLength: 1e9 }],
    ["a list of a billion items", { type: "array", items: TEXT, minItems: 1e9 }],
    ["a repetition without measure", { type: "string", pattern: "^a{1000000}$" }],
  ] as const)("of a definition without a simple value: %s", (_, restricted) => {
    expect(refused(object({ part: restricted }))).toMatch(
      /^no sample can be made of the definition "Thing": .*"part".* Give it an example/,
    );
  });

  test("that would be huge, which is detected at once", () => {
    const levels = Array.from({ length: 40 }, (_, level): [string, JsonSchema] => [
      `Level${level}`,
      object({ a: ref(`Level${level + 1}`), b: ref(`Level${level + 1}`) }),
    ]);
    const more = { ...Object.fromEntries(levels), Level40: TEXT };
    expect(refused(ref("Level0"), more)).toContain("it would be huge");
  });

  test("unless there is an example", () => {
    const thing = { type: "string", pattern: "^[é]{2}$", examples: ["éé"] } as const;
    expect(typical(thing)).toBe("éé");
  });
});

describe("variants", () => {
  test("of a recursive union has a variant that ends", () => {
    const node = object({ kind: { const: "node", type: "string" }, left: ref("Thing") });
    const leaf = object({ kind: { const: "leaf", type: "string" } });
    const Thing = { oneOf: [node, leaf] };
    const { variants } = createSamples(smallProtocol({ definitions: { Thing } }));
    expect([...variants("Thing").values()]).toEqual([
      { kind: "node", left: { kind: "leaf" } },
      { kind: "leaf" },
    ]);
    const endless = smallProtocol({ definitions: { Thing: { oneOf: [node] } } });
    expect(() => createSamples(endless).variants("Thing")).toThrow("contains itself without end");
  });

  test("each have a sample, from an example where one shows it", () => {
    const Thing = {
      oneOf: ["one", "two"].map((name) =>
        object({ type: { type: "string", const: name }, [`${name}Text`]: TEXT }),
      ),
      discriminator: { propertyName: "type" },
      examples: [{ type: "two", twoText: "2" }],
    };
    const { variants } = createSamples(smallProtocol({ definitions: { Thing } }));
    expect(Object.fromEntries(variants("Thing"))).toEqual({
      one: { type: "one", oneText: "one text" },
      two: { type: "two", twoText: "2" },
    });
  });
});

test("the same protocol gives the same samples", () => {
  const make = (): string => {
    const { full } = createSamples(
      smallProtocol({ definitions: { Thing: object({ a: TEXT }, []) } }),
    );
    return JSON.stringify(full("Thing"));
  };
  expect(make()).toBe(make());
});

describe("the text of a pattern", () => {
  test.each([
    ["^x+[^x]\\d\\.$", "xa0."],
    ["\\p{Lu}{2}", "AA"],
    ["[\\]a]", "a"],
    ["a{2,}b{0}c{0,1}d?e*", "aacde"],
  ])("matches it: %s", (pattern, text) => {
    expect(textOfPattern(pattern, 1)).toBe(text);
    expect(text).toMatch(new RegExp(pattern, "u"));
  });

  test.each(["(?<!a)b", "(?=a)", "(a)\\1", "a)"])(
    "is undefined for an unsupported pattern: %s",
    (pattern) => {
      expect(textOfPattern(pattern, 1)).toBeUndefined();
    },
  );

  test("is found or undefined within the time limit for any regular expression", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."^$ab01.*+?{,}()[]|\\d-"), maxLength: 14 }),
        (pattern) => {
          fc.pre(isPattern(pattern));
          expect(textOfPattern(pattern, 1)?.length ?? 0).toBeLessThanOrEqual(LONGEST);
        },
      ),
      { numRuns: 3_000, seed: 1 },
    );
  });
});

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
