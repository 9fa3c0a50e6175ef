import { describe, expect, test } from "vitest";
import { agent, client, start } from "../../../../templates/site/rules/transcript-builder.js";
import { checkConformance, RULES } from "acp-bindings/conformance";
import { OWN_RULES } from "../../../../templates/typescript/runtime/conformance/rules/gates.js";
import type { MethodDescriptor } from "../../../../templates/typescript/runtime/methods.js";

async function load(profile: string): Promise<readonly MethodDescriptor[]> {
  const { METHODS } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    METHODS: readonly MethodDescriptor[];
  };
  return METHODS;
}
const v1 = await load("v1-full");
const v2 = await load("v2-full");

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
    const gatesOf = (modeId: string) =>
      checkConformance(pick(modeId), { methods }).filter(({ rule }) => rule.endsWith("-gate"));
    expect(gatesOf("ask")).toEqual([]);
    expect(gatesOf("code")).toMatchObject([{ rule: "method-gate", line: 5, path: "/method" }]);
  });
});

test("a gate without a rule of its own holds for notifications", () => {
  const methods = v1.map((method) =>
    method.name === "document/didOpen" ? { ...method, name: "document/opened" } : method,
  );
  const found = checkConformance([...start(1), client.notify("document/opened")], { methods });
  expect(found.map(({ rule }) => rule)).toContain("method-gate");
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
