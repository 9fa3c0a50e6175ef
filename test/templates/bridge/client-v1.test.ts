import { describe, expect, test } from "vitest";
import { HELLO, openV1, settle, violations, wire, type Wire } from "./wire.js";

const S = "s";
const VERSIONS = { client: 1, agent: 2 } as const;
const text = (value: string): object => ({ type: "text", text: value });

/** A session of a client of version 1 and an agent of version 2. */
async function session(): Promise<Wire> {
  const wired = wire({ agentVersion: 2 });
  await openV1(wired);
  const opened = wired.client.request("session/new", { cwd: "/", mcpServers: [] });
  const { id } = await wired.agent.next();
  wired.agent.send({ id, result: { sessionId: S } });
  await opened;
  return wired;
}

function update(wired: Wire, value: object): void {
  wired.agent.notify("session/update", { sessionId: S, update: value });
}

/** Starts a prompt that the agent confirms and works on. */
async function prompt(wired: Wire): Promise<{ readonly answer: Promise<object> }> {
  const answer = wired.client.request("session/prompt", { sessionId: S, prompt: [text("Hello")] });
  const { id } = await wired.agent.next();
  wired.agent.send({ id, result: { messageId: "m1" } });
  update(wired, { sessionUpdate: "user_message", messageId: "m1", content: [text("Hello")] });
  update(wired, { sessionUpdate: "state_update", state: "running" });
  return { answer };
}

const idle = (stopReason: string): object => ({
  sessionUpdate: "state_update",
  state: "idle",
  stopReason,
});

/** The updates that the client has received. */
async function received(wired: Wire): Promise<object[]> {
  await settle();
  return wired.client.take().map((message) => (message["params"] as { update: object }).update);
}

describe("the handshake", () => {
  test("asks the agent in version 1 first, then in version 2", async () => {
    const wired = wire();
    const hello = wired.client.request("initialize", HELLO.client1);
    const first = await wired.agent.next();
    expect(first["params"]).toEqual(HELLO.client1);
    wired.agent.send({ id: first["id"], error: { code: -32602, message: "info is missing" } });
    const second = await wired.agent.next();
    expect(second["params"]).toMatchObject({ protocolVersion: 2, info: { name: "editor" } });
    wired.agent.send({ id: second["id"], result: HELLO.agent2 });
    expect(await hello).toMatchObject({
      result: {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: true,
          auth: { logout: {} },
          sessionCapabilities: { list: {} },
        },
        authMethods: [{ id: "browser", name: "Browser" }],
      },
    });
  });

  test("passes everything on unchanged when both sides support the same version", async () => {
    const wired = wire();
    const hello = wired.client.request("initialize", HELLO.client1);
    const { id } = await wired.agent.next();
    wired.agent.send({ id, result: HELLO.agent1 });
    expect(await hello).toMatchObject({ result: HELLO.agent1 });
    wired.agent.notify("session/update", {
      sessionId: S,
      update: { sessionUpdate: "of the future" },
    });
    expect(await wired.client.next()).toMatchObject({
      params: { update: { sessionUpdate: "of the future" } },
    });
    expect(wired.losses).toEqual([]);
  });

  test("returns the agent's error to the client when it supports neither version", async () => {
    const wired = wire();
    const hello = wired.client.request("initialize", HELLO.client1);
    for (const message of ["first", "second"]) {
      const { id } = await wired.agent.next();
      wired.agent.send({ id, error: { code: -32022, message } });
    }
    expect(await hello).toMatchObject({ error: { message: "first" } });
  });

  test("holds messages until it has ended", async () => {
    const wired = wire({ agentVersion: 2 });
    const hello = wired.client.request("initialize", HELLO.client1);
    const opened = wired.client.request("session/new", { cwd: "/", mcpServers: [] });
    const first = await wired.agent.next();
    await settle();
    expect(wired.agent.take()).toEqual([]);
    wired.agent.send({ id: first["id"], result: HELLO.agent2 });
    await hello;
    const { id, method } = await wired.agent.next();
    expect(method).toBe("session/new");
    wired.agent.send({ id, result: { sessionId: S } });
    expect(await opened).toMatchObject({ result: { sessionId: S } });
  });
});

describe("a prompt", () => {
  test.each(["end_turn", "cancelled", "refusal", "max_tokens", "max_turn_requests"])(
    "is answered when the session is idle: %s",
    async (stopReason) => {
      const wired = await session();
      const { answer } = await prompt(wired);
      update(wired, { sessionUpdate: "agent_message_chunk", messageId: "a1", content: text("Hi") });
      update(wired, idle(stopReason));
      expect(await answer).toMatchObject({ result: { stopReason } });
      // The client shows its own message by itself.
      expect(await received(wired)).toEqual([
        { sessionUpdate: "agent_message_chunk", messageId: "a1", content: text("Hi") },
      ]);
      expect(wired.losses.map(({ place }) => place)).not.toContain("SessionUpdate/state_update");
      expect(violations(wired, VERSIONS)).toEqual([]);
    },
  );

  test("that fails has the error of the session, which is a loss", async () => {
    const wired = await session();
    const { answer } = await prompt(wired);
    update(wired, { ...idle("error"), error: { code: -32603, message: "Out of credit" } });
    expect(await answer).toMatchObject({ error: { code: -32603, message: "Out of credit" } });
    expect(wired.losses.map(({ place }) => place)).toContain("turn-ended-with-error");
  });

  test("whose request is cancelled after its confirmation is cancelled as work", async () => {
    const wired = await session();
    const answer = wired.client.request(
      "session/prompt",
      { sessionId: S, prompt: [text("Hello")] },
      "p",
    );
    const { id } = await wired.agent.next();
    wired.agent.send({ id, result: { messageId: "m1" } });
    await settle();
    wired.client.notify("$/cancel_request", { requestId: "p" });
    expect(await wired.agent.next()).toMatchObject({
      method: "session/cancel",
      params: { sessionId: S },
    });
    update(wired, idle("cancelled"));
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  });
});

describe("messages", () => {
  test("arrive as chunks, and a repetition of what was sent is not sent again", async () => {
    const wired = await session();
    const message = (content: unknown): object => ({
      sessionUpdate: "agent_message",
      messageId: "a",
      content,
    });
    update(wired, { sessionUpdate: "agent_message_chunk", messageId: "a", content: text("One ") });
    update(wired, message([text("One two")]));
    update(wired, message([text("One two")]));
    expect(await received(wired)).toMatchObject([
      { content: text("One ") },
      { content: text("two") },
    ]);
    expect(wired.losses.filter(({ when }) => when === "state")).toEqual([]);
    update(wired, message([text("Other")]));
    update(wired, message(null));
    expect(await received(wired)).toMatchObject([{ messageId: "a~1", content: text("Other") }]);
    expect(wired.losses.filter(({ when }) => when === "state").map(({ place }) => place)).toEqual([
      "message-replaced",
      "message-cleared",
    ]);
  });

  test("of the user are shown when the session is replayed", async () => {
    const wired = await session();
    const loaded = wired.client.request("session/load", { sessionId: S, cwd: "/", mcpServers: [] });
    const { id, params } = await wired.agent.next();
    expect(params).toMatchObject({ replayFrom: { type: "start" } });
    update(wired, { sessionUpdate: "user_message", messageId: "u", content: [text("Earlier")] });
    update(wired, { sessionUpdate: "state_update", state: "idle" });
    wired.agent.send({
      id,
      result: {
        availableCommands: [{ type: "command", name: "test", description: "Run the tests" }],
      },
    });
    expect(await loaded).toMatchObject({ result: {} });
    expect(await received(wired)).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: text("Earlier") },
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "test" }] },
    ]);
    expect(violations(wired, VERSIONS)).toEqual([]);
  });
});

describe("tool calls", () => {
  test("are announced with the first update, and content is collected", async () => {
    const wired = await session();
    const { answer } = await prompt(wired);
    const call = { sessionUpdate: "tool_call_update", toolCallId: "t" };
    const content = (value: string): object => ({ type: "content", content: text(value) });
    update(wired, {
      ...call,
      title: "Test",
      kind: "execute",
      status: "in_progress",
      content: null,
    });
    update(wired, {
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "t",
      content: content("one"),
    });
    update(wired, {
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "t",
      content: content("two"),
    });
    update(wired, { ...call, status: "cancelled" });
    update(wired, idle("end_turn"));
    await answer;
    expect(await received(wired)).toEqual([
      {
        sessionUpdate: "tool_call",
        toolCallId: "t",
        title: "Test",
        kind: "execute",
        status: "in_progress",
      },
      { ...call, content: [content("one")] },
      { ...call, status: "failed", content: [content("one"), content("two")] },
    ]);
    expect(violations(wired, VERSIONS)).toEqual([]);
  });

  test("are announced when content comes before anything else", async () => {
    const wired = await session();
    const content = { type: "content", content: text("one") };
    update(wired, { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content });
    expect(await received(wired)).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "t", title: "" },
      { sessionUpdate: "tool_call_update", toolCallId: "t", content: [content] },
    ]);
    expect(wired.losses.at(-1)).toMatchObject({ place: "tool-call-without-title" });
  });

  test("show terminals of the agent as text", async () => {
    const wired = await session();
    const call = { sessionUpdate: "tool_call_update", toolCallId: "t" };
    update(wired, {
      sessionUpdate: "terminal_update",
      terminalId: "x",
      command: "npm test",
      cwd: "/",
    });
    update(wired, { ...call, title: "Test", content: [{ type: "terminal", terminalId: "x" }] });
    update(wired, {
      sessionUpdate: "terminal_output_chunk",
      terminalId: "x",
      data: btoa("failed\n"),
    });
    update(wired, {
      sessionUpdate: "terminal_update",
      terminalId: "x",
      exitStatus: { exitCode: 1 },
    });
    const shown = (value: string): object => ({
      content: [{ type: "content", content: text(value) }],
    });
    expect(await received(wired)).toMatchObject([
      shown("$ npm test\n"),
      shown("$ npm test\nfailed\n"),
      shown("$ npm test\nfailed\n\n[exit code 1]"),
    ]);
  });

  test("have one diff for each file", async () => {
    const wired = await session();
    const patch = ["a", "b"]
      .map(
        (name) =>
          `diff --git /${name} /${name}\n--- /${name}\n+++ /${name}\n@@ -1 +1 @@\n-old ${name}\n+new ${name}\n`,
      )
      .join("");
    update(wired, {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      title: "Edit",
      content: [
        {
          type: "diff",
          changes: ["/a", "/b", "/c"].map((path) => ({ operation: "modify", path })),
          patch: { format: "git_patch", text: patch },
        },
      ],
    });
    expect(await received(wired)).toMatchObject([
      {
        content: [
          { type: "diff", path: "/a", oldText: "old a\n", newText: "new a\n" },
          { type: "diff", path: "/b", oldText: "old b\n", newText: "new b\n" },
          { type: "content", content: text("modify /c") },
        ],
      },
    ]);
    expect(wired.losses.map(({ place }) => place)).toContain("change-as-text");
  });
});

describe("modes", () => {
  test("represent the option of their category", async () => {
    const wired = wire({ agentVersion: 2 });
    await openV1(wired);
    const option = (currentValue: string): object => ({
      type: "select",
      configId: "m",
      name: "Mode",
      category: "mode",
      currentValue,
      options: [
        { value: "ask", name: "Ask" },
        { value: "code", name: "Code" },
      ],
    });
    const opened = wired.client.request("session/new", { cwd: "/", mcpServers: [] });
    wired.agent.send({
      id: (await wired.agent.next())["id"],
      result: { sessionId: S, configOptions: [option("ask")] },
    });
    expect(await opened).toMatchObject({
      result: {
        modes: { currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "code" }] },
        configOptions: [{ id: "m" }],
      },
    });
    const set = wired.client.request("session/set_mode", { sessionId: S, modeId: "code" });
    const { id, method, params } = await wired.agent.next();
    expect({ method, params }).toEqual({
      method: "session/set_config_option",
      params: { sessionId: S, configId: "m", type: "id", value: "code" },
    });
    wired.agent.send({ id, result: { configOptions: [option("code")] } });
    expect(await set).toMatchObject({ result: {} });
    expect(await received(wired)).toMatchObject([
      { sessionUpdate: "config_option_update" },
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
    ]);
    expect(violations(wired, VERSIONS)).toEqual([]);
  });
});

describe("what version 1 cannot represent", () => {
  test("a plan with another id replaces the one that is shown", async () => {
    const wired = await session();
    const plan = (planId: string): object => ({
      sessionUpdate: "plan_update",
      plan: {
        type: "items",
        planId,
        entries: [{ content: planId, priority: "high", status: "cancelled" }],
      },
    });
    update(wired, plan("main"));
    update(wired, plan("other"));
    update(wired, {
      sessionUpdate: "plan_update",
      plan: { type: "markdown", planId: "text", content: "# Plan" },
    });
    update(wired, { sessionUpdate: "plan_removed", planId: "other" });
    expect(await received(wired)).toMatchObject([
      { sessionUpdate: "plan", entries: [{ content: "main", status: "completed" }] },
      { sessionUpdate: "plan", entries: [{ content: "other" }] },
      { sessionUpdate: "plan", entries: [] },
    ]);
    expect(wired.losses.filter(({ when }) => when === "state").map(({ place }) => place)).toEqual([
      "plan-replaced",
      "plan-kind",
    ]);
  });

  test("updates that the client has not advertised are left out", async () => {
    const wired = await session();
    update(wired, { sessionUpdate: "notice", severity: "info", title: "Kept" });
    update(wired, { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" });
    update(wired, { sessionUpdate: "_custom", data: 1 });
    expect(await received(wired)).toMatchObject([{ title: "Kept" }]);
    expect(wired.losses.slice(-2).map(({ place }) => place)).toEqual([
      "feature-not-advertised",
      "SessionUpdate/*",
    ]);
  });

  test("options that are on or off are left out for a client that has not advertised them", async () => {
    const wired = await session();
    const options = [{ value: "s", name: "Small" }];
    const configOptions = [
      { type: "select", configId: "size", name: "Size", currentValue: "s", options },
      { type: "boolean", configId: "fast", name: "Fast", currentValue: true },
    ];
    update(wired, { sessionUpdate: "config_option_update", configOptions });
    const [shown] = (await received(wired)) as { readonly configOptions: object[] }[];
    expect(shown?.configOptions).toMatchObject([{ id: "size" }]);
    expect(wired.losses.at(-1)).toMatchObject({ place: "switch-not-advertised" });
    const call = wired.client.request("session/new", { cwd: "/", mcpServers: [] });
    const { id } = await wired.agent.next();
    wired.agent.send({ id, result: { sessionId: "s-2", configOptions } });
    const { result } = (await call) as { readonly result: { readonly configOptions: object[] } };
    expect(result.configOptions).toMatchObject([{ id: "size" }]);
    expect(wired.losses.at(-1)).toMatchObject({ method: "session/new" });
  });

  test("extensions pass in both directions", async () => {
    const wired = await session();
    const params = { a: 1, sessionId: S };
    void wired.client.request("_vendor/method", params);
    expect(await wired.agent.next()).toMatchObject({ method: "_vendor/method", params });
    wired.agent.notify("_vendor/event", params);
    expect(await wired.client.next()).toMatchObject({ method: "_vendor/event", params });
  });
});

describe("permission", () => {
  test("is requested with a tool call, and the response is returned", async () => {
    const wired = await session();
    const asked = wired.agent.request("session/request_permission", {
      sessionId: S,
      title: "Run npm test?",
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
      subject: { type: "command", command: "npm test", cwd: "/" },
    });
    const { id, params } = await wired.client.next();
    expect(params).toMatchObject({
      toolCall: { title: "Run npm test?", kind: "execute", rawInput: { command: "npm test" } },
    });
    wired.client.send({ id, result: { outcome: { outcome: "selected", optionId: "y" } } });
    expect(await asked).toMatchObject({
      result: { outcome: { outcome: "selected", optionId: "y" } },
    });
  });
});
