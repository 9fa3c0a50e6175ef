import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import type {
  AgentContext,
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";

interface State {
  readonly cwd: string;
  mode: string;
  model: string;
  readonly history: { readonly by: "user" | "agent"; readonly content: ContentBlock }[];
  turn?: AbortController;
}
const sessions = new Map<string, State>();

function stateOf(sessionId: string): State {
  const state = sessions.get(sessionId);
  if (!state) throw RequestError.sessionNotFound(sessionId);
  return state;
}

const STEPS = ["Edit", "Check"];
const MODES = ["ask", "code"].map((id) => ({ id, name: id }));
const MODELS = ["small", "large"].map((value) => ({ value, name: value }));
const settings = ({ mode, model }: State) => ({
  modes: { currentModeId: mode, availableModes: MODES },
  configOptions: [
    { type: "select" as const, id: "model", name: "Model", currentValue: model, options: MODELS },
  ],
});

async function* think(task: string, signal: AbortSignal) {
  for (const word of `I will add: ${task}`.match(/\S+\s*/g) ?? []) {
    await sleep(5, undefined, { signal });
    yield word;
  }
}

const notify = (client: AgentContext, sessionId: string, update: SessionUpdate) =>
  client.notify(methods.client.session.update, { sessionId, update });

const plan = (client: AgentContext, sessionId: string, status: PlanEntry["status"]) =>
  notify(client, sessionId, {
    sessionUpdate: "plan",
    entries: STEPS.map((content) => ({ content, priority: "medium", status })),
  });

async function beginToolCall(
  client: AgentContext,
  sessionId: string,
  fields: Omit<ToolCall, "toolCallId">,
) {
  const toolCallId = crypto.randomUUID();
  await notify(client, sessionId, { sessionUpdate: "tool_call", toolCallId, ...fields });
  const update = (change: Omit<ToolCallUpdate, "toolCallId">) =>
    notify(client, sessionId, { sessionUpdate: "tool_call_update", toolCallId, ...change });
  const fail = (text: string) =>
    update({
      status: "failed",
      content: [...(fields.content ?? []), { type: "content", content: { type: "text", text } }],
    });
  return { toolCallId, update, fail };
}

async function edit(
  client: AgentContext,
  sessionId: string,
  { cwd, mode }: State,
  task: string,
  canUse: { readonly read: boolean; readonly write: boolean },
  cancellationSignal: AbortSignal,
) {
  const path = join(cwd, "notes.txt");
  const options = { cancellationSignal };
  const oldText = canUse.read
    ? (await client.request(methods.client.fs.readTextFile, { sessionId, path }, options)).content
    : null;
  const newText = `${oldText ?? ""}${task}\n`;
  const call = await beginToolCall(client, sessionId, {
    title: "Edit",
    kind: "edit",
    content: [{ type: "diff", path, oldText, newText }],
  });
  if (mode === "ask") {
    const { outcome } = await client.request(
      methods.client.session.requestPermission,
      {
        sessionId,
        toolCall: { toolCallId: call.toolCallId },
        options: [
          { optionId: "allow", name: "Allow", kind: "allow_once" },
          { optionId: "reject", name: "Reject", kind: "reject_once" },
        ],
      },
      options,
    );
    if (outcome.outcome !== "selected" || outcome.optionId !== "allow")
      return call.fail("The user rejected the edit.");
  }
  await call.update({ status: "in_progress" });
  try {
    if (canUse.write) {
      const params = { sessionId, path, content: newText };
      await client.request(methods.client.fs.writeTextFile, params, options);
    }
  } catch (error) {
    await call.fail(error instanceof Error ? error.message : String(error));
    throw error;
  }
  await call.update({ status: "completed" });
}

async function check(client: AgentContext, sessionId: string, { cwd }: State) {
  const params = { sessionId, command: "node", args: ["--version"], cwd };
  await using terminal = await client.createTerminal(params);
  const call = await beginToolCall(client, sessionId, {
    title: "Check",
    content: [{ type: "terminal", terminalId: terminal.id }],
  });
  const { exitCode } = await terminal.waitForExit();
  await call.update({ status: exitCode === 0 ? "completed" : "failed" });
}

let canUse = { read: false, write: false, terminal: false };
const realistic = agent({ name: "realistic" })
  .onRequest(methods.agent.initialize, ({ params: { clientCapabilities } }) => {
    canUse = {
      read: clientCapabilities?.fs?.readTextFile ?? false,
      write: clientCapabilities?.fs?.writeTextFile ?? false,
      terminal: clientCapabilities?.terminal ?? false,
    };
    return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  })
  .onRequest(methods.agent.session.new, ({ params: { cwd } }) => {
    const sessionId = crypto.randomUUID();
    const state: State = { cwd, mode: "ask", model: "small", history: [] };
    sessions.set(sessionId, state);
    return { sessionId, ...settings(state) };
  })
  .onRequest(methods.agent.session.load, async ({ params: { sessionId }, client }) => {
    const state = stateOf(sessionId);
    for (const { by, content } of state.history)
      await notify(client, sessionId, { sessionUpdate: `${by}_message_chunk`, content });
    return settings(state);
  })
  .onRequest(methods.agent.session.setMode, ({ params: { sessionId, modeId } }) => {
    stateOf(sessionId).mode = modeId;
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params: { sessionId, value } }) => {
    const state = stateOf(sessionId);
    state.model = String(value);
    return settings(state);
  })
  .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
    sessions.get(sessionId)?.turn?.abort();
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const state = stateOf(sessionId);
    const turn = new AbortController();
    state.turn = turn;
    state.history.push(...prompt.map((content) => ({ by: "user" as const, content })));
    const task = prompt.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
    if (task === "") throw RequestError.invalidParams(undefined, "The prompt has no text.");
    try {
      await plan(client, sessionId, "pending");
      let text = "";
      for await (const word of think(task, turn.signal)) {
        const content = { type: "text" as const, text: word };
        await notify(client, sessionId, { sessionUpdate: "agent_message_chunk", content });
        text += word;
      }
      state.history.push({ by: "agent", content: { type: "text", text } });
      await edit(client, sessionId, state, task, canUse, turn.signal);
      if (canUse.terminal) await check(client, sessionId, state);
      await plan(client, sessionId, "completed");
    } catch (error) {
      if (!turn.signal.aborted) throw error;
    }
    return { stopReason: turn.signal.aborted ? "cancelled" : "end_turn" };
  });
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
await realistic.connect(ndJsonStream(Writable.toWeb(process.stdout), input)).closed;
