import { describe, expect, test } from "vitest";
import { withoutGated } from "../../../generators/model/sample/without-gated.js";
import { createSamples } from "../../../generators/model/sample/sample.js";
import type { Json, JsonObject } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../emit/small-protocol.js";

describe("a value without the parts that need a capability", () => {
  test("lacks gated properties, unless they are null or empty lists", () => {
    const paths = [{ path: ["a", "b"] }];
    expect(withoutGated({ a: { b: 1, c: 2 } }, paths)).toEqual({ a: { c: 2 } });
    for (const b of [null, []]) expect(withoutGated({ a: { b } }, paths)).toEqual({ a: { b } });
  });

  test("lacks the items of lists and the values of maps with a gated tag", () => {
    const items = { path: ["list", { each: "item" }], tag: "type", values: ["x"] } as const;
    expect(withoutGated({ list: [{ type: "x" }, { type: "y" }] }, [items])).toEqual({
      list: [{ type: "y" }],
    });
    const values = { path: [{ each: "value" }], values: ["x"] } as const;
    expect(withoutGated({ one: "x", other: "y" }, [values])).toEqual({ other: "y" });
  });

  test("lacks a property below the values of a tag alone, or below all others", () => {
    const path = [{ tag: "type", values: ["x"] }, "a"] as const;
    expect(withoutGated({ type: "x", a: 1 }, [{ path }])).toEqual({ type: "x" });
    expect(withoutGated({ type: "y", a: 1 }, [{ path }])).toEqual({ type: "y", a: 1 });
    const others = [{ tag: "type", values: ["x"], not: true }, "a"] as const;
    expect(withoutGated({ type: "x", a: 1 }, [{ path: others }])).toEqual({ type: "x", a: 1 });
    expect(withoutGated({ type: "y", a: 1 }, [{ path: others }])).toEqual({ type: "y" });
  });

  test("is undefined when it needs a capability as a whole", () => {
    expect(withoutGated({ type: "x" }, [{ path: [], tag: "type", values: ["x"] }])).toBeUndefined();
  });
});

/** The typical sample of a definition whose property `b` needs a capability. */
function typical(examples: readonly JsonObject[], required: readonly string[]): Json {
  const text = { type: "string" } as const;
  const initialize = {
    type: "object",
    properties: { protocolVersion: { type: "integer" } },
  } as const;
  const protocol = smallProtocol({
    definitions: {
      Thing: {
        type: "object",
        properties: { a: text, b: { ...text, "x-gate": { client: "capabilities.more" } }, c: text },
        required,
        examples,
      },
      InitializeRequest: {
        ...initialize,
        properties: { ...initialize.properties, capabilities: { $ref: "#/$defs/Capabilities" } },
      },
      InitializeResponse: initialize,
      Capabilities: { type: "object", properties: { more: { type: "boolean" } } },
    },
    methods: [
      {
        name: "initialize",
        params: "InitializeRequest",
        result: "InitializeResponse",
        gate: { always: "baseline" },
      },
    ],
  });
  return createSamples(protocol).typical("Thing");
}

describe("the typical sample of a definition with gates", () => {
  test("is the example with the most that needs no capability", () => {
    expect(typical([{ a: "1", b: "2" }], ["a"])).toEqual({ a: "1" });
    expect(
      typical(
        [
          { b: "1", a: "2" },
          { a: "3", c: "4" },
        ],
        ["a"],
      ),
    ).toEqual({ a: "3", c: "4" });
  });

  test("needs a capability where its definition does", () => {
    expect(typical([{ b: "1", c: "2" }], ["b"])).toEqual({ b: "1", c: "2" });
  });
});
