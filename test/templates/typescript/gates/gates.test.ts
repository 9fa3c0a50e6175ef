import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { Gates } from "../../../../templates/typescript/runtime/gates/gates.js";
import { filterAdvertised } from "../../../../templates/typescript/runtime/gates/filter-advertised.js";
import {
  authenticate,
  cancelCall,
  close,
  initialize,
  list,
  METHODS,
  open,
  setMode,
  setOption,
  update,
} from "./gated-methods.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Both sides with what they advertise. */
function gatesWith(agent: object = {}, client: object = {}): Gates {
  const gates = new Gates(METHODS);
  gates.advertise("client", { client });
  gates.advertise("agent", { agent });
  return gates;
}

/** An own property named `__proto__`, as JSON.parse creates it. */
const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  0,
  "",
  "text",
  true,
  [],
  [null, [], {}],
  {},
  { sessionId: 1 },
  { sessionId: null, update: [] },
  { sessionId: "s", update: { kind: {} } },
  { sessionId: "s", update: { kind: "call", callId: {}, can: 3 } },
  { sessionId: "s", update: { kind: "options", options: { length: 9 } } },
  { sessionId: "__proto__", update: { kind: "__proto__" } },
  { sessionId: "s", modes: { available: [null, 1, { id: 1 }, { id: null }, []] }, options: "no" },
  JSON.parse('{"__proto__":{"sessionId":"s","update":{"kind":"notice"}}}'),
  JSON.parse('{"sessionId":"s","update":{"kind":"call","callId":"__proto__","can":{"cancel":{}}}}'),
  { env: JSON.parse('{"__proto__":"secret"}') as unknown },
  Object.create({ update: { kind: "notice" }, roots: ["/"], env: { a: "secret" } }),
];

describe("a method may be used", () => {
  test("with the entry that its params name, unless that kind does not count", () => {
    const gates = new Gates(METHODS);
    gates.advertise("agent", { authMethods: [{ id: "key" }, { id: "tui", type: "terminal" }, 7] });
    expect(gates.missing(authenticate)).toBeUndefined();
    expect(gates.missing(authenticate, { methodId: "key" })).toBeUndefined();
    expect(gates.missing(authenticate, { methodId: "tui" })).toBe("authMethods");
    expect(gates.missing(authenticate, { methodId: "other" })).toBe("authMethods");
    expect(gates.missing(authenticate, {})).toBe("authMethods");
    gates.advertise("agent", { authMethods: { id: "key" } });
    expect(gates.missing(authenticate, { methodId: "key" })).toBe("authMethods");
  });
});

describe("a session's gate", () => {
  const opened = { sessionId: "s", modes: { available: [{ id: "code" }] }, options: [{ id: "o" }] };
  const call = (callId: string, can?: unknown, sessionId = "s"): object => ({
    sessionId,
    update: { kind: "call", callId, ...(can !== undefined && { can }) },
  });

  test("is open while the session is unknown", () => {
    const gates = gatesWith();
    for (const method of [setMode, setOption, cancelCall]) {
      expect(gates.missing(method, { sessionId: "s" })).toBeUndefined();
      expect(gates.missing(method, {})).toBeUndefined();
    }
  });

  test("is open without params: it depends on them", () => {
    const gates = gatesWith();
    gates.learn(open, {}, { sessionId: "s" });
    expect(gates.missing(setMode)).toBeUndefined();
  });

  test("requires an entry of the list that the session was opened with", () => {
    const gates = gatesWith();
    gates.learn(open, { sessionId: "not this one" }, opened);
    expect(gates.missing(setMode, { sessionId: "s", modeId: "code" })).toBeUndefined();
    expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBe("modes.available");
    expect(gates.missing(setMode, { sessionId: "s", modeId: 1 })).toBe("modes.available");
    expect(gates.missing(setMode, { sessionId: "other", modeId: "ask" })).toBeUndefined();
    expect(gates.missing(setMode, { sessionId: "not this one", modeId: "ask" })).toBeUndefined();
  });

  test("is closed when the session was opened without the list, also with null", () => {
    for (const modes of [undefined, null]) {
      const gates = gatesWith();
      gates.learn(open, {}, { sessionId: "s", modes });
      expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBe("modes.available");
    }
  });

  test("stays open when the list is malformed", () => {
    for (const modes of [7, [], { available: "code" }, { available: { 0: "code" } }]) {
      const gates = gatesWith();
      gates.learn(open, {}, { sessionId: "s", modes });
      expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBeUndefined();
    }
  });

  test("follows the list through updates and results", () => {
    const gates = gatesWith();
    const missing = (optionId: string): unknown =>
      gates.missing(setOption, { sessionId: "s", optionId });
    gates.learn(open, {}, opened);
    expect([missing("o"), missing("p")]).toEqual([undefined, "options"]);
    gates.learn(update, { sessionId: "s", update: { kind: "options", options: [{ id: "p" }] } });
    expect([missing("o"), missing("p")]).toEqual(["options", undefined]);
    gates.learn(setOption, { sessionId: "s" }, { options: [{ id: "o" }, { id: "p" }] });
    expect([missing("o"), missing("p")]).toEqual([undefined, undefined]);
    // Only the params of the request count, not those in its result.
    gates.learn(setOption, { sessionId: "s", options: [] });
    expect(missing("o")).toBeUndefined();
  });

  test("keeps the list of an update that came before the session's own result", () => {
    const gates = gatesWith();
    gates.learn(update, { sessionId: "s", update: { kind: "options", options: [{ id: "p" }] } });
    gates.learn(open, {}, { sessionId: "s" });
    expect(gates.missing(setOption, { sessionId: "s", optionId: "p" })).toBeUndefined();
    expect(gates.missing(setOption, { sessionId: "s", optionId: "o" })).toBe("options");
  });

  test("follows the capabilities of an object in the session: absence keeps them, null and other values remove them", () => {
    const gates = gatesWith();
    const missing = (callId: string, sessionId = "s"): unknown =>
      gates.missing(cancelCall, { sessionId, callId });
    gates.learn(update, call("c"));
    expect(missing("c")).toBe("Call.can.cancel");
    gates.learn(update, call("c", { cancel: {} }));
    expect([missing("c"), missing("d")]).toEqual([undefined, "Call.can.cancel"]);
    expect(missing("c", "other")).toBeUndefined();
    gates.learn(update, call("c"));
    expect(missing("c")).toBeUndefined();
    for (const can of [null, {}, { cancel: null }, 3, []]) {
      gates.learn(update, call("c", { cancel: {} }));
      expect(missing("c")).toBeUndefined();
      gates.learn(update, call("c", can));
      expect(missing("c")).toBe("Call.can.cancel");
    }
  });

  test("is open again when the session was closed, but not when the close request failed", () => {
    const gates = gatesWith();
    gates.learn(open, {}, opened);
    gates.learn(close, { sessionId: "s" });
    expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBe("modes.available");
    gates.learn(close, { sessionId: "s" }, {});
    expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBeUndefined();
  });

  test("is open for forgotten facts: objects beyond 1000, long lists and old sessions", () => {
    const gates = gatesWith();
    for (let index = 0; index < 1000; index++)
      gates.learn(update, call(`c${index}`, { cancel: {} }));
    expect(gates.missing(cancelCall, { sessionId: "s", callId: "x" })).toBe("Call.can.cancel");
    gates.learn(update, call("c1000", { cancel: {} }));
    expect(gates.missing(cancelCall, { sessionId: "s", callId: "c0" })).toBeUndefined();

    const available = Array.from({ length: 1001 }, (_, index) => ({ id: `m${index}` }));
    gates.learn(open, {}, { sessionId: "long", modes: { available } });
    expect(gates.missing(setMode, { sessionId: "long", modeId: "ask" })).toBeUndefined();

    gates.learn(open, {}, opened);
    expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBe("modes.available");
    for (let index = 0; index < 1000; index++)
      gates.learn(open, {}, { ...opened, sessionId: `s${index}` });
    expect(gates.missing(setMode, { sessionId: "s", modeId: "ask" })).toBeUndefined();
    expect(gates.missing(setMode, { sessionId: "s0", modeId: "ask" })).toBe("modes.available");
  });

  test("keeps no more facts after many updates than after a few", () => {
    const gates = gatesWith();
    const run = (from: number, count: number): number => {
      for (let index = from; index < from + count; index++)
        gates.learn(update, call(`call number ${index}`, { cancel: {} }, `s${index % 10}`));
      collect();
      return process.memoryUsage().heapUsed;
    };
    const some = run(0, 20_000);
    const many = run(20_000, 100_000);
    // A hundred thousand ids in a set take about ten times this.
    expect(many - some).toBeLessThan(1_000_000);
    expect(gates.missing(cancelCall, { sessionId: "s9", callId: "call number 119999" })).toBe(
      undefined,
    );
  });
});

describe("values of any kind", () => {
  test("neither throw, nor change the gates of other values, nor change a prototype", () => {
    const gates = new Gates(METHODS);
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    for (const side of ["agent", "client"] as const)
      for (const message of HOSTILE) {
        gates.advertise(side, message);
        expect(gates.missing(list)).toBe("agent.list");
      }
    for (const method of METHODS)
      for (const params of HOSTILE) {
        gates.missing(method, params);
        gates.learn(method, params);
        for (const result of HOSTILE) gates.learn(method, params, result);
        for (const part of ["params", "result"] as const)
          gates.findMissingCapability(method, part, params);
      }
    expect(Object.getOwnPropertyNames(Object.prototype).length).toBe(before);
    expect(gates.findMissingCapability(update, "params", HOSTILE.at(-1))).toBeUndefined();
    expect(gates.findMissingCapability(open, "params", HOSTILE.at(-1))).toBeUndefined();
    expect(gates.findMissingCapability(update, "params", HOSTILE.at(-4))).toBeUndefined();
    expect(gates.findMissingCapability(open, "params", HOSTILE.at(-2))?.pointer).toBe(
      "/env/__proto__",
    );
    expect(gates.missing(cancelCall, { sessionId: "s", callId: "__proto__" })).toBeUndefined();
    expect(gates.missing(cancelCall, { sessionId: "s", callId: "toString" })).toBe(
      "Call.can.cancel",
    );
  });
});

describe("an agent advertises to a client", () => {
  const key = { id: "key" };
  const terminal = { id: "tui", type: "terminal" };
  const advertised = { agent: { list: {} }, authMethods: [key, terminal] };

  test("only methods and values that the client supports", () => {
    const said = filterAdvertised(advertised, METHODS, { client: {} });
    expect(said).toEqual({ agent: { list: {} }, authMethods: [key] });
    expect(advertised.authMethods).toHaveLength(2);
    expect(said.agent).toBe(advertised.agent);
  });

  test("the same object when nothing is left out", () => {
    expect(filterAdvertised(advertised, METHODS, { client: { terminal: {} } })).toBe(advertised);
    const others = [{}, { authMethods: [key] }, { authMethods: null }, { authMethods: [7] }];
    for (const other of others) expect(filterAdvertised(other, METHODS, {})).toBe(other);
    expect(filterAdvertised(advertised, [], {})).toBe(advertised);
  });

  test("also values whose capability the agent itself lacks", () => {
    const archive = { agent: { archive: {} } };
    expect(filterAdvertised(archive, METHODS, {})).toBe(archive);
    const gates = gatesWith();
    expect(gates.findMissingCapability(initialize, "result", archive)?.capability).toBe(
      "agent.list",
    );
  });
});

test("every capability that the schema lists can be asked for, and any below _meta", () => {
  const vendor = { "example.org": { on: {}, off: false } };
  const gates = gatesWith({ _meta: vendor }, { ungated: {} });
  expect(gates.supports("client.ungated", "client")).toBe(true);
  expect(gates.supports("agent.list", "agent")).toBe(false);
  expect(gates.supports('agent._meta["example.org"].on', "agent")).toBe(true);
  expect(gates.supports('agent._meta["example.org"].off', "agent")).toBe(false);
  expect(gates.supports("agent._meta.other", "agent")).toBe(false);
});

test("a misspelled capability is not one, and the error has the name that is meant", () => {
  expect(() => gatesWith().supports("client.notces", "client")).toThrow(
    'client.notces is not a capability of the client (did you mean "client.notices"?)',
  );
});
