import { describe, expect, test } from "vitest";
import { connectToRaw, type RawAgent, type RawMessage } from "../peers/raw-peer.js";

const place = { cwd: "/", mcpServers: [] };
const CAPABILITIES = { loadSession: true, sessionCapabilities: { close: {} } };

const line = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });
const said = (sessionId: string, text: string): string =>
  line({
    method: "session/update",
    params: {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    },
  });

/** Connects to an agent that opens the session `id`, first sends lines, and answers no prompt. */
const opening = (id: string, before: readonly string[] = []): Promise<RawAgent> => {
  const answer = ({ id: request, method }: RawMessage): string | undefined => {
    if (request === undefined || method === "session/prompt") return undefined;
    const answers: { readonly [method: string]: object } = {
      "session/new": { result: { sessionId: id } },
      "session/load": { error: { code: -32002, message: "Not found" } },
    };
    const own = line({ id: request, ...(answers[method!] ?? { result: {} }) });
    return method === "session/new" ? [...before, own].join("\n") : own;
  };
  return connectToRaw(answer, {}, CAPABILITIES);
};

describe("the updates that precede the answer with the id of a session", () => {
  test("are part of its state, and those of other sessions are dropped", async () => {
    const { connection } = await opening("s", [said("s", "own"), said("other", "lost")]);
    const session = await connection.newSession(place);
    expect(session.state.messages).toHaveLength(1);
    expect(connection.session("other").state.messages).toEqual([]);
  });

  test.each([
    [100, 1],
    [101, 0],
  ])("are kept for 100 sessions: in session %d of them there are %d", async (count, kept) => {
    const ids = Array.from({ length: count }, (_, index) => `s${index}`);
    const { connection } = await opening(
      ids.at(-1)!,
      ids.map((id) => said(id, "early")),
    );
    const session = await connection.newSession(place);
    expect(session.state.messages).toHaveLength(kept);
  });
});

test("a session that cannot be loaded again stays open with its state", async () => {
  const { connection } = await opening("s", [said("s", "own")]);
  const session = await connection.newSession(place);
  const { state } = session;
  await expect(connection.loadSession({ ...place, sessionId: "s" })).rejects.toThrow("Not found");
  expect(session.state).toBe(state);
  expect(connection.session("s")).toBe(session);
});

describe("the message of a prompt", () => {
  test("that is refused leaves the message that the agent is sending as it is", async () => {
    const { connection, write } = await opening("s");
    const session = await connection.newSession(place);
    const turn = session.prompt("Go");
    const updates = turn[Symbol.asyncIterator]();
    for (const text of ["Hel", "lo"]) {
      const signal = AbortSignal.abort(new Error("not now"));
      await expect(session.prompt("Next", { signal })).rejects.toThrow("not now");
      write(said("s", text));
      await updates.next();
    }
    expect(session.state.messages.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "Go" }],
      [{ type: "text", text: "Hello" }],
    ]);
  });

  test("stays when the connection ends before the agent has said anything", async () => {
    const { connection } = await opening("s");
    const session = await connection.newSession(place);
    const turn = session.prompt("Go");
    connection.close();
    await expect(turn).rejects.toThrow("closed");
    expect(session.state.messages).toHaveLength(1);
  });
});

test("an error after session/cancel ends a prompt as cancelled, also without a session object", async () => {
  let prompt: RawMessage["id"];
  const answer = ({ id, method }: RawMessage): string | undefined => {
    if (method === "session/prompt") prompt = id;
    if (method === "session/cancel")
      return line({ id: prompt, error: { code: -32603, message: "stopped" } });
    return id === undefined || method === "session/prompt" ? undefined : line({ id, result: {} });
  };
  const { connection } = await connectToRaw(answer, {}, CAPABILITIES);
  const { session } = connection.agent;
  const ended = session.prompt({ sessionId: "s", prompt: [{ type: "text", text: "hello" }] });
  await session.cancel({ sessionId: "s" });
  expect(await ended).toEqual({ stopReason: "cancelled" });
});
