import { describe, expect, test } from "vitest";
import { missingCapability } from "../../../../templates/runtime/gates/capability.js";
import type { MethodGate } from "../../../../templates/runtime/methods.js";

describe("a gate is open", () => {
  const capability = (test: "true" | "filled" | "present"): MethodGate => ({
    kind: "capability",
    side: "agent",
    path: ["a", "b"],
    test,
    strength: "must",
  });

  test.each<[string, "true" | "filled" | "present", unknown, boolean]>([
    ["accepts true", "true", { b: true }, true],
    ["rejects false", "true", { b: false }, false],
    ["rejects an object for a switch", "true", { b: {} }, false],
    ["accepts a list with an entry", "filled", { b: [1] }, true],
    ["rejects an empty list", "filled", { b: [] }, false],
    ["rejects an object with a length", "filled", { b: { length: 1 } }, false],
    ["accepts a present object", "present", { b: {} }, true],
    ["rejects null", "present", { b: null }, false],
    ["rejects an absent value", "present", {}, false],
    ["rejects an inherited value", "present", Object.create({ b: {} }), false],
    ["rejects a path through a list", "present", [{ b: {} }], false],
    ["rejects a path through null", "present", null, false],
  ])("%s", (_, test, a, open) => {
    const missing = missingCapability(capability(test), { agent: { a } });
    expect(missing).toBe(open ? undefined : "a.b");
  });

  test("not for a capability of the other side, or one of no side", () => {
    expect(missingCapability(capability("present"), { client: { a: { b: {} } } })).toBe("a.b");
    expect(missingCapability(capability("present"), {})).toBe("a.b");
  });

  test("when it is absent, always open, or depends on what a session shows", () => {
    const gates: (MethodGate | undefined)[] = [
      undefined,
      { kind: "always", reason: "baseline" },
      { kind: "entry", side: "agent", path: ["a"], entry: {}, except: {}, strength: "must" },
      { kind: "capability", side: "session", path: ["a"], test: "present", strength: "must" },
    ];
    for (const gate of gates) expect(missingCapability(gate, {})).toBeUndefined();
  });

  test("not for a key of metadata, even if the params name it", () => {
    const gate: MethodGate = {
      kind: "key",
      side: "client",
      path: ["a"],
      key: "params.mode",
      strength: "must",
    };
    const client = { a: { _meta: {}, form: {} } };
    expect(missingCapability(gate, { client }, { mode: "form" })).toBeUndefined();
    expect(missingCapability(gate, { client }, { mode: "_meta" })).toBe("a._meta");
    expect(missingCapability(gate, { client: { a: { _meta: {} } } })).toBe("a");
  });
});
