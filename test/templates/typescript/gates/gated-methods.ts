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

const BOOLEAN = capability("client", "client.boolean");
const EACH = { each: "item" } as const;

/** A place in a message; with values, it is the `type` of an object. */
function place(
  part: GatedPlace["part"],
  path: GatedPlace["path"],
  gate: CapabilityGate,
  values?: readonly string[],
): GatedPlace {
  return { part, path, gate, ...(values !== undefined && { tag: "type", values }) };
}

export const initialize = request("initialize", "agent", {
  capabilities: [
    capability("agent", "agent.list"),
    capability("client", "client.notices"),
    capability("client", "client.ungated"),
  ],
  places: [
    place("result", ["authMethods", EACH], capability("client", "client.terminal"), ["terminal"]),
    place("result", ["agent", "archive"], capability("agent", "agent.list")),
    place("params", ["client", "more"], capability("client", "client.some")),
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
    place("params", ["roots"], capability("agent", "agent.roots")),
    place("params", ["servers", EACH], capability("agent", "agent.http", "should"), ["http"]),
    {
      ...place("params", ["env", { each: "value" }], capability("agent", "agent.secret")),
      values: ["secret", "1"],
    },
    place(
      "params",
      [{ tag: "form", values: ["a", "b"], not: true }, "rest"],
      capability("agent", "agent.rest"),
    ),
    place("result", ["options", EACH], BOOLEAN, ["boolean"]),
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
      ...place("params", ["update"], capability("client", "client.notices"), ["notice"]),
      tag: "kind",
    },
    {
      ...place("params", ["update"], capability("client", "client.plans"), ["plan", "plan_end"]),
      tag: "kind",
    },
    place("params", ["update", { tag: "kind", values: ["options"] }, "options", EACH], BOOLEAN, [
      "boolean",
    ]),
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
