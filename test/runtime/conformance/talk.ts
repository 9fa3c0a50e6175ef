import type { Side, TranscriptEntry } from "../../../templates/runtime/conformance/index.js";

type Json = Readonly<Record<string, unknown>>;

/** What one side sends. */
function sender(from: Side) {
  const entry = (message: unknown): TranscriptEntry => ({ from, message });
  const send = (fields: Json): TranscriptEntry => entry({ jsonrpc: "2.0", ...fields });
  return {
    raw: entry,
    ask: (id: unknown, method: string, params: unknown = {}) => send({ id, method, params }),
    tell: (method: string, params: unknown = {}) => send({ method, params }),
    result: (id: unknown, result: unknown = {}) => send({ id, result }),
    error: (id: unknown, code = -32603) => send({ id, error: { code, message: "no" } }),
  };
}

export const client = sender("client");
export const agent = sender("agent");

/** An update of the session `s`. */
export function update(sessionUpdate: string, fields: Json = {}): TranscriptEntry {
  return agent.tell("session/update", { sessionId: "s", update: { sessionUpdate, ...fields } });
}

/** Two lines that agree on a version, with all capabilities or with none. */
export function greet(
  version: number,
  { clientHas = {}, agentHas = {}, authMethods = [] as unknown[] } = {},
): TranscriptEntry[] {
  const [mine, its] =
    version === 2 ? ["capabilities", "capabilities"] : ["clientCapabilities", "agentCapabilities"];
  return [
    client.ask(0, "initialize", { protocolVersion: version, [mine]: clientHas }),
    agent.result(0, { protocolVersion: version, [its]: agentHas, authMethods }),
  ];
}

/** Four lines: the greeting, and a new session `s`. */
export function start(version: number, has = {}, session: Json = {}): TranscriptEntry[] {
  return [
    ...greet(version, has),
    client.ask(1, "session/new", { cwd: "/w", mcpServers: [] }),
    agent.result(1, { sessionId: "s", ...session }),
  ];
}

/** The params of a request for the session `s`. */
export function s(fields: Json = {}): Json {
  return { sessionId: "s", ...fields };
}
