import { describe, expect, test } from "vitest";
import { compose } from "../../../generators/schema/compose.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { InputError, type Problem } from "../../../generators/schema/problem.js";
import { publishSchema } from "../../../generators/schema/compose/publish.js";
import type { FeatureSource, ProtocolSource } from "../../../generators/schema/source/sources.js";
import { featureOf, protocolOf, requestOf } from "./sources.js";

const object: JsonSchema = { type: "object", properties: { a: { type: "string" } } };
const tagged = (...tags: string[]): JsonSchema => ({
  anyOf: [
    ...tags.map((tag): JsonSchema => ({
      type: "object",
      properties: { type: { type: "string", const: tag } },
      required: ["type"],
    })),
    {
      title: "other",
      type: "object",
      properties: { type: { type: "string" } },
      required: ["type"],
    },
  ],
});

describe("features add", () => {
  test("a property appears in the definition, marked with its feature, published without the mark", () => {
    const feature = featureOf("more", {
      add: { Thing: { properties: { b: { type: "integer" } } } },
    });
    const bundle = compose(protocolOf({ Thing: object }, [], [feature]), ["more"]);
    expect(bundle.definitions.get("Thing")?.schema.properties?.["b"]).toMatchObject({
      "x-feature": "more",
    });
    expect(publishSchema(bundle).$defs?.["Thing"]?.properties?.["b"]).toEqual({ type: "integer" });
  });

  test("texts that end with the status of the feature once they are published", () => {
    const feature = featureOf("more", {
      status: "unstable",
      definitions: { Extra: { description: "An extra.", type: "string" } },
      add: { Thing: { properties: { b: { description: "A count.", type: "integer" } } } },
    });
    const bundle = compose(protocolOf({ Thing: object }, [], [feature]), ["more"]);
    const { Extra, Thing } = publishSchema(bundle).$defs!;
    expect(Extra!.description).toMatch(/^An extra\. Unstable: /);
    expect(Thing!.properties!["b"]!.description).toMatch(/^A count\. Unstable: /);
    expect(bundle.definitions.get("Extra")!.schema.description).toBe("An extra.");
  });

  test("a variant is inserted before the variant for unknown tags, which then excludes it", () => {
    const feature = featureOf("more", { add: { Thing: { anyOf: [tagged("c").anyOf![0]!] } } });
    const schema = composed(
      protocolOf({ Thing: tagged("a", "b") }, [], [feature]),
      ["more"],
      "Thing",
    );
    expect(tagsOf(schema)).toEqual(["a", "b", "c", "other"]);
    expect(
      schema.anyOf!.at(-1)!.not!.anyOf!.map((part) => part.properties!["type"]!.const),
    ).toEqual(["a", "b", "c"]);
  });

  test("a variant with x-after is inserted behind the last of those that are present", () => {
    const variant: JsonSchema = { ...tagged("c").anyOf![0]!, "x-after": ["a", "missing"] };
    const feature = featureOf("more", { add: { Thing: { anyOf: [variant] } } });
    const off = featureOf("off", { add: { Thing: { anyOf: [tagged("missing").anyOf![0]!] } } });
    const schema = composed(
      protocolOf({ Thing: tagged("a", "b") }, [], [feature, off]),
      ["more"],
      "Thing",
    );
    expect(tagsOf(schema)).toEqual(["a", "c", "b", "other"]);
  });

  test("a method with after is behind its predecessor in the envelope unions", () => {
    const base = ["One", "Two"].map((name) => requestOf(`x/${name}`, "agent", "Thing", "Thing"));
    const feature = featureOf("more", {
      methods: [{ ...requestOf("x/new", "agent", "Thing", "Thing"), after: ["x/One"] }],
    });
    const bundle = compose(protocolOf({ Thing: object }, base, [feature]), ["more"]);
    expect(bundle.methods.map(({ name }) => name)).toEqual(["x/One", "x/new", "x/Two"]);
  });

  test("an addition with another feature appears only together with it", () => {
    const one = featureOf("one", {
      with: { two: { Thing: { properties: { both: { type: "string" } } } } },
    });
    const two = featureOf("two", { add: { Thing: { properties: { two: { type: "string" } } } } });
    const protocol = protocolOf({ Thing: object }, [], [one, two]);
    expect(Object.keys(composed(protocol, ["two"], "Thing").properties!)).toEqual(["a", "two"]);
    expect(Object.keys(composed(protocol, ["one", "two"], "Thing").properties!).sort()).toEqual([
      "a",
      "both",
      "two",
    ]);
  });

  test("the order in which features are named has no effect", () => {
    const features = ["one", "two", "three"].map((name) =>
      featureOf(name, {
        definitions: { [`D${name}`]: object },
        add: { Thing: { anyOf: [tagged(name).anyOf![0]!] } },
      }),
    );
    const protocol = protocolOf({ Thing: tagged("a") }, [], features);
    const texts = [
      ["one", "two", "three"],
      ["three", "two", "one"],
      ["two", "three", "one"],
    ].map((names) => JSON.stringify(publishSchema(compose(protocol, names))));
    expect(new Set(texts).size).toBe(1);
  });
});

describe("composition refuses", () => {
  const adding = (add: FeatureSource["add"]) => [featureOf("more", { add })];
  const cases: { readonly [rule: string]: readonly [features: FeatureSource[], message: string] } =
    {
      "a definition that exists, naming both files": [
        [featureOf("more", { definitions: { Thing: object } })],
        'the definition "Thing" is already in schema/v9/base/things.json',
      ],
      "the same definition from two features, naming both files": [
        [
          featureOf("a", { definitions: { New: object } }),
          featureOf("b", { definitions: { New: object } }),
        ],
        'the definition "New" is already in schema/v9/features/a.json',
      ],
      "a property that exists with another schema": [
        adding({ Thing: { properties: { a: { type: "integer" } } } }),
        'the property "a" is already in schema/v9/base/things.json, with another schema',
      ],
      "an addition that changes nothing": [
        adding({ Thing: { properties: { a: { type: "string" } } } }),
        "the addition has no effect",
      ],
      "the same property from two features": [
        [
          featureOf("a", { add: { Thing: { properties: { b: object } } } }),
          featureOf("b", { add: { Thing: { properties: { b: object } } } }),
        ],
        'already in the feature "a"',
      ],
      "an addition to an unknown definition, with the nearest name": [
        adding({ Thin: { properties: { b: object } } }),
        'unknown definition "Thin". Did you mean "Thing"?',
      ],
      "an addition to its own definition": [
        [
          featureOf("more", {
            definitions: { New: object },
            add: { New: { properties: { b: object } } },
          }),
        ],
        "the feature's own definition",
      ],
      "a variant for a definition without variants": [
        adding({ Thing: { oneOf: [{ type: "string", const: "x" }] } }),
        '"Thing" has no oneOf to add to',
      ],
      "the same value twice in one addition": [
        adding({
          Kind: {
            oneOf: [
              { type: "string", const: "x" },
              { type: "string", const: "x" },
            ],
          },
        }),
        'the variant "x" is already in',
      ],
      "properties for what is no object": [
        adding({ Kind: { properties: { b: object } } }),
        '"Kind" is not an object',
      ],
      "a predecessor that does not exist": [
        [
          featureOf("more", {
            methods: [{ ...requestOf("x/y", "agent", "Thing", "Thing"), after: ["x/z"] }],
          }),
        ],
        'unknown method "x/z"',
      ],
      "a variant to stand behind that does not exist": [
        adding({ Kind: { oneOf: [{ type: "string", const: "x", "x-after": ["aa"] }] } }),
        'unknown variant "aa". Did you mean "a"?',
      ],
      "`_meta` beside x-meta": [
        [
          featureOf("more", {
            definitions: { New: { type: "object", "x-meta": true, properties: { _meta: object } } },
          }),
        ],
        "`x-meta` declares this property too",
      ],
      "a dangling reference": [
        [featureOf("more", { definitions: { New: { $ref: "#/$defs/Nowhere" } } })],
        'unknown definition "Nowhere"',
      ],
      "a definition that refers only to itself": [
        [
          featureOf("more", {
            definitions: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } },
          }),
        ],
        "refers only to itself",
      ],
      "a method without its definitions": [
        [featureOf("more", { methods: [requestOf("x/y", "agent", "Nope", "Thing")] })],
        'unknown definition "Nope"',
      ],
      "a method that exists": [
        [
          featureOf("a", { methods: [requestOf("x", "agent", "Thing", "Thing")] }),
          featureOf("b", { methods: [requestOf("x", "agent", "Thing", "Thing")] }),
        ],
        'the request "x" handled by the agent is already in schema/v9/features/a.json',
      ],
      "a default of the wrong type in a property that it adds": [
        adding({ Thing: { properties: { b: { type: "integer", default: "one" } } } }),
        "the default does not fit its schema: it must be integer",
      ],
      "a default that does not fit what it refers to": [
        [
          featureOf("more", {
            definitions: {
              Level: { type: "integer", minimum: 1 },
              New: {
                type: "object",
                properties: { level: { $ref: "#/$defs/Level", default: 0 } },
              },
            },
          }),
        ],
        "the default does not fit its schema: it must be >= 1",
      ],
      "a default that lacks what is required, however much of it is completed": [
        [
          featureOf("more", {
            definitions: {
              Part: {
                type: "object",
                properties: { a: { type: "string", default: "" }, b: { type: "string" } },
                required: ["a", "b"],
              },
              New: { type: "object", properties: { part: { $ref: "#/$defs/Part", default: {} } } },
            },
          }),
        ],
        "it must have required property 'b'",
      ],
      "an interaction with an unknown feature": [
        [featureOf("more", { with: { mor: { Thing: { properties: { b: object } } } } })],
        'v9 has no feature "mor"',
      ],
    };
  test.each(Object.entries(cases))("%s", (_, [features, message]) => {
    const protocol = protocolOf(
      { Thing: object, Kind: { oneOf: [{ type: "string", const: "a" }] } },
      [],
      features,
    );
    const problems = problemsOf(() =>
      compose(
        protocol,
        features.map(({ name }) => name),
      ),
    );
    const texts = problems.map((problem) => `${problem.message}. ${problem.hint ?? ""}`);
    expect(texts.join("\n")).toContain(message);
    for (const { file, pointer } of problems) {
      expect(file).toMatch(/^schema\/v9\/features\//);
      expect(pointer === undefined || pointer.startsWith("/")).toBe(true);
    }
  });

  test("a definition that takes the published name of a part", () => {
    const protocol = {
      ...protocolOf({}, [], [featureOf("more", { definitions: { KindA: object } })]),
      partNames: { "Kind/a": "KindA" },
    };
    expect(problemsOf(() => compose(protocol, ["more"]))).toEqual([
      {
        file: "schema/v9/features/more.json",
        pointer: "/$defs/KindA",
        message: '"KindA" is the name of Kind/a in generated code',
        hint: "Rename the definition.",
      },
    ]);
  });

  test("an unknown definition in `with` for a feature that is off", () => {
    const more = featureOf("more", {
      with: { off: { Thin: { properties: { b: object } }, Own: { properties: { b: object } } } },
    });
    const off = featureOf("off", { definitions: { Own: object } });
    const protocol = protocolOf({ Thing: object }, [], [more, off]);
    expect(problemsOf(() => compose(protocol, ["more"]))).toEqual([
      {
        file: more.file,
        pointer: "/with/off/Thin",
        message: 'unknown definition "Thin"',
        hint: 'Did you mean "Thing"?',
      },
    ]);
  });

  test("an unknown feature, with the nearest name, as a usage error", () => {
    const protocol = protocolOf({ Thing: object }, [], [featureOf("session_fork", {})]);
    const run = (): unknown => compose(protocol, ["session_frok"]);
    expect(problemsOf(run)[0]).toMatchObject({
      message: 'v9 has no feature "session_frok"',
      hint: 'Did you mean "session_fork"?',
    });
    expect(run).toThrow(expect.objectContaining({ kind: "usage" }));
  });

  test("features that require themselves, as a mistake of their files, in addition to other mistakes", () => {
    const circle = [
      featureOf("a", { requires: ["b"] }),
      featureOf("b", { requires: ["a", "c"] }),
      featureOf("own", { requires: ["own"] }),
      featureOf("c", {}),
    ];
    const run = (): unknown =>
      compose(protocolOf({ Thing: object }, [], circle), ["a", "b", "own"]);
    expect(run).toThrow(expect.objectContaining({ kind: "schema" }));
    expect(problemsOf(run)).toEqual(
      ["a", "b", "own"].map((name) => ({
        file: `schema/v9/features/${name}.json`,
        pointer: "/requires",
        message: `the feature "${name}" requires itself`,
        hint: "Remove one requirement of the circle.",
      })),
    );
  });

  test("a feature without the one it requires", () => {
    const protocol = protocolOf(
      { Thing: object },
      [],
      [featureOf("a", {}), featureOf("b", { requires: ["a"] })],
    );
    expect(problemsOf(() => compose(protocol, ["b"]))[0]?.message).toBe(
      'the feature "b" needs the feature "a"',
    );
    expect(() => compose(protocol, ["a", "b"])).not.toThrow();
  });
});

test("a feature may require, and be combined with, what has become part of the base", () => {
  const more = featureOf("more", {
    requires: ["old"],
    with: { old: { Thing: { properties: { b: object } } } },
  });
  const protocol = { ...protocolOf({ Thing: object }, [], [more]), promoted: { old: "1.0.0" } };
  expect(composed(protocol, ["more"], "Thing").properties).toHaveProperty("b");
});

describe("composition derives", () => {
  test("a reference with a description becomes allOf, a bare one stays", () => {
    const schema = composed(
      protocolOf({
        Id: { type: "string" },
        Thing: {
          type: "object",
          properties: { id: { $ref: "#/$defs/Id", description: "Its id." } },
        },
      }),
      [],
      "Thing",
    );
    expect(schema.properties?.["id"]).toEqual({
      description: "Its id.",
      allOf: [{ $ref: "#/$defs/Id" }],
    });
  });

  test("x-meta becomes the lenient _meta property", () => {
    const schema = composed(
      protocolOf({ Thing: { type: "object", "x-meta": "Mine." } }),
      [],
      "Thing",
    );
    expect(schema.properties?.["_meta"]).toEqual({
      description: "Mine.",
      type: ["object", "null"],
      additionalProperties: true,
      "x-deserialize-default-on-error": true,
    });
  });

  test("an empty default of a reference is completed with the defaults of what it refers to, recursively", () => {
    const flag = { type: "boolean", default: false };
    const schema = composed(
      protocolOf({
        Inner: { type: "object", properties: { on: flag, name: { type: "string" } } },
        Outer: { type: "object", properties: { inner: { $ref: "#/$defs/Inner", default: {} } } },
        Thing: { type: "object", properties: { outer: { $ref: "#/$defs/Outer", default: {} } } },
      }),
      [],
      "Thing",
    );
    expect(schema.properties?.["outer"]?.default).toEqual({ inner: { on: false } });
  });

  test("the method's side and name are on its params and result", () => {
    const protocol = protocolOf({ P: object, R: object }, [requestOf("x/y", "client", "P", "R")]);
    expect(composed(protocol, [], "R")).toMatchObject({ "x-side": "client", "x-method": "x/y" });
  });
});

function composed(protocol: ProtocolSource, features: readonly string[], name: string): JsonSchema {
  return compose(protocol, features).definitions.get(name)!.schema;
}

function tagsOf(schema: JsonSchema): unknown[] {
  return schema.anyOf!.map((variant) => variant.properties?.["type"]?.const ?? variant.title);
}

function problemsOf(run: () => unknown): readonly Problem[] {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  throw new Error("nothing was refused");
}
