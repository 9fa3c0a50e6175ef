import { METHODS } from "acp-bindings/v2-full";
import { describe, expect, test } from "vitest";
import { HELLO, openV2, settle, violations, wire, type Wire } from "./wire.js";

const S = "s";
const VERSIONS = { client: 2, agent: 1 } as const;
const text = (value: string): object => ({ type: "text", text: value });

/** A session of a client of version 2 and an agent of version 1. */
async function session(result: object = {}): Promise<Wire> {
  const wired = wire({ agentVersion: 1 });
  await openV2(wired);
  const opened = wired.client.request("session/new", { cwd: "/" });
  const { id, params } = await wired.agent.next();
  expect(params).toEqual({ cwd: "/", mcpServers: [] });
  wired.agent.send({ id, result: { sessionId: S, ...result } });
  await opened;
  return wired;
}

function update(wired: Wire, value: object): void {
  wired.agent.notify("session/update", { sessionId: S, update: value });
}

async function received(wired: Wire): Promise<object[]> {
  await settle();
  return wired.client.take().map((message) => (message["params"] as { update: object }).update);
}

function prompt(wired: Wire): Promise<object> {
  return wired.client.request("session/prompt", { sessionId: S, prompt: [text("Hello")] });
}

describe("the handshake", () => {
  test("asks the agent in version 2 first, then in version 1", async () => {
    const wired = wire();
    const hello = wired.client.request("initialize", HELLO.client2);
    const first = await wired.agent.next();
    wired.agent.send({ id: first["id"], result: HELLO.agent1 });
    const second = await wired.agent.next();
    expect(second["params"]).toMatchObject({
      protocolVersion: 1,
      clientInfo: { name: "editor" },
      clientCapabilities: { session: { notices: {} } },
    });
    wired.agent.send({ id: second["id"], result: HELLO.agent1 });
    expect(await hello).toMatchObject({
      result: {
        protocolVersion: 2,
        info: { name: "agent" },
        capabilities: { session: { mcp: { stdio: {} } } },
      },
    });
  });

  test("uses the first response of an agent that is asked only once", async () => {
    const wired = wire();
    const hello = wired.client.request("initialize", HELLO.client2);
    wired.agent.send({ id: (await wired.agent.next())["id"], result: HELLO.agent1 });
    wired.agent.send({
      id: (await wired.agent.next())["id"],
      error: { code: -32600, message: "again" },
    });
    expect(await hello).toMatchObject({ result: { protocolVersion: 2 } });
  });
});

describe("logging out", () => {
  const logout = { auth: { logout: {} } };
  const methods = [{ id: "a", name: "A" }];
  test.each([
    ["an agent without a way to log in", {}, [], []],
    ["an agent that can only log out", logout, [], ["logout-not-offered"]],
    ["an agent that can log in and out", logout, methods, []],
    ["an agent that can only log in", {}, methods, ["AgentAuthCapabilities/logout"]],
  ])("of %s", async (_, auth, authMethods, expected) => {
    const wired = wire({ agentVersion: 1 });
    const hello = wired.client.request("initialize", HELLO.client2);
    const agentCapabilities = { ...HELLO.agent1.agentCapabilities, ...auth };
    const result = { ...HELLO.agent1, agentCapabilities, authMethods };
    wired.agent.send({ id: (await wired.agent.next())["id"], result });
    await hello;
    const places = wired.losses.map(({ place }) => place);
    expect(places.filter((place) => /logout/i.test(place))).toEqual(expected);
  });
});

describe("a prompt", () => {
  test("is confirmed when the agent begins, and ends idle with the response", async () => {
    const wired = await session();
    const answer = prompt(wired);
    const { id } = await wired.agent.next();
    update(wired, { sessionUpdate: "agent_message_chunk", content: text("Hi ") });
    update(wired, { sessionUpdate: "agent_message_chunk", content: text("there") });
    update(wired, { sessionUpdate: "agent_thought_chunk", content: text("Hm") });
    update(wired, { sessionUpdate: "agent_message_chunk", content: text("Bye") });
    for (const between of [
      { sessionUpdate: "tool_call", toolCallId: "t", title: "Run" },
      { sessionUpdate: "plan", entries: [] },
      { sessionUpdate: "session_info_update", title: "Greeting" },
    ]) {
      update(wired, between);
      update(wired, { sessionUpdate: "agent_message_chunk", content: text("!") });
    }
    wired.agent.send({ id, result: { stopReason: "max_tokens" } });
    expect(await answer).toMatchObject({ result: { messageId: "message-1" } });
    expect(await received(wired)).toMatchObject([
      { sessionUpdate: "user_message", messageId: "message-1", content: [text("Hello")] },
      { state: "running" },
      { messageId: "message-2" },
      { messageId: "message-2" },
      { messageId: "message-3" },
      { messageId: "message-4" },
      { sessionUpdate: "tool_call_update" },
      { messageId: "message-5" },
      { sessionUpdate: "plan_update" },
      { messageId: "message-6" },
      { sessionUpdate: "session_info_update" },
      { messageId: "message-6" },
      { state: "idle", stopReason: "max_tokens" },
    ]);
    expect(wired.losses.filter(({ method }) => method === "session/prompt")).toEqual([]);
    expect(violations(wired, VERSIONS)).toEqual([]);
  });

  test("that fails later ends the work with the error", async () => {
    const wired = await session();
    const answer = prompt(wired);
    const { id } = await wired.agent.next();
    update(wired, { sessionUpdate: "agent_message_chunk", content: text("Hi") });
    wired.agent.send({ id, error: { code: -32603, message: "Out of credit" } });
    expect(await answer).toMatchObject({ result: {} });
    expect((await received(wired)).at(-1)).toMatchObject({
      state: "idle",
      stopReason: "error",
      error: { message: "Out of credit" },
    });
    expect(wired.losses.at(-1)).toMatchObject({ place: "turn-error" });
    expect(violations(wired, VERSIONS)).toEqual([]);
  });

  test("is confirmed soon although the agent sends nothing", async () => {
    const wired = await session();
    expect(await prompt(wired)).toMatchObject({ result: { messageId: "message-1" } });
  });
});

describe("modes", () => {
  const modes = {
    currentModeId: "ask",
    availableModes: [
      { id: "ask", name: "Ask" },
      { id: "code", name: "Code" },
    ],
  };

  test("are a configuration option", async () => {
    const wired = await session({
      modes,
      configOptions: [{ type: "boolean", id: "fast", name: "Fast", currentValue: false }],
    });
    const set = wired.client.request("session/set_config_option", {
      sessionId: S,
      configId: "mode",
      type: "id",
      value: "code",
    });
    const { id, method, params } = await wired.agent.next();
    expect({ method, params }).toEqual({
      method: "session/set_mode",
      params: { sessionId: S, modeId: "code" },
    });
    wired.agent.send({ id, result: {} });
    expect(await set).toMatchObject({
      result: { configOptions: [{ configId: "mode", currentValue: "code" }, { configId: "fast" }] },
    });
    update(wired, { sessionUpdate: "current_mode_update", currentModeId: "ask" });
    expect(await received(wired)).toMatchObject([
      {
        sessionUpdate: "config_option_update",
        configOptions: [{ configId: "mode", currentValue: "ask" }, { configId: "fast" }],
      },
    ]);
    expect(wired.losses.map(({ place }) => place)).not.toContain("NewSessionResponse/modes");
    expect(violations(wired, VERSIONS)).toEqual([]);
  });
});

describe("a session", () => {
  test("that is replayed is loaded", async () => {
    const wired = await session();
    const resumed = wired.client.request("session/resume", {
      sessionId: S,
      cwd: "/",
      replayFrom: { type: "start" },
    });
    const { id, method, params } = await wired.agent.next();
    expect({ method, params }).toEqual({
      method: "session/load",
      params: { sessionId: S, cwd: "/", mcpServers: [] },
    });
    update(wired, { sessionUpdate: "user_message_chunk", content: text("Earlier") });
    wired.agent.send({ id, result: {} });
    expect(await resumed).toMatchObject({ result: {} });
    expect(await received(wired)).toMatchObject([
      { sessionUpdate: "user_message_chunk" },
      { state: "idle" },
    ]);
    expect(violations(wired, VERSIONS)).toEqual([]);
  });

  test("cannot be replayed from any other point", async () => {
    const wired = await session();
    const resumed = wired.client.request("session/resume", {
      sessionId: S,
      cwd: "/",
      replayFrom: { type: "_cursor" },
    });
    expect(await resumed).toMatchObject({ error: { code: -32602 } });
    expect(wired.losses.at(-1)).toMatchObject({ place: "replay-unsupported", kind: "rejected" });
  });

  test("has commands, plans and tool calls of version 2", async () => {
    const wired = await session();
    update(wired, {
      sessionUpdate: "available_commands_update",
      availableCommands: [{ name: "test", description: "Test", input: { hint: "which" } }],
    });
    update(wired, {
      sessionUpdate: "plan",
      entries: [{ content: "One", priority: "high", status: "pending" }],
    });
    update(wired, {
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "Edit",
      content: [{ type: "diff", path: "/a", oldText: "1\n", newText: "2\n" }],
    });
    update(wired, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      status: "completed",
      content: null,
    });
    expect(await received(wired)).toMatchObject([
      {
        availableCommands: [
          { type: "command", name: "test", input: { type: "text", hint: "which" } },
        ],
      },
      {
        sessionUpdate: "plan_update",
        plan: { type: "items", planId: "main", entries: [{ content: "One" }] },
      },
      {
        sessionUpdate: "tool_call_update",
        content: [
          { changes: [{ operation: "modify", path: "/a" }], patch: { format: "git_patch" } },
        ],
      },
      { sessionUpdate: "tool_call_update", status: "completed" },
    ]);
  });
});

describe("what version 2 does not have", () => {
  test.each([
    ["fs/read_text_file", { sessionId: S, path: "/a" }],
    ["terminal/create", { sessionId: S, command: "ls" }],
  ])("%s is refused with a reason", async (method, params) => {
    const wired = await session();
    expect(await wired.agent.request(method, params)).toMatchObject({
      error: { code: -32601, message: expect.stringMatching(/version 2/i) as string },
    });
    expect(wired.losses.at(-1)).toMatchObject({ place: method, kind: "rejected" });
  });

  test.each(
    METHODS.map(({ name }) => name).filter((name) => /^(tool_call|terminal)\/cancel$/.test(name)),
  )("%s is refused with a reason", async (method) => {
    const wired = await session();
    const params = { sessionId: S, toolCallId: "t", terminalId: "t" };
    expect(await wired.client.request(method, params)).toMatchObject({
      error: { code: -32601, message: expect.stringContaining("ersion 1") as string },
    });
  });
});

describe("permission", () => {
  test("is requested with a title and a subject", async () => {
    const wired = await session();
    const asked = wired.agent.request("session/request_permission", {
      sessionId: S,
      toolCall: { toolCallId: "t", title: "rm -r dist" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    });
    const { id, params } = await wired.client.next();
    expect(params).toMatchObject({
      title: "rm -r dist",
      subject: { type: "tool_call", toolCall: { toolCallId: "t" } },
    });
    wired.client.send({ id, result: { outcome: { outcome: "_later" } } });
    expect(await asked).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(wired.losses.at(-1)).toMatchObject({ kind: "approximate" });
  });
});
