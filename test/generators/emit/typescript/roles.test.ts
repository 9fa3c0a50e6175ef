import { describe, expect, it } from "vitest";
import { roles } from "../../../../generators/emit/typescript/roles/roles.js";
import { emitFile, type SmallMethod } from "../small-protocol.js";

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
  it("are nested as deep as the method's name is", async () => {
    const text = await printed(request("session/mode/set"));
    expect(body("AgentSessionHandlers", text)).toContain(
      "readonly mode?: AgentSessionModeHandlers;",
    );
    expect(body("AgentSessionModeHandlers", text)).toContain("readonly set?: (");
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
});

describe("roles", () => {
  it("are absent in a protocol without initialize", async () => {
    const text = await emitFile(roles, "roles.ts", {
      definitions: DEFINITIONS,
      methods: [request("note/save")],
    });
    expect(text).toContain("AgentNoteHandlers");
    expect(text).not.toContain("createAgent");
  });
});
