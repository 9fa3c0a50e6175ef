/** Programs that must compile, and mistakes that must not. */
import { defineAgent, type AgentTurn } from "acp-bindings/agent";
import * as v1 from "acp-bindings/v1";
import * as v1Full from "acp-bindings/v1-full";
import * as v2 from "acp-bindings/v2";

export async function one(session: v1.AgentSession, full: v1Full.AgentSession): Promise<void> {
  await session.update("plan", { entries: [] });
  await session.update("tool_call", { toolCallId: "t", title: "Edit", kind: "edit" });
  // @ts-expect-error a tag that does not exist
  await session.update("plann", { entries: [] });
  // @ts-expect-error a field of another variant
  await session.update("plan", { title: "a" });
  // @ts-expect-error a status that does not exist
  await session.update("tool_call_update", { toolCallId: "t", status: "complete" });
  const request = { toolCall: { toolCallId: "t" }, options: [] };
  await session.client.requestPermission(request);
  // @ts-expect-error the session is bound
  await session.client.requestPermission({ sessionId: "s", ...request });
  // @ts-expect-error the client may lack it
  await session.client.fs.readTextFile({ path: "/a" });
  const { content } = (await session.client.fs.readTextFile?.({ path: "/a" })) ?? { content: "" };
  await session.text(content);
  const form = { mode: "form", message: "Which?", requestedSchema: {} } as const;
  await session.client.elicitation.create?.(form);
  // @ts-expect-error the session is bound
  await session.client.elicitation.create?.({ sessionId: "s", ...form });
  // @ts-expect-error the request of another scope
  await session.client.elicitation.create?.({ requestId: 1, ...form });
  // @ts-expect-error a method whose params need no session
  void session.client.elicitation.complete;
  // @ts-expect-error a turn is a concept of version 2
  void session.startTurn;
  // @ts-expect-error an update of another profile
  await session.update("agent_message_clear", {});
  await full.update("agent_message_clear", {});
  // @ts-expect-error an entry without its text
  await session.plan([{ status: "pending" }]);
  const call = await session.toolCall({ title: "Edit", content: [v1.toolText("a")] });
  const option = await call.ask([v1.ALLOW_ALWAYS]);
  await call.update({
    content: [v1.diff("/a", undefined, "b")],
    status: option ? "completed" : "failed",
  });
  // @ts-expect-error a tool call needs a title
  await session.toolCall({ kind: "edit" });
  await using terminal = await session.terminal({ command: "ls", args: ["-l"] });
  if (terminal)
    await call.update({ content: [terminal.content], rawOutput: await terminal.wait() });
}

export async function two(session: v2.AgentSession): Promise<void> {
  const response = await session.startTurn(async (turn) => {
    await turn.text("a");
    return "end_turn";
  });
  response.messageId satisfies string;
  await session.startTurn(async () => ({ stopReason: "refusal" }));
  await session.startTurn(async () => "_acme_reason");
  await session.startTurn(async () => {});
  // @ts-expect-error a reason that does not exist
  await session.startTurn(async () => "done");
  await session.update("state_update", { state: "running" });
  // @ts-expect-error a state that does not exist
  await session.update("state_update", { state: "idel" });
  // @ts-expect-error version 2 has no terminals of the client
  void session.terminal;
  await session.update("_acme", { any: 5 });
  const call = await session.toolCall({ title: "Edit" });
  await call.update({ content: [v2.diff("/a", "a", "b")] });
  await session.plan([{ content: "a", priority: "high" }]);
}

export async function client(connection: v1.ClientConnection): Promise<void> {
  const session = await connection.newSession({ cwd: "/", mcpServers: [] });
  session.response.sessionId satisfies string;
  await session.agent.setMode({ modeId: "code" });
  await session.agent.close?.();
  const turn: v1.Turn = session.prompt([v1.text("a")]);
  (await turn).stopReason satisfies string;
  for await (const update of turn)
    if (update.sessionUpdate === "plan") update.entries.length satisfies number;
  session.state.plan?.entries.length satisfies number | undefined;
  // @ts-expect-error the id of a session is bound
  void session.agent.setMode({ sessionId: "s", modeId: "code" });
}

v1.createClient({
  info: { name: "a", version: "1" },
  handlers: {
    session: {
      update: {
        plan: (update, context) => {
          update.entries.length satisfies number;
          context.sessionId satisfies string;
          context.session.state.availableModes satisfies readonly v1.SessionMode[];
        },
      },
      requestPermission: (_, { session }) => (void session.prompt("a"), v1.CANCELLED),
    },
  },
});

defineAgent({ info: { name: "a", version: "1" }, prompt: async () => "refusal" });
defineAgent({ info: { name: "a", version: "1" }, prompt: async () => {} });
// @ts-expect-error a reason that does not exist
defineAgent({ info: { name: "a", version: "1" }, prompt: async () => "done" });

export async function both(turn: AgentTurn): Promise<void> {
  await turn.v1?.update("current_mode_update", { currentModeId: "a" });
  // @ts-expect-error the versions differ in their updates
  void turn.update;
}
