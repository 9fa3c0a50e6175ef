import { describe, expect, test } from "vitest";
import { canonicalJson, type JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { publishSchema } from "../../../generators/schema/compose/publish.js";
import { composed, validatorOf, sources } from "./canonical.js";
import { IS_DEEP } from "../../support/deep.js";

/** Adds the features that some features require. */
function withRequired(protocol: string, names: readonly string[]): string[] {
  const { features } = sources.protocols.get(protocol)!;
  return [...new Set(names.flatMap((name) => [name, ...features.get(name)!.requires]))];
}

describe.each(["v1", "v2"])("the features of %s", (protocol) => {
  const names = [...sources.protocols.get(protocol)!.features.keys()];

  test("are the unstable ones, next edit suggestions and the proposed ones", () => {
    const byStatus = (status: string): string[] =>
      names.filter(
        (name) => sources.protocols.get(protocol)!.features.get(name)!.status === status,
      );
    expect(byStatus("unstable")).toEqual(sources.profiles.get(`${protocol}-unstable`)!.features);
    expect(byStatus("frozen")).toContain("nes");
    expect(byStatus("proposed")).toEqual(
      expect.arrayContaining(["agent_message_clear", "nes_ide_actions"]),
    );
    expect(names).toEqual(sources.profiles.get(`${protocol}-full`)!.features);
  });

  const pairs = names.flatMap((name, index) => names.slice(index).map((other) => [name, other]));
  // The two versions share most features: every pair of v1, and a sample of v2.
  const sample = IS_DEEP ? pairs : pairs.filter((_, index) => index % 6 === 0);

  test(`compose alone and in pairs: ${sample.length} of ${pairs.length}`, () => {
    const { size } = composed(protocol).definitions;
    for (const pair of sample) {
      const bundle = composed(protocol, withRequired(protocol, pair));
      expect(bundle.definitions.size, pair.join(" and ")).toBeGreaterThanOrEqual(size);
    }
  });

  test("give the same bytes independent of their order", () => {
    const texts = [names, names.toReversed(), rotated(names, 5), rotated(names, 11)].map((order) =>
      JSON.stringify(publishSchema(composed(protocol, order))),
    );
    expect(new Set(texts).size).toBe(1);
  });

  test("only add: the schema below them stays unchanged", () => {
    const base = publishSchema(composed(protocol)) as JsonSchema;
    for (const name of names) {
      const extended = publishSchema(composed(protocol, withRequired(protocol, [name])));
      for (const [definition, schema] of Object.entries(base.$defs!)) {
        const now = extended.$defs![definition]!;
        if (canonicalJson(now) === canonicalJson(schema)) continue;
        const properties = Object.keys(schema.properties ?? {});
        expect(Object.keys(now.properties ?? {}), `${name}: ${definition}`).toEqual(
          expect.arrayContaining(properties),
        );
        expect(now.required, `${name}: ${definition}`).toEqual(schema.required);
        expect((now.oneOf ?? now.anyOf ?? []).length).toBeGreaterThanOrEqual(
          (schema.oneOf ?? schema.anyOf ?? []).length,
        );
      }
    }
  });
});

test.each(["v1", "v2"])(
  "the results that methods of %s state fit their definitions",
  (protocol) => {
    const bundle = composed(protocol, sources.profiles.get(`${protocol}-full`)!.features);
    const validate = validatorOf(bundle);
    const stated = bundle.methods.flatMap(({ name, result, cancelledResult, impliedResult }) =>
      [cancelledResult, impliedResult].flatMap((value) =>
        value === undefined ? [] : [`${name}: ${validate(result!, value) ?? "fits"}`],
      ),
    );
    expect(stated.length).toBeGreaterThan(2);
    expect(stated.filter((text) => !text.endsWith(": fits"))).toEqual([]);
  },
);

describe("messages of the base stay valid under every feature", () => {
  test.each(["v1", "v2"])("all examples of %s", (protocol) => {
    const base = composed(protocol);
    const full = validatorOf(
      composed(protocol, sources.profiles.get(`${protocol}-full`)!.features),
    );
    let count = 0;
    for (const method of base.methods) {
      for (const example of method.examples) {
        expect(
          full(method.params, example.params),
          `${method.name}: ${example.title}`,
        ).toBeUndefined();
        if (method.result !== undefined) {
          expect(
            full(method.result, example.result),
            `${method.name}: ${example.title}`,
          ).toBeUndefined();
        }
        count++;
      }
    }
    expect(count).toBeGreaterThan(30);
  });

  /**
   * Openness makes counterexamples: a value that a base takes as unknown or
   * leaves alone, and that names what a feature gives a meaning.
   */
  const counterexamples: readonly [
    protocol: string,
    feature: string,
    definition: string,
    value: unknown,
  ][] = [
    ["v2", "mcp_over_acp", "McpServer", { type: "acp" }],
    ["v2", "agent_message_clear", "SessionUpdate", { sessionUpdate: "agent_message_clear" }],
    ["v1", "end_turn_token_usage", "PromptResponse", { stopReason: "end_turn", usage: 5 }],
    ["v1", "nes", "ClientCapabilities", { positionEncodings: "utf-8" }],
  ];
  test.each(counterexamples)(
    "except for the known case %s %s %s %j",
    (protocol, feature, definition, value) => {
      expect(validatorOf(composed(protocol))(definition, value)).toBeUndefined();
      const extended = validatorOf(composed(protocol, withRequired(protocol, [feature])));
      expect(extended(definition, value)).toBeDefined();
    },
  );
});

describe("agent_message_clear", () => {
  const update = (fields: object): object => ({ sessionUpdate: "agent_message_clear", ...fields });

  test("takes a message id or none in v1", () => {
    const validate = validatorOf(composed("v1", ["agent_message_clear"]));
    expect(validate("SessionUpdate", update({}))).toBeUndefined();
    expect(validate("SessionUpdate", update({ messageId: "m1" }))).toBeUndefined();
    expect(validate("SessionUpdate", update({ messageId: null }))).toBeUndefined();
    expect(validate("SessionUpdate", update({ messageId: 1 }))).toBeDefined();
    expect(validatorOf(composed("v1"))("SessionUpdate", update({}))).toBeDefined();
  });

  test("requires the message id in v2", () => {
    const validate = validatorOf(composed("v2", ["agent_message_clear"]));
    expect(validate("SessionUpdate", update({ messageId: "m1" }))).toBeUndefined();
    expect(validate("SessionUpdate", update({}))).toBeDefined();
  });
});

function rotated<T>(items: readonly T[], by: number): T[] {
  return [...items.slice(by), ...items.slice(0, by)];
}
