import { expect } from "vitest";
import { Gates } from "../../../templates/runtime/gates/gates.js";
import { checkHandlers } from "../../../templates/runtime/role/options/handlers.js";
import type { MethodDescriptor } from "../../../templates/runtime/methods.js";
import { conformanceRule } from "./capability-mechanisms-conformance.js";
import { countLimit, positionEncoding } from "./capability-mechanisms-nes.js";
import { advertisement, holdersOf, type GateRow, type Mechanism } from "./capability-rows.js";

type Required = NonNullable<GateRow["requires"]>;

const STRENGTHS: { readonly [strength: string]: string } = { MUST: "must", SHOULD: "should" };

function gatesOf(
  methods: readonly MethodDescriptor[],
  said: Partial<Record<string, object>>,
): Gates {
  const gates = new Gates(methods);
  for (const side of ["agent", "client"] as const) gates.advertise(side, said[side] ?? {});
  return gates;
}

/** The methods that a row is about. */
function methodsOf({ target }: GateRow, methods: readonly MethodDescriptor[]): MethodDescriptor[] {
  const side = target.handledBy === "both" ? "protocol" : target.handledBy;
  const found = methods.filter(
    ({ name, kind, ...method }) =>
      name === target.method &&
      method.side === side &&
      target.messageKind!.split("+").includes(kind),
  );
  expect(found).toHaveLength(target.messageKind!.split("+").length);
  return found;
}

/** Values of a capability that open a gate, and values that do not. */
function valuesOf({ test }: Required): { readonly open: unknown[]; readonly closed: unknown[] } {
  if (test === "is-true") return { open: [true], closed: [undefined, null, false, {}] };
  if (test.startsWith("non-empty"))
    return { open: [[{ methodId: "m" }]], closed: [undefined, null, [], {}] };
  return { open: [{}, { _meta: {} }], closed: [undefined, null] };
}

const openMethod: Mechanism = (row, methods) => {
  const gates = new Gates(methods);
  for (const method of methodsOf(row, methods)) {
    expect(method.gate).toEqual({ kind: "always", reason: row.strength.toLowerCase() });
    for (const params of [undefined, {}]) expect(gates.missing(method, params)).toBeUndefined();
  }
};

const openPlace: Mechanism = (row, methods) => {
  const holders = holdersOf(row, methods);
  expect(holders).not.toEqual([]);
  for (const { method, part, message } of holders)
    expect(new Gates(methods).findMissingCapability(method, part, message)).toBeUndefined();
};

const methodCapability: Mechanism = (row, methods) => {
  const { side, path } = row.requires!;
  const { open, closed } = valuesOf(row.requires!);
  for (const method of methodsOf(row, methods)) {
    expect(method.gate).toMatchObject({ strength: STRENGTHS[row.strength] ?? row.strength });
    expect(new Gates(methods).missing(method)).toBe(path);
    for (const value of closed)
      expect(gatesOf(methods, { [side]: advertisement(path, value) }).missing(method, {})).toBe(
        path,
      );
    for (const value of open)
      expect(
        gatesOf(methods, { [side]: advertisement(path, value) }).missing(method, {}),
      ).toBeUndefined();
    const other = side === "agent" ? "client" : "agent";
    expect(gatesOf(methods, { [other]: advertisement(path, open[0]) }).missing(method, {})).toBe(
      path,
    );
  }
};

const placeCapability: Mechanism = (row, methods) => {
  const { side, path } = row.requires!;
  const { open, closed } = valuesOf(row.requires!);
  const holders = holdersOf(row, methods);
  expect(holders).not.toEqual([]);
  for (const { method, part, message } of holders) {
    const find = (said: object): unknown =>
      gatesOf(methods, said).findMissingCapability(method, part, message);
    expect(find({})).toBeDefined();
    for (const value of closed) {
      const strength = STRENGTHS[row.strength] ?? row.strength;
      expect(find({ [side]: advertisement(path, value) })).toMatchObject({
        capability: path,
        strength,
      });
    }
    for (const value of open) expect(find({ [side]: advertisement(path, value) })).toBeUndefined();
  }
};

const key: Mechanism = (row, methods) => {
  const { side, path } = row.requires!;
  const [, parent, names] = /^(.*)\.\{(.*)\}$/.exec(path)!;
  for (const method of methodsOf(row, methods))
    for (const mode of names!.split("|")) {
      const missing = (value: object): unknown =>
        gatesOf(methods, { [side]: advertisement(parent!, value) }).missing(method, { mode });
      expect(missing({})).toBe(`${parent}.${mode}`);
      expect(missing({ other: {} })).toBe(`${parent}.${mode}`);
      expect(missing({ [mode]: {} })).toBeUndefined();
    }
};

const entry: Mechanism = (row, methods) => {
  const { side, path } = row.requires!;
  const [, id] = /contains-entry\((\w+) ==/.exec(row.requires!.test)!;
  const [method] = methodsOf(row, methods);
  const missing = (authMethods: unknown): unknown =>
    gatesOf(methods, { [side]: { [path]: authMethods } }).missing(method!, { methodId: "m" });
  for (const closed of [undefined, [], [{ [id!]: "n" }], [{ [id!]: "m", type: "terminal" }]])
    expect(missing(closed)).toBe(path);
  for (const type of ["agent", undefined])
    expect(missing([{ [id!]: "n" }, { [id!]: "m", type }])).toBeUndefined();
};

/** Every method whose result opens a session, and those that change the list later. */
const sessionEntry: Mechanism = (row, methods) => {
  const { path } = row.requires!;
  const [, id, param] = /contains-entry\((\w+) == params\.(\w+)\)/.exec(row.requires!.test)!;
  const [method] = methodsOf(row, methods);
  expect(method!.gate).toMatchObject({ strength: STRENGTHS[row.strength] ?? row.strength });
  const params = { sessionId: "s", [param!]: "x" };
  const withIds = advertisement(path, [{ [id!]: "x" }]);
  const opening = methods.filter(({ name }) => /^session\/(new|load|resume|fork)$/.test(name));
  expect(opening.length).toBeGreaterThan(2);
  for (const opener of opening) {
    const given = /new|fork/.test(opener.name) ? { sessionId: "s" } : {};
    const asked = /fork/.test(opener.name) ? { sessionId: "parent" } : { sessionId: "s" };
    const gates = new Gates(methods);
    expect(gates.missing(method!, params)).toBeUndefined();
    gates.learn(opener, asked);
    gates.learn(opener, asked, given);
    expect(gates.missing(method!, params)).toBe(path);
    gates.learn(opener, asked, { ...given, ...withIds });
    expect(gates.missing(method!, params)).toBeUndefined();
    expect(gates.missing(method!, { ...params, [param!]: "y" })).toBe(path);
    if (path !== "configOptions") continue;
    const update = methods.find(({ name }) => name === "session/update")!;
    const options = [{ [id!]: "y" }];
    const change = { sessionUpdate: "config_option_update", configOptions: options };
    gates.learn(update, { sessionId: "s", update: change });
    expect(gates.missing(method!, params)).toBe(path);
    gates.learn(method!, params, withIds);
    expect(gates.missing(method!, params)).toBeUndefined();
  }
};

const sessionThing: Mechanism = (row, methods) => {
  const { path } = row.requires!;
  const [method] = methodsOf(row, methods);
  const [kind, id] = path.startsWith("ToolCall")
    ? (["tool_call_update", "toolCallId"] as const)
    : (["terminal_update", "terminalId"] as const);
  const gates = new Gates(methods);
  const update = methods.find(({ name }) => name === "session/update")!;
  const missing = (): unknown => gates.missing(method!, { sessionId: "s", [id]: "x" });
  const report = (more: object): void =>
    gates.learn(update, { sessionId: "s", update: { sessionUpdate: kind, [id]: "x", ...more } });
  expect(missing()).toBeUndefined();
  report({});
  expect(missing()).toBe(path);
  report({ capabilities: { cancel: {} } });
  expect(missing()).toBeUndefined();
  report({ status: "in_progress" });
  expect(missing()).toBeUndefined();
  report({ capabilities: null });
  expect(missing()).toBe(path);
  if (kind !== "tool_call_update") return;
  // The tool call of a permission request is merged in the same way.
  const ask = methods.find(({ name }) => name === "session/request_permission")!;
  const toolCall = { toolCallId: "x", capabilities: { cancel: {} } };
  gates.learn(ask, { sessionId: "s", subject: { type: "tool_call", toolCall } });
  expect(missing()).toBeUndefined();
};

const capabilityOfSameSide: Mechanism = ({ target, requires }, methods) => {
  const initialize = methods.filter(({ name, side }) => name === "initialize" && side === "agent");
  const make = (value: object): (() => void) => {
    const advertised = advertisement(requires!.path.replace(/\.\w+$/, ""), value);
    return () => checkHandlers({ role: "agent", methods: initialize, handlers: {}, advertised });
  };
  const [name, needed] = [target.path!, requires!.path].map((path) => path.split(".").at(-1)!);
  expect(make({ [name!]: {} })).toThrow(`${target.path} is advertised, but ${requires!.path}, `);
  expect(make({ [name!]: {}, [needed!]: null })).toThrow(requires!.path);
  expect(make({ [name!]: {}, [needed!]: {} })).not.toThrow();
  expect(make({ [needed!]: {} })).not.toThrow();
};

/** Every way, by name. */
export const MECHANISMS = {
  "method is always open": openMethod,
  "place is always open": openPlace,
  "capability of a method": methodCapability,
  "capability of a place in a message": placeCapability,
  "key that the params name": key,
  "entry of an advertised list": entry,
  "entry of a session's list": sessionEntry,
  "what a thing in a session allows": sessionThing,
  "capability that requires another": capabilityOfSameSide,
  "agreed position encoding": positionEncoding,
  "cut of a context": countLimit,
  "rule of conformance": conformanceRule,
} as const satisfies { readonly [name: string]: Mechanism };
