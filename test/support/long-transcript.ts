import { Buffer } from "node:buffer";

type Message = { readonly [member: string]: unknown };

/** How many sessions go on at a time. */
const SESSIONS = 20;

/**
 * A transcript of any length, made as it is read: a client with many sessions,
 * prompts that stream text and tool calls, permissions, files; sessions end and
 * others begin. Nothing in it is against a rule.
 *
 * @param bytes how long it is, about
 */
export async function* longTranscript(bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  let text = "";
  for (const { from, message } of conversation()) {
    text += `${JSON.stringify({ from, message: { jsonrpc: "2.0", ...message } })}\n`;
    if (text.length < 128 * 1024) continue;
    const chunk = Buffer.from(text);
    text = "";
    left -= chunk.length;
    yield chunk;
    if (left <= 0) return;
  }
}

interface Entry {
  readonly from: "agent" | "client";
  readonly message: Message;
}

function* conversation(): Generator<Entry> {
  const ids = { client: 0, agent: 0 };
  function* ask(from: Entry["from"], method: string, params: Message, result: Message) {
    const id = ids[from]++;
    yield* open(from, id, method, params);
    yield* answer(from, id, result);
  }
  function* open(from: Entry["from"], id: number, method: string, params: Message) {
    yield { from, message: { id, method, params } };
  }
  function* answer(asker: Entry["from"], id: number, result: Message): Generator<Entry> {
    yield { from: asker === "client" ? "agent" : "client", message: { id, result } };
  }
  const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
  yield* ask(
    "client",
    "initialize",
    { protocolVersion: 1, clientCapabilities: capabilities },
    { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } },
  );
  for (let round = 0; ; round++) {
    const sessionId = `sess_${round}`;
    yield* ask("client", "session/new", { cwd: "/project", mcpServers: [] }, { sessionId });
    for (let turn = 0; turn < 5; turn++) {
      const prompt = ids.client++;
      const asked = [{ type: "text", text: `Turn ${turn}: ${WORDS}` }];
      yield* open("client", prompt, "session/prompt", { sessionId, prompt: asked });
      yield* updates(sessionId, `${round}_${turn}`);
      const file = { sessionId, path: "/project/src/cart.ts" };
      yield* ask("agent", "fs/read_text_file", file, { content: WORDS.repeat(4) });
      const toolCall = { toolCallId: `call_${round}_${turn}` };
      const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
      const chosen = { outcome: { outcome: "selected", optionId: "yes" } };
      yield* ask("agent", "session/request_permission", { sessionId, toolCall, options }, chosen);
      yield* answer("client", prompt, { stopReason: "end_turn" });
    }
    const ended = { sessionId: `sess_${round - SESSIONS}` };
    if (round >= SESSIONS) yield* ask("client", "session/close", ended, {});
  }
}

function* updates(sessionId: string, name: string): Generator<Entry> {
  const report = (update: Message): Entry => {
    return { from: "agent", message: { method: "session/update", params: { sessionId, update } } };
  };
  const text = (words: string): Message => ({ content: { type: "text", text: words } });
  const toolCallId = `call_${name}`;
  yield report({ sessionUpdate: "tool_call", toolCallId, title: "Read a file", kind: "read" });
  for (let token = 0; token < 40; token++) {
    yield report({ sessionUpdate: "agent_message_chunk", ...text(` word ${token}`) });
    if (token % 8 === 0) yield report({ sessionUpdate: "agent_thought_chunk", ...text(WORDS) });
    if (token % 10 === 0)
      yield report({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" });
  }
}

const WORDS = "The quick brown fox jumps over the lazy dog, twice. ";
