import type { ClientConnection, ClientSession } from "acp-bindings/v1-unstable";
import { PROMPTS } from "./model-server.js";

/** Runs a step of a conversation and records whether it passed; undefined for a failure. */
export type Step = <T>(title: string, run: () => Promise<T>) => Promise<T | undefined>;

/** Creates a session, takes turns in it, and uses what it offers; returns its id. */
export async function createSession(
  connection: ClientConnection,
  cwd: string,
  step: Step,
): Promise<string | undefined> {
  const session = await step("session/new", () => connection.newSession({ cwd }));
  if (session === undefined) return undefined;
  const { modes, configOptions } = session.response ?? {};
  await step("answer", () => takeTurn(session, PROMPTS.answer));
  await step("tool", () => takeTurn(session, PROMPTS.tool));
  await step("cancel", () => takeTurn(session, PROMPTS.slow));
  if (modes)
    for (const modeId of [...modes.availableModes.map(({ id }) => id), modes.currentModeId])
      await step(`mode ${modeId}`, () => session.agent.setMode({ modeId }));
  for (const { id: configId, currentValue } of configOptions ?? []) {
    const params =
      typeof currentValue === "boolean"
        ? { configId, type: "boolean" as const, value: currentValue }
        : { configId, value: String(currentValue) };
    await step(`option ${configId}`, () => session.agent.setConfigOption(params));
  }
  const { list } = connection.agent.session;
  if (list !== undefined)
    await step("session/list", async () => {
      const { sessions } = await list({ cwd });
      if (!sessions.some(({ sessionId }) => sessionId === session.id))
        throw new Error("not listed");
    });
  return session.id;
}

/** Opens a session that an earlier process created, continues it, and ends it. */
export async function continueSession(
  connection: ClientConnection,
  sessionId: string,
  cwd: string,
  step: Step,
): Promise<void> {
  const { load, resume, fork, close, delete: remove } = connection.agent.session;
  const params = { sessionId, cwd, mcpServers: [] };
  let session: ClientSession | undefined;
  if (resume) session = await step("session/resume", () => connection.resumeSession(params));
  if (load)
    session = await step("session/load", async () => {
      const loaded = await connection.loadSession(params);
      if (loaded.state.messages.length === 0) throw new Error("no history");
      return loaded;
    });
  if (session) await step("next answer", () => takeTurn(session, PROMPTS.answer));
  if (fork) await step("session/fork", () => fork(params));
  if (close) await step("session/close", () => close({ sessionId }));
  if (remove) await step("session/delete", () => remove({ sessionId }));
}

/** Takes a turn, which a slow prompt cancels, and checks how it ends and that it had updates. */
async function takeTurn(session: ClientSession, prompt: string): Promise<void> {
  const turn = session.prompt(prompt);
  const kinds = new Set<string>();
  for await (const { sessionUpdate } of turn) {
    kinds.add(sessionUpdate);
    if (prompt === PROMPTS.slow && sessionUpdate === "agent_message_chunk") turn.cancel();
  }
  const { stopReason } = await turn;
  const expected = prompt === PROMPTS.slow ? "cancelled" : "end_turn";
  if (stopReason !== expected) throw new Error(`the turn ended with ${stopReason}`);
  const kind = prompt === PROMPTS.tool ? "tool_call_update" : "agent_message_chunk";
  if (!kinds.has(kind)) throw new Error(`no ${kind}`);
}
