import * as v1 from "acp-bindings/v1";
import * as v1Mocks from "acp-bindings/v1/mocks";
import * as v2 from "acp-bindings/v2";
import * as v2Mocks from "acp-bindings/v2/mocks";
import { describe, expect, expectTypeOf, test } from "vitest";

const info = { name: "tested", version: "1.0.0" };

/** An agent whose prompts do what a test wants. */
function agentOf(prompt: v1.AgentHandlers["session"]["prompt"]): v1.Agent {
  return v1.createAgent({
    info,
    handlers: { session: { new: () => ({ sessionId: "s" }), prompt } },
    onError: (error) => void reported.push(error),
  });
}

/** The errors of agents. */
const reported: unknown[] = [];

const PROMPT = { sessionId: "s", prompt: [{ type: "text", text: "Go" }] } as const;
const END = { stopReason: "end_turn" } as const;

/** An agent that writes a file, whether or not the client can. */
const writer = agentOf(async (_params, { client }) => {
  await client.request("fs/write_text_file", { sessionId: "s", path: "/a", content: "x" });
  return END;
});

describe("the peer of an agent under test", () => {
  test("has no capability by default, so that an agent fails as with a bare client", async () => {
    for (const options of [undefined, { capabilities: "none" }] as const) {
      reported.length = 0;
      const { client, close } = await v1Mocks.connectMocks(writer, options);
      expect(client.handshake.request.clientCapabilities ?? {}).toEqual({});
      await expect(client.agent.session.prompt(PROMPT)).rejects.toThrow("Internal error");
      expect(reported).toMatchObject([{ capability: "clientCapabilities.fs.writeTextFile" }]);
      close();
    }
  });

  test("has all capabilities, or those that are given", async () => {
    const given = { fs: { writeTextFile: true } };
    for (const capabilities of ["all", given] as const) {
      const { client, paramsOf, close } = await v1Mocks.connectMocks(writer, { capabilities });
      expect(await client.agent.session.prompt(PROMPT)).toEqual(END);
      expect(paramsOf("fs/write_text_file")).toEqual([
        { sessionId: "s", path: "/a", content: "x" },
      ]);
      if (capabilities === given)
        expect(client.handshake.request.clientCapabilities).toEqual(given);
      close();
    }
  });

  test("has typed calls, in order", async () => {
    const { agent, client, calls, paramsOf, close } = await v1Mocks.connectMocks(
      agentOf(async (_params, { session }) => {
        await session.text("Hello");
        return END;
      }),
    );
    expectTypeOf(agent).toEqualTypeOf<v1.AgentConnection>();
    expectTypeOf(client).toEqualTypeOf<v1.ClientConnection>();
    await client.agent.session.prompt(PROMPT);
    const content = { type: "text", text: "Hello" };
    const update = { sessionUpdate: "agent_message_chunk", content };
    expect(calls).toEqual([{ method: "session/update", params: { sessionId: "s", update } }]);
    expect(paramsOf("session/update")).toEqual([{ sessionId: "s", update }]);
    expect(paramsOf("fs/read_text_file")).toEqual([]);
    const [call] = calls;
    expectTypeOf(call!.method).toExtend<keyof v1.ClientRequests | keyof v1.ClientNotifications>();
    if (call?.method === "session/update")
      expectTypeOf(call.params).toEqualTypeOf<v1.received.SessionNotification>();
    const [written] = paramsOf("fs/write_text_file");
    expectTypeOf(written?.content).toEqualTypeOf<string | undefined>();
    // @ts-expect-error -- a client does not handle this method.
    expect(() => paramsOf("session/new")).toThrow("not a method that the client handles");
    close();
  });

  test("is replaced in part by typed handlers, which advertise their capability", async () => {
    const { agent, paramsOf, close } = await v1Mocks.connectMocks(writer, {
      handlers: {
        terminal: { create: ({ command }) => ({ terminalId: `of ${command}` }) },
        // @ts-expect-error -- the content is missing.
        fs: { readTextFile: () => ({}) },
      },
    });
    const params = { sessionId: "s", command: "ls" };
    expect(await agent.client.terminal.create?.(params)).toEqual({ terminalId: "of ls" });
    expect(paramsOf("terminal/create")).toEqual([params]);
    // The other methods of the capability are those of the mock.
    const terminal = { sessionId: "s", terminalId: "of ls" };
    expect(await agent.client.terminal.kill?.(terminal)).toEqual({});
    expect(agent.client.fs.writeTextFile).toBeUndefined();
    close();
  });
});

describe("the peer of a client under test", () => {
  const client = v1.createClient({
    info,
    handlers: { session: { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) } },
  });

  test("has all capabilities, or those that are given", async () => {
    const all = await v1Mocks.connectMocks(client, { capabilities: "all" });
    expect(await all.client.agent.session.load?.(v1Mocks.SAMPLES.LoadSessionRequest)).toBeDefined();
    const [method] = all.client.handshake.response.authMethods!;
    await all.client.agent.authenticate?.({ methodId: method!.id });
    expect(all.paramsOf("authenticate")).toEqual([{ methodId: method!.id }]);
    all.close();
    const some = await v1Mocks.connectMocks(client, { capabilities: { loadSession: true } });
    expect(some.client.agent.session.load).toBeDefined();
    expect(some.client.agent.session.list).toBeUndefined();
    some.close();
  });

  test("ends a cancelled turn as cancelled, and completes the next one", async () => {
    const connected = await v1Mocks.connectMocks(client);
    const { agent } = connected.client;
    const prompt = agent.session.prompt(PROMPT);
    await agent.session.cancel({ sessionId: "s" });
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    expect(await agent.session.prompt(PROMPT)).toEqual(END);
    connected.close();
  });
});

describe("in version 2", () => {
  const updates: v2.received.SessionUpdate[] = [];
  const client = v2.createClient({
    info,
    handlers: {
      session: {
        requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
        update: ({ update }) => void updates.push(update),
      },
    },
  });

  test("the mock agent creates sessions, shows the message, works and becomes idle", async () => {
    const connected = await v2Mocks.connectMocks(client);
    expect(connected.client.handshake.response.capabilities).toEqual({ session: {} });
    const session = await connected.client.newSession({ cwd: "/" });
    updates.length = 0;
    expect((await session.prompt("Hello")).stopReason).toBe("end_turn");
    const content = [{ type: "text", text: "Hello" }];
    expect(updates[0]).toMatchObject({ sessionUpdate: "user_message", content });
    expect(updates[1]).toEqual({ sessionUpdate: "state_update", state: "running" });
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "idle" });
    const [first] = updates;
    updates.length = 0;
    const ended = session.prompt("Hello");
    await session.cancel();
    expect((await ended).stopReason).toBe("cancelled");
    const idOf = (update: object | undefined) => (update as { messageId: string }).messageId;
    expect(idOf(updates[0])).not.toBe(idOf(first));
    connected.close();
  });

  test("the mock client has no capability, a scripted user and typed calls", async () => {
    const agent = v2.createAgent({
      info,
      handlers: {
        session: {
          new: () => ({ sessionId: "s" }),
          list: () => ({ sessions: [] }),
          resume: () => ({}),
          close: () => {},
          prompt: async (_params, { session }) =>
            session.startTurn(async () => {
              const call = await session.toolCall({ title: "Edit", kind: "edit" });
              await call.update({ status: (await call.ask()) ? "completed" : "failed" });
            }),
        },
      },
    });
    for (const [permission, status] of [
      ["allow_once", "completed"],
      ["cancelled", "failed"],
    ] as const) {
      const connected = await v2Mocks.connectMocks(agent, { user: { permission } });
      const session = await connected.client.newSession({ cwd: "/" });
      await session.prompt("Go");
      expect([...session.state.toolCalls.values()][0]?.status).toBe(status);
      expect(connected.paramsOf("session/request_permission")).toHaveLength(1);
      expect(connected.agent.handshake?.request.capabilities ?? {}).toEqual({});
      connected.close();
    }
  });
});
