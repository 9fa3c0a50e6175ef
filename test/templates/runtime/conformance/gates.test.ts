import { describe, expect, test } from "vitest";
import { agent, client, start } from "../../../../templates/conformance/transcript-builder.js";
import { checkConformance, RULES } from "acp-bindings/conformance";
import { OWN_RULES } from "../../../../templates/runtime/conformance/rules/gates.js";
import type { MethodDescriptor } from "../../../../templates/runtime/methods.js";
import { PROFILES } from "../../../use/samples/profiles.js";
import { conversationWith, gatesOf, violationsOf } from "./gated-conversation.js";

async function load(profile: string): Promise<readonly MethodDescriptor[]> {
  const { METHODS } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    METHODS: readonly MethodDescriptor[];
  };
  return METHODS;
}
const v1 = await load("v1-full");
const v2 = await load("v2-full");

describe.each(PROFILES)("every gate of %s that asks for a capability", (profile) => {
  test("is reported without it, with the level of its strength, and not with it", async () => {
    const methods = await load(profile);
    const version = profile.startsWith("v2") ? 2 : 1;
    const gates = gatesOf(methods);
    expect(gates.length).toBeGreaterThan(15);
    for (const gated of gates) {
      const name = `${gated.method.name} ${gated.gate.path.join(".")}`;
      const found = (isOpen: boolean) =>
        violationsOf(conversationWith(gated, methods, version, isOpen), methods);
      expect(found(true), name).toEqual([]);
      const level = gated.gate.strength === "must" ? "error" : "warning";
      expect(
        found(false).map((one) => one.level),
        name,
      ).toEqual([level]);
    }
  });
});

describe("the gates with rules of their own", () => {
  test("are in the tables of methods, and the rules in the table of rules", () => {
    const gates = [...v1, ...v2].flatMap(({ name, places = [] }) => [
      name,
      ...places.map(({ path, tag }) => `${name} ${String(path[0] ?? tag)}`),
    ]);
    const known = new Set([...v1, ...v2].map(({ name }) => name));
    const own = Object.keys(OWN_RULES).filter((gate) => known.has(gate.split(" ")[0]!));
    expect(own.filter((gate) => !gates.includes(gate))).toEqual([]);
    expect(own.length).toBeGreaterThan(15);
    const ids = RULES.map(({ id }) => id);
    expect(Object.values(OWN_RULES).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe("a gate without a rule of its own", () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const methods = v1.map((method) =>
    method.name === "session/set_mode" ? { ...method, name: "session/pick_mode" } : method,
  );
  const pick = (modeId: string) => [
    ...start(1, {}, { modes }),
    client.ask(2, "session/pick_mode", { sessionId: "s", modeId }),
    agent.result(2),
  ];

  test("may depend on the facts of a session", () => {
    expect(violationsOf(pick("ask"), methods)).toEqual([]);
    expect(violationsOf(pick("code"), methods)).toMatchObject([
      { rule: "method-gate", line: 5, path: "/method" },
    ]);
  });
});

describe("the tables of methods", () => {
  const list = (version: number) => [...start(version), client.ask(2, "session/delete")];
  const gateRules = (entries: ReturnType<typeof list>, methods: object) =>
    checkConformance(entries, { methods }).flatMap(({ rule }) =>
      rule === "method-gate" ? [rule] : [],
    );

  test("are chosen by the version that was agreed", () => {
    for (const version of [1, 2]) {
      expect(gateRules(list(version), { 1: v1, 2: v2 })).toEqual(["method-gate"]);
      expect(gateRules(list(version), { [3 - version]: version === 1 ? v2 : v1 })).toEqual([]);
    }
  });

  test("are not applied before the connection is initialized", () => {
    expect(gateRules([client.ask(2, "session/delete")], { 1: v1 })).toEqual([]);
  });
});
