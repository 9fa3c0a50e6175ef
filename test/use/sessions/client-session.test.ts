import { describe, expect, test } from "vitest";
import { memoryTransports, serveVersions } from "acp-bindings";
import { defineAgent, type AgentTurn } from "acp-bindings/agent";
import * as v1 from "acp-bindings/v1";
import { connectMocks } from "acp-bindings/v1/mocks";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };

const agents = defineAgent({
  info,
  newSession: ({ cwd }) => ({ cwd, prompts: 0 }),
  loadSession: async (session, { cwd, replay }) => {
    if (session.id === "unknown") return undefined;
    if (replay) await session.text("Before");
    return { cwd, prompts: 1 };
  },
  listSessions: () => ({ sessions: [{ sessionId: "old", cwd: "/" }] }),
  prompt: async (prompt, turn) => {
    turn.state.prompts++;
    for (const block of prompt) {
      if (block.type !== "text") continue;
      if (block.text === "work") await work(turn);
      else await turn.text(block);
    }
  },
  onError: () => {},
});

test("an agent for all versions is refused with options that it does not have", () => {
  const prompt = (): Promise<void> => Promise.resolve();
  const define = (options: object): unknown => defineAgent({ info, ...options } as never);
  expect(() => define({ promt: prompt })).toThrow(
    'promt is not an option of defineAgent (did you mean "prompt"?)',
  );
  expect(() => define({ prompt, authMethods: [] })).toThrow(
    "authMethods is not an option of defineAgent: give agents that createAgent has made to serveVersions for more",
  );
  expect(() => define({})).toThrow("prompt is missing: every agent has to give it");
  expect(() => define({ prompt, loadSession: true })).toThrow(
    "loadSession must be a function, not true",
  );
});

async function work(turn: AgentTurn): Promise<void> {
  await turn.plan([{ content: "Edit", status: "in_progress" }]);
  const call = await turn.toolCall({ title: "Edit a.ts", kind: "edit" });
  await call.update({ status: (await call.ask()) ? "completed" : "failed" });
  await turn.stream(
    (async function* () {
      yield "do";
      yield "ne";
    })(),
  );
  expect(await turn.terminal({ command: "ls" })).toBe(undefined);
  await turn.v1?.update("current_mode_update", { currentModeId: "code" });
  await turn.v2?.update("notice", { severity: "info", title: "Done" });
}

describe.each(["v1", "v2"] as const)("a session of a client, %s", (version) => {
  test("is iterated for the updates, after the state has changed and before the client's handler", async () => {
    const order: string[] = [];
    const session = await open(version, (update) => order.push(`handler ${update}`));
    for await (const { sessionUpdate } of session.prompt("Hello"))
      if (sessionUpdate === "agent_message_chunk") order.push(`loop ${messages(session).length}`);
    expect(order.filter((entry) => /loop|chunk/.test(entry))).toEqual([
      "handler agent_message_chunk 2",
      "loop 2",
    ]);
  });

  test("sees plans, tool calls and streams of an agent for all versions", async () => {
    const session = await open(version);
    const tags: string[] = [];
    for await (const { sessionUpdate } of session.prompt("work")) tags.push(sessionUpdate);
    expect(tags).toEqual(
      version === "v1"
        ? [
            "plan",
            "tool_call",
            "tool_call_update",
            "agent_message_chunk",
            "agent_message_chunk",
            "current_mode_update",
          ]
        : [
            "user_message",
            "state_update",
            "plan_update",
            "tool_call_update",
            "tool_call_update",
            "agent_message_chunk",
            "agent_message_chunk",
            "notice",
            "state_update",
          ],
    );
    expect([...session.state.toolCalls.values()]).toMatchObject([
      { title: "Edit a.ts", status: "completed" },
    ]);
  });

  test("is listed, resumed and closed", async () => {
    const { connection, session } = await connect(version);
    expect(
      (await (connection as v1.ClientConnection).agent.request("session/list", {})).sessions,
    ).toMatchObject([{ sessionId: "old" }]);
    const place = { sessionId: "old", cwd: "/", mcpServers: [] };
    const old = await connection.resumeSession(place);
    expect(messages(old)).toEqual([]);
    expect(await old.prompt("Hello")).toMatchObject({ stopReason: "end_turn" });
    expect(connection.session("old").state).toBe(old.state);
    const { state } = session;
    await session.agent.close?.();
    expect(session.state).toBe(state);
    expect(connection.session(session.id).state).not.toBe(state);
    expect(connection.session(session.id).state).toBe(session.state);
    const close = (connection as v1.ClientConnection).agent.request("session/close", {
      sessionId: session.id,
    });
    await expect(close).rejects.toMatchObject({ code: -32002 });
    await expect(connection.resumeSession({ ...place, sessionId: "unknown" })).rejects.toThrow(
      "Session not found",
    );
  });
});

test("the handler of an update may prompt and wait for the handlers of that turn", async () => {
  let [started, ended] = [0, 0];
  let seen: number | undefined;
  const client = v1.createClient({
    info,
    handlers: {
      session: {
        requestPermission: () => v1.CANCELLED,
        update: async (_, { session }) => {
          if (started++ > 0) await new Promise((resolve) => setTimeout(resolve, 10));
          else {
            await session.prompt("again");
            seen = ended;
          }
          ended++;
        },
      },
    },
  });
  await using mock = await connectMocks(client);
  await (await mock.client.newSession({ cwd: "/" })).prompt("Hello");
  expect(started).toBeGreaterThan(3);
  expect([seen, ended]).toEqual([started - 1, started]);
});

test("the session of a handler is there for sessions that were not opened on the connection", async () => {
  const seen: (string | number)[] = [];
  const agent = v1.createAgent({
    info,
    handlers: {
      session: {
        new: async (_, { client }) => {
          const content = { type: "text", text: "hi" } as const;
          const update = { sessionUpdate: "agent_message_chunk", content } as const;
          await client.session.update({ sessionId: "child", update });
          await client.session.update({ sessionId: "child", update });
          return { sessionId: "s" };
        },
        prompt: () => ({ stopReason: "end_turn" }),
      },
    },
  });
  const client = v1.createClient({
    info,
    handlers: {
      session: {
        update: {
          agent_message_chunk: (_, { sessionId, session }) =>
            void seen.push(sessionId, session.id, session.state.messages.length),
        },
        requestPermission: () => v1.CANCELLED,
      },
    },
  });
  const [left, right] = memoryTransports();
  agent.connect(left);
  const connection = await client.connect(right);
  await connection.agent.session.new({ cwd: "/", mcpServers: [] });
  // The state begins when it is first used.
  expect(seen).toEqual(["child", "child", 0, "child", "child", 1]);
  expect(await connection.session("child").prompt("a")).toEqual({ stopReason: "end_turn" });
});

type AnySession = v1.ClientSession | v2.ClientSession;

async function open(version: "v1" | "v2", seen?: (update: string) => void): Promise<AnySession> {
  return (await connect(version, seen)).session;
}

async function connect(version: "v1" | "v2", seen: (update: string) => void = () => {}) {
  const [left, right] = memoryTransports();
  serveVersions(agents, left);
  const create =
    version === "v1" ? v1.createClient : (v2.createClient as never as typeof v1.createClient);
  const client = create({
    info,
    handlers: {
      session: {
        update: ({ update: { sessionUpdate } }, context) => {
          const { session } = context as { readonly session?: AnySession };
          seen(`${sessionUpdate} ${session ? messages(session).length : ""}`.trim());
        },
        requestPermission: () => v1.select(v1.ALLOW_ONCE),
      },
    },
  });
  const opened = await client.connect(right);
  const connection = opened as v1.ClientConnection | v2.ClientConnection;
  const session: AnySession = await connection.newSession({ cwd: "/", mcpServers: [] });
  return { connection, session };
}

function messages({ state }: AnySession): string[] {
  return state.messages.map(
    ({ kind, content }) =>
      `${kind} ${(content as readonly { text?: string }[]).map(({ text }) => text).join("")}`,
  );
}
