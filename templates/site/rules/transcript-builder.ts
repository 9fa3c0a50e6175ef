import type { Side, TranscriptEntry } from "../../typescript/runtime/conformance/index.js";
import type { Example } from "./rule-doc.js";

type Json = Readonly<Record<string, unknown>>;

/** A message that one side sends. */
function sender(from: Side) {
  const entry = (message: unknown): TranscriptEntry => ({ from, message });
  const send = (fields: Json): TranscriptEntry => entry({ jsonrpc: "2.0", ...fields });
  return {
    raw: entry,
    ask: (id: unknown, method: string, params: unknown = {}) => send({ id, method, params }),
    notify: (method: string, params: unknown = {}) => send({ method, params }),
    result: (id: unknown, result: unknown = {}) => send({ id, result }),
    error: (id: unknown, code = -32603, data?: unknown) =>
      send({ id, error: { code, message: "no", ...(data !== undefined && { data }) } }),
  };
}

export const client = sender("client");
export const agent = sender("agent");

const TEXT = { type: "text", text: "Hello" };

/** The required fields of each kind of update. */
const LEAST: { readonly [kind: string]: Json } = {
  agent_message_chunk: { content: TEXT },
  user_message_chunk: { content: TEXT },
  user_message: { content: [TEXT] },
  tool_call: { title: "Read a file" },
};

/** An update of the session `s`. */
export function update(sessionUpdate: string, fields: Json = {}): TranscriptEntry {
  const least = LEAST[sessionUpdate] ?? {};
  return agent.notify("session/update", {
    sessionId: "s",
    update: { sessionUpdate, ...least, ...fields },
  });
}

/** The state of the session `s`, in version 2. */
export function state(name: string, stopReason?: string): TranscriptEntry {
  return update("state_update", { state: name, ...(stopReason !== undefined && { stopReason }) });
}

/** The capabilities of an agent with sessions. */
const SESSIONS: { readonly [version: number]: Json } = {
  1: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {} } },
  2: { session: {} },
};

export interface HandshakeOptions {
  readonly clientHas?: Json;
  readonly agentHas?: Json;
  readonly authMethods?: readonly unknown[];
}

/** Two lines that agree on a version; the agent has sessions unless it has something else. */
export function greet(
  version: number,
  { clientHas = {}, agentHas = {}, authMethods = [] }: HandshakeOptions = {},
): TranscriptEntry[] {
  const isSecond = version === 2;
  const [mine, its] = isSecond
    ? ["capabilities", "capabilities"]
    : ["clientCapabilities", "agentCapabilities"];
  const info = (name: string): Json => (isSecond ? { info: { name, version: "1.0.0" } } : {});
  const advertised = { ...SESSIONS[version], ...agentHas };
  return [
    client.ask(0, "initialize", { protocolVersion: version, ...info("editor"), [mine]: clientHas }),
    agent.result(0, {
      protocolVersion: version,
      ...info("agent"),
      [its]: advertised,
      ...(authMethods.length > 0 && { authMethods }),
    }),
  ];
}

/** Four lines: the handshake, and a new session `s`. */
export function start(
  version: number,
  has: HandshakeOptions = {},
  session: Json = {},
): TranscriptEntry[] {
  return [
    ...greet(version, has),
    client.ask(1, "session/new", { cwd: "/work", mcpServers: [] }),
    agent.result(1, { sessionId: "s", ...session }),
  ];
}

/** The params of a request for the session `s`. */
export function s(fields: Json = {}): Json {
  return { sessionId: "s", ...fields };
}

/** A prompt to the session `s`. */
export function prompt(id: unknown = 2, blocks: readonly unknown[] = [TEXT]): TranscriptEntry {
  return client.ask(id, "session/prompt", s({ prompt: blocks }));
}

/** The end of a turn, in version 1. */
export function ended(stopReason = "end_turn", id: unknown = 2): TranscriptEntry {
  return agent.result(id, { stopReason });
}

/** The same example in both versions of the protocol. */
export function inBoth(make: (version: 1 | 2) => Example): readonly Example[] {
  return [make(1), make(2)];
}

/** A request that every agent of these conversations supports. */
export function listRequest(id: unknown = 2): TranscriptEntry {
  return client.ask(id, "session/list");
}

/** The response to `list`. */
export function listResponse(id: unknown = 2): TranscriptEntry {
  return agent.result(id, { sessions: [] });
}
