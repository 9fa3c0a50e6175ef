import { describe, expect, it } from "vitest";
import { roles } from "../../../../generators/emit/typescript/roles/roles.js";
import { emitFile, smallProtocol, type SmallMethod } from "../small-protocol.js";

const DEFINITIONS = {
  Params: { type: "object" },
  Result: { type: "object" },
  InitializeRequest: {
    type: "object",
    properties: {
      protocolVersion: { type: "integer" },
      clientCapabilities: { $ref: "#/$defs/Capabilities" },
      clientInfo: { type: "string" },
    },
    required: ["protocolVersion"],
  },
  InitializeResponse: {
    type: "object",
    properties: {
      protocolVersion: { type: "integer" },
      agentCapabilities: { $ref: "#/$defs/Capabilities" },
      greeting: { type: "string", description: "Says hello." },
    },
    required: ["protocolVersion", "greeting"],
  },
  Capabilities: { type: "object", properties: { fly: { type: "boolean" } } },
} as const;

const INITIALIZE: SmallMethod = {
  name: "initialize",
  params: "InitializeRequest",
  result: "InitializeResponse",
  gate: { always: "baseline" },
};

function request(name: string, rest: Partial<SmallMethod> = {}): SmallMethod {
  return { name, params: "Params", result: "Result", ...rest };
}

function notification(name: string, rest: Partial<SmallMethod> = {}): SmallMethod {
  return { name, params: "Params", ...rest };
}

/** `roles.ts` in one line, without comments. */
async function printed(...methods: readonly SmallMethod[]): Promise<string> {
  const text = await emitFile(roles, "roles.ts", {
    definitions: DEFINITIONS,
    methods: [INITIALIZE, ...methods],
  });
  return oneLine(text.replaceAll(/\/\*\*[\s\S]*?\*\//g, ""));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(/,? \)/g, ")");
}

/** The body of one interface. */
function body(name: string, text: string): string | undefined {
  const start = text.indexOf(`export interface ${name} `);
  return start < 0 ? undefined : text.slice(start, text.indexOf(" }", start));
}

describe("handlers", () => {
  it("are nested as the methods' names are", async () => {
    const text = await printed(request("session/set_mode"));
    expect(body("AgentHandlers", text)).toContain("readonly session?: AgentSessionHandlers;");
    expect(body("AgentSessionHandlers", text)).toContain("readonly setMode?: (");
  });

  it("are direct properties of the role when the method's name has one part", async () => {
    const text = await printed(request("logout"));
    expect(body("AgentHandlers", text)).toContain("readonly logout?: (");
  });

  it("are nested as deep as the method's name is", async () => {
    const text = await printed(request("session/mode/set"));
    expect(body("AgentSessionHandlers", text)).toContain(
      "readonly mode?: AgentSessionModeHandlers;",
    );
    expect(body("AgentSessionModeHandlers", text)).toContain("readonly set?: (");
  });

  it("are required exactly for requests of the baseline", async () => {
    const text = await printed(
      notification("note/changed", { gate: { always: "baseline" } }),
      request("note/save", { gate: { always: "baseline" } }),
      request("note/tidy", { gate: { always: "optional" } }),
      request("note/post", { gate: { agent: "agentCapabilities.fly" } }),
    );
    const group = body("AgentNoteHandlers", text);
    expect(group).toContain("readonly changed?: (");
    expect(group).toContain("readonly save: (");
    expect(group).toContain("readonly tidy?: (");
    expect(group).toContain("readonly post?: (");
    expect(body("AgentHandlers", text)).toContain("readonly note: AgentNoteHandlers;");
  });

  it("get the params and the other side, and return the result or a promise of it", async () => {
    const text = await printed(request("note/save"));
    expect(text).toContain(
      "(params: types.Params, context: AgentRequestContext) => Awaitable<types.Result | void>;",
    );
  });

  it("of a notification return nothing", async () => {
    const text = await printed(notification("note/changed", { side: "client" }));
    expect(body("ClientNoteHandlers", text)).toContain(
      "(params: types.Params, context: ClientContext) => Awaitable<void>;",
    );
  });

  it("distinguish a request and a notification of the same name", async () => {
    const text = await printed(request("note/move"), notification("note/move"));
    const group = body("AgentNoteHandlers", text);
    expect(group).toContain("readonly move?: (");
    expect(group).toContain("readonly moveNotification?: (");
  });

  it.each([
    ["note", "note/save"],
    ["note/set_mode", "note/setMode"],
    ["note/move_notification", "note/move"],
    // Both groups have the type `AgentNoteTextHandlers`.
    ["note/text/save", "noteText/open"],
    ["_note.text/save", "_Note-Text/open"],
  ])("never share a name: %s and %s are refused", async (first, second) => {
    // The notification's handler is `moveNotification`, beside the request's `move`.
    const both = [request(first), request(second), notification("note/move")];
    await expect(printed(...both)).rejects.toThrow("the same place");
  });

  it("leave out initialize, which the runtime answers", async () => {
    const text = await printed();
    expect(body("AgentHandlers", text)).not.toContain("initialize");
    expect(body("ConnectedAgent", text)).not.toContain("initialize");
  });

  it("leave out methods of the protocol itself", async () => {
    const text = await printed(notification("$/cancel", { side: "protocol" }));
    expect(text).not.toContain("cancel");
  });

  it("document which capability a method requires", async () => {
    const text = await emitFile(roles, "roles.ts", {
      definitions: DEFINITIONS,
      methods: [INITIALIZE, request("fly", { gate: { agent: "agentCapabilities.fly" } })],
    });
    expect(text).toContain(
      "* Requires the agent's capability `agentCapabilities.fly` set to `true`.",
    );
  });
});

describe("peers", () => {
  it("are called with params and options, and promise the result", async () => {
    const text = await printed(request("note/save"));
    expect(body("ConnectedAgentNote", text)).toContain(
      "readonly save: (params: types.Params, options?: CallOptions) => Promise<types.Result>;",
    );
  });

  it("take no options for a notification", async () => {
    const text = await printed(notification("note/changed"));
    expect(body("ConnectedAgentNote", text)).toContain(
      "readonly changed: (params: types.Params) => Promise<void>;",
    );
  });

  it("offer a method named new as a property, not as a constructor", async () => {
    const text = await printed(request("note/new"));
    expect(body("ConnectedAgentNote", text)).toContain("readonly new: (");
  });
});

describe("roles", () => {
  it("have the properties of their initialize message, under the names that both roles share", async () => {
    const text = await printed();
    expect(body("ClientOptions", text)).toContain(
      'readonly capabilities?: NonNullable<types.InitializeRequest["clientCapabilities"]>;',
    );
    expect(body("ClientOptions", text)).toContain("readonly info: ");
    expect(body("AgentOptions", text)).toContain("readonly greeting: ");
  });

  it("are absent in a protocol without initialize", async () => {
    const text = await emitFile(roles, "roles.ts", {
      definitions: DEFINITIONS,
      methods: [request("note/save")],
    });
    expect(text).toContain("AgentNoteHandlers");
    expect(text).not.toContain("createAgent");
  });
});

describe("the table of methods", () => {
  it("lists every method with its gate, in the order of the model", async () => {
    const methods = [INITIALIZE, request("fly", { gate: { agent: "agentCapabilities.fly" } })];
    const source = { definitions: DEFINITIONS, methods };
    const text = oneLine(await emitFile(roles, "methods.ts", source));
    const names = [...text.matchAll(/\{name:"([^"]+)"/g)].map(([, name]) => name);
    expect(names).toEqual(smallProtocol(source).methods.map(({ name }) => name));
    expect(text).toContain('path:["agentCapabilities","fly"],test:"true",strength:"must"');
    expect(text).toContain('MethodOf<"fly", "agent", "request", ');
  });
});
