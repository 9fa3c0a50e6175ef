import { describe, expect, test } from "vitest";
import { gatedPlaces, type GatedPlace } from "../../../generators/model/gates/gated-places.js";
import { sessionFacts } from "../../../generators/model/gates/session-facts.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol, type SmallMethod } from "../emit/small-protocol.js";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({
  type: "object",
  properties,
});
const variant = (tag: string, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  required: ["type"],
  ...more,
  properties: { type: { type: "string", const: tag }, ...more.properties },
});
const needs = (name: string): Pick<JsonSchema, "x-gate"> => ({ "x-gate": { client: name } });

/** A protocol whose client can advertise `a` and `b`, and whose method `m` carries the definitions. */
function protocolOf(
  definitions: { readonly [name: string]: JsonSchema },
  methods: readonly SmallMethod[] = [],
) {
  return smallProtocol({
    definitions: {
      Hello: object({ a: { type: "boolean" }, b: { type: "boolean" } }),
      Welcome: { type: "object" },
      ...definitions,
    },
    methods: [
      { name: "initialize", side: "agent", kind: "request", params: "Hello", result: "Welcome" },
      ...(methods.length > 0
        ? methods
        : [{ name: "m", side: "agent" as const, kind: "notification" as const, params: "M" }]),
    ],
  });
}

/** The places of `M`, each in a few characters: path, tag, values, capability. */
function places(definitions: { readonly [name: string]: JsonSchema }): string[] {
  const found = gatedPlaces(protocolOf(definitions).definitions)({ params: "M" });
  return found.map(show);
}

function show({ part, path, tag, values, gate }: GatedPlace): string {
  const steps = path.map((step) => {
    if (typeof step === "string") return step;
    if ("each" in step) return step.each === "item" ? "[]" : "{}";
    return `<${step.tag}${step.not ? "!" : "="}${step.values.join("|")}>`;
  });
  const at = values === undefined ? "" : ` ${tag ?? ""}=${values.join("|")}`;
  return `${part} ${steps.join("/")}${at} ${gate.path.join(".")}`;
}

describe("the gated places of a message", () => {
  test("are fields at any depth", () => {
    const M = object({
      here: { type: "string", ...needs("a") },
      list: { type: "array", items: ref("Inner") },
      map: { type: "object", additionalProperties: ref("Inner") },
    });
    const Inner = object({ deep: { type: "string", ...needs("b") } });
    expect(places({ M, Inner })).toEqual([
      "params here a",
      "params list/[]/deep b",
      "params map/{}/deep b",
    ]);
  });

  test("are variants and values, those with the same gate in one row", () => {
    const M = object({ list: { type: "array", items: ref("U") }, mode: ref("E") });
    const U = {
      oneOf: [variant("x", needs("a")), variant("y", needs("a")), variant("z", needs("b"))],
    };
    const E = {
      oneOf: [
        { type: "string", const: "on", ...needs("a") },
        { type: "string", const: "off" },
      ],
    };
    expect(places({ M, U, E } as { [name: string]: JsonSchema })).toEqual([
      "params list/[] type=x|y a",
      "params list/[] type=z b",
      "params mode =on a",
    ]);
  });

  test("are variants that are gated in one place only", () => {
    const M = object({
      gated: { type: "array", items: ref("U"), "x-variant-gates": { y: { client: "b" } } },
      free: ref("U"),
    });
    const U = { oneOf: [variant("x"), variant("y")] };
    expect(places({ M, U })).toEqual(["params gated/[] type=y b"]);
  });

  test("in variants are named with the variants that have them", () => {
    const field = object({ same: { type: "string", ...needs("a") } });
    const M = { oneOf: [variant("x", field), variant("y", field), variant("z")] };
    expect(places({ M })).toEqual(["params <type=x|y>/same a"]);
  });

  test("in the variant of all other tags are named with the listed ones", () => {
    const other = object({ same: { type: "string", ...needs("a") } });
    const M = { anyOf: [variant("x"), variant("y"), { title: "other", ...other }] };
    expect(places({ M })).toEqual(["params <type!x|y>/same a"]);
  });

  test.each([
    ["true", { type: "boolean" }],
    ["filled", { type: "array", items: { type: "string" } }],
    ["present", { type: "object" }],
  ] as const)("need a capability that is %s, by its type", (test, list) => {
    const M = object({ x: { type: "string", ...needs("list") } });
    const Hello = object({ list });
    const [found] = gatedPlaces(protocolOf({ Hello, M }).definitions)({ params: "M" });
    expect(found!.gate.test).toBe(test);
  });

  test("inside their own kind are found at the first entry only", () => {
    const M = object({ node: ref("Node") });
    const Node = object({
      gated: { type: "string", ...needs("a") },
      children: { type: "array", items: ref("Node") },
    });
    expect(places({ M, Node })).toEqual(["params node/gated a"]);
  });

  test("do not include places that are always open", () => {
    expect(
      places({ M: object({ x: { type: "string", "x-gate": { always: "ungated" } } }) }),
    ).toEqual([]);
  });

  test("require capabilities, the only gates of a part of a message", () => {
    const M = object({ x: { type: "string", "x-gate": { session: "y" } } });
    expect(() => places({ M })).toThrow("not a capability of the agent or the client");
  });

  test("are listed, or refused when their number is not bounded", () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 20 }, (_, index): [string, JsonSchema] => [
        index === 0 ? "M" : `D${index}`,
        object({ a: ref(`D${index + 1}`), b: ref(`D${index + 1}`) }),
      ]),
    );
    const end = (gate: object): JsonSchema => object({ x: { type: "string", ...gate } });
    expect(places({ ...doubled, D20: end({}) })).toEqual([]);
    expect(() => places({ ...doubled, D20: end(needs("a")) })).toThrow("more ways than");
  });
});

describe("the facts about sessions in messages", () => {
  const id: JsonSchema = { type: "string" };
  const definitions: { readonly [name: string]: JsonSchema } = {
    Made: object({ sessionId: id, modes: { type: "array", items: { type: "string" } } }),
    Make: object({ modes: { type: "array", items: { type: "string" } } }),
    Modes: object({ modes: { type: "string" } }),
    Set: object({ sessionId: id, modeId: id }),
    Stop: object({ sessionId: id, jobId: id }),
    Job: { ...object({ jobId: id, sessionId: id, other: id }), required: ["jobId", "sessionId"] },
    Tell: object({ sessionId: id, news: ref("News"), jobs: { type: "array", items: ref("Job") } }),
    News: { oneOf: [variant("job", { allOf: [ref("Job")] }), variant("none")] },
  };
  const gated = (gate: object, params: string): SmallMethod => ({
    name: params.toLowerCase(),
    side: "agent",
    kind: "notification",
    params,
    gate,
  });
  const entry = gated({ session: "modes", entry: { id: "params.modeId" } }, "Set");
  const stop = gated({ session: "Job.can.stop" }, "Stop");

  test("are found at the property or the definition, not in lists and other messages", () => {
    const { definitions: all, methods } = protocolOf(definitions, [
      entry,
      stop,
      { name: "make", side: "agent", kind: "request", params: "Make", result: "Made" },
      { name: "modes", side: "agent", kind: "notification", params: "Modes" },
      { name: "tell", side: "client", kind: "notification", params: "Tell" },
    ]);
    const factsOf = sessionFacts(all, methods);
    const facts = Object.fromEntries(methods.map((method) => [method.name, factsOf(method)]));
    expect(facts).toEqual({
      initialize: [],
      set: [],
      stop: [],
      make: [
        { part: "params", path: [], fact: "modes" },
        { part: "result", path: [], fact: "modes" },
      ],
      modes: [],
      tell: [
        {
          part: "params",
          path: ["news", { tag: "type", values: ["job"] }],
          fact: "Job",
          id: "jobId",
        },
      ],
    });
  });

  test("must refer to an object that the params name", () => {
    const { Stop: _, ...rest } = definitions;
    const { definitions: all, methods } = protocolOf({ ...rest, Stop: object({ sessionId: id }) }, [
      stop,
    ]);
    expect(() => sessionFacts(all, methods)).toThrow('do not say which "Job"');
  });
});
