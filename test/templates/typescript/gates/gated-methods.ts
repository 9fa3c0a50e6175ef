import type {
  CapabilityGate,
  GatedPlace,
  MethodDescriptor,
  MethodGate,
} from "../../../../templates/typescript/runtime/methods.js";

/** A small protocol with every kind of gate, place and fact. */

export function capability(
  side: "agent" | "client",
  path: string,
  strength: CapabilityGate["strength"] = "must",
): CapabilityGate {
  return { kind: "capability", side, path: path.split("."), test: "present", strength };
}

function request(
  name: string,
  side: "agent" | "client",
  more: Partial<MethodDescriptor> = {},
): MethodDescriptor {
  return { name, side, kind: "request", params: "", result: "", handler: name.split("/"), ...more };
}

function thing(path: string): MethodGate {
  return {
    kind: "capability",
    side: "session",
    path: path.split("."),
    test: "present",
    strength: "must",
  };
}

const BOOLEAN: Omit<GatedPlace, "path" | "part"> = {
  tag: "type",
  values: ["boolean"],
  gate: capability("client", "client.boolean"),
};

export const initialize = request("initialize", "agent", {
  capabilities: [
    capability("agent", "agent.list"),
    capability("client", "client.notices"),
    capability("client", "client.ungated"),
  ],
  places: [
    {
      part: "result",
      path: ["authMethods", { each: "item" }],
      tag: "type",
      values: ["terminal"],
      gate: capability("client", "client.terminal"),
    },
    { part: "result", path: ["agent", "archive"], gate: capability("agent", "agent.list") },
    { part: "params", path: ["client", "more"], gate: capability("client", "client.some") },
  ],
});

export const authenticate = request("authenticate", "agent", {
  gate: {
    kind: "entry",
    side: "agent",
    path: ["authMethods"],
    entry: { id: "params.methodId" },
    except: { type: "terminal" },
    strength: "must",
  },
});

export const ask = request("ask", "client", {
  gate: {
    kind: "key",
    side: "client",
    path: ["client", "ask"],
    key: "params.mode",
    strength: "must",
  },
});

export const list = request("session/list", "agent", { gate: capability("agent", "agent.list") });

export const open = request("session/new", "agent", {
  places: [
    { part: "params", path: ["roots"], gate: capability("agent", "agent.roots") },
    {
      part: "params",
      path: ["servers", { each: "item" }],
      tag: "type",
      values: ["http"],
      gate: capability("agent", "agent.http", "should"),
    },
    {
      part: "params",
      path: ["env", { each: "value" }],
      values: ["secret", "1"],
      gate: capability("agent", "agent.secret"),
    },
    {
      part: "params",
      path: [{ tag: "form", values: ["a", "b"], not: true }, "rest"],
      gate: capability("agent", "agent.rest"),
    },
    { part: "result", path: ["options", { each: "item" }], ...BOOLEAN },
  ],
  facts: [
    { part: "result", path: [], fact: "modes" },
    { part: "result", path: [], fact: "options" },
  ],
});

export const close = request("session/close", "agent", { traits: ["ends-session"] });

export const setMode = request("session/set_mode", "agent", {
  gate: {
    kind: "entry",
    side: "session",
    path: ["modes", "available"],
    entry: { id: "params.modeId" },
    except: {},
    strength: "must",
  },
});

export const setOption = request("session/set_option", "agent", {
  gate: {
    kind: "entry",
    side: "session",
    path: ["options"],
    entry: { id: "params.optionId" },
    except: {},
    strength: "implicit",
  },
  facts: [{ part: "result", path: [], fact: "options" }],
});

export const cancelCall = request("call/cancel", "agent", { gate: thing("Call.can.cancel") });

export const update: MethodDescriptor = {
  name: "session/update",
  side: "client",
  kind: "notification",
  params: "",
  handler: ["session", "update"],
  gate: { kind: "always", reason: "baseline" },
  places: [
    {
      part: "params",
      path: ["update"],
      tag: "kind",
      values: ["notice"],
      gate: capability("client", "client.notices"),
    },
    {
      part: "params",
      path: ["update"],
      tag: "kind",
      values: ["plan", "plan_end"],
      gate: capability("client", "client.plans"),
    },
    {
      part: "params",
      path: ["update", { tag: "kind", values: ["options"] }, "options", { each: "item" }],
      ...BOOLEAN,
    },
  ],
  facts: [
    {
      part: "params",
      path: ["update", { tag: "kind", values: ["call"] }],
      fact: "Call",
      id: "callId",
    },
    { part: "params", path: ["update", { tag: "kind", values: ["options"] }], fact: "options" },
  ],
};

export const METHODS: readonly MethodDescriptor[] = [
  initialize,
  authenticate,
  ask,
  list,
  open,
  close,
  setMode,
  setOption,
  cancelCall,
  update,
];
