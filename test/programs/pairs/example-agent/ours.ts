import { setTimeout as sleep } from "node:timers/promises";
import { stdio } from "acp-bindings/stdio";
import { createAgent, SessionStore, toolText, type AgentSession } from "acp-bindings/v1";

// The example agent of the official SDK: a turn with two tool calls, of which one needs permission.
const PAUSE_MS = Number(process.env["PAUSE_MS"] ?? 1000);
const sessions = new SessionStore<undefined>();

async function work(session: AgentSession) {
  const think = () => sleep(PAUSE_MS, undefined, { signal: session.signal });
  await session.text("I read the project first.");
  await think();
  const path = "/project/README.md";
  const read = await session.toolCall({ title: "Read", kind: "read", locations: [{ path }] });
  await think();
  await read.update({ status: "completed", content: [toolText("# My project")] });
  await session.text(" One setting has to change.");
  await think();
  const rawInput = { path: "/project/config.json", content: '{"host":"new"}' };
  const edit = await session.toolCall({ title: "Change a setting", kind: "edit", rawInput });
  const isAllowed = await edit.ask();
  await (isAllowed ? edit.update({ status: "completed" }) : edit.fail("The user rejected it."));
  await think();
  await session.text(isAllowed ? " The setting is changed." : " The setting stays.");
}

const agent = createAgent({
  info: { name: "example-agent", version: "1.0.0" },
  handlers: {
    session: {
      new: () => ({ sessionId: sessions.create(undefined) }),
      prompt: async (_, { session }) => {
        sessions.get(session.id);
        await work(session);
        return { stopReason: "end_turn" };
      },
    },
  },
});
await agent.connect(stdio()).closed;
