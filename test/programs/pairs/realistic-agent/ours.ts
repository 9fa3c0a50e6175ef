import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stdio } from "acp-bindings/stdio";
import { createAgent, diff, RpcError, schemas, SessionStore } from "acp-bindings/v1";
import type { AgentSession, ContentBlock } from "acp-bindings/v1";

interface State {
  readonly cwd: string;
  mode: string;
  model: string;
  readonly history: { readonly by: "user" | "agent"; readonly content: ContentBlock }[];
}
const sessions = new SessionStore<State>();

const STEPS = ["Edit", "Check"];
const MODES = ["ask", "code"].map((id) => ({ id, name: id }));
const MODELS = ["small", "large"].map((value) => ({ value, name: value }));
const settings = ({ mode, model }: State) => ({
  modes: { currentModeId: mode, availableModes: MODES },
  configOptions: [
    { type: "select" as const, id: "model", name: "Model", currentValue: model, options: MODELS },
  ],
});

async function* think(task: string) {
  for (const word of `I will add: ${task}`.match(/\S+\s*/g) ?? []) {
    await sleep(5);
    yield word;
  }
}

async function edit(session: AgentSession, { cwd, mode }: State, task: string) {
  const path = join(cwd, "notes.txt");
  const { content: oldText } = (await session.client.fs.readTextFile?.({ path })) ?? {};
  const newText = `${oldText ?? ""}${task}\n`;
  const content = [diff(path, oldText, newText)];
  const call = await session.toolCall({ title: "Edit", kind: "edit", content });
  if (mode === "ask" && !(await call.ask())) return call.fail("The user rejected the edit.");
  await call.run(() => session.client.fs.writeTextFile?.({ path, content: newText }));
}

async function check(session: AgentSession, { cwd }: State) {
  await using terminal = await session.terminal({ command: "node", args: ["--version"], cwd });
  if (!terminal) return;
  const call = await session.toolCall({ title: "Check", content: [terminal.content] });
  const { exitCode } = await terminal.wait();
  await call.update({ status: exitCode === 0 ? "completed" : "failed" });
}

const agent = createAgent({
  info: { name: "realistic", version: "1.0.0" },
  handlers: {
    session: {
      new: ({ cwd }) => {
        const state: State = { cwd, mode: "ask", model: "small", history: [] };
        return { sessionId: sessions.create(state), ...settings(state) };
      },
      load: async (_, { session }) => {
        const state = sessions.get(session.id);
        for (const { by, content } of state.history)
          await session.update(`${by}_message_chunk`, { content });
        return settings(state);
      },
      setMode: ({ sessionId, modeId }) => void (sessions.get(sessionId).mode = modeId),
      setConfigOption: ({ sessionId, value }) => {
        const state = sessions.get(sessionId);
        state.model = String(value);
        return { configOptions: settings(state).configOptions };
      },
      prompt: async ({ prompt }, { session }) => {
        const state = sessions.get(session.id);
        for (const content of prompt)
          if (!schemas.ContentBlock.isUnknown(content)) state.history.push({ by: "user", content });
        const task = prompt
          .flatMap((block) => (block.type === "text" ? block.text : []))
          .join("\n");
        if (task === "") throw RpcError.invalidParams("The prompt has no text.");
        await session.plan(STEPS.map((content) => ({ content })));
        const text = await session.stream(think(task));
        state.history.push({ by: "agent", content: { type: "text", text } });
        await edit(session, state, task);
        await check(session, state);
        await session.plan(STEPS.map((content) => ({ content, status: "completed" })));
        return { stopReason: "end_turn" };
      },
    },
  },
});
await agent.connect(stdio()).closed;
