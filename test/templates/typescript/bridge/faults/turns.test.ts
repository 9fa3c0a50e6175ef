import { afterEach, describe, expect, test, vi } from "vitest";
import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../../../out/typescript/src/bridge/tables.js";
import { BridgeCore } from "../../../../../templates/typescript/runtime/bridge/core.js";
import { ask as send, openCore, say as update, type OpenCore } from "../open-core.js";
import { HELLO } from "../hello.js";

const S = "s";
const text = (value: string): object => ({ type: "text", text: value });
const idle = { sessionUpdate: "state_update", state: "idle" };

type Message = { readonly [name: string]: unknown };

/** Returns what was sent to a side, and forgets it. */
function take({ sent }: OpenCore, side: "client" | "agent"): Message[] {
  return sent[side].splice(0);
}

/** Sends a request of the client. Returns the id that the agent sees. */
function ask(open: OpenCore, id: number, method: string, params: object): unknown {
  send(open, id, method, params);
  return take(open, "agent").at(-1)?.["id"];
}

function prompt(open: OpenCore, id = 1, sessionId = S): unknown {
  return ask(open, id, "session/prompt", { sessionId, prompt: [text("Hello")] });
}

function answer(open: OpenCore, id: unknown, result: object): void {
  open.core.fromAgent({ jsonrpc: "2.0", id, result });
}

/** The updates in messages. */
const updatesOf = (messages: readonly Message[]): unknown[] =>
  messages
    .filter(({ method }) => method === "session/update")
    .map(({ params }) => (params as { update: unknown }).update);

afterEach(() => void vi.useRealTimers());

describe("a client of version 1", () => {
  test("keeps its mode when a session is loaded without options", () => {
    const open = openCore(1);
    const option = {
      type: "select",
      configId: "m",
      name: "Mode",
      category: "mode",
      currentValue: "ask",
      options: [{ value: "ask", name: "Ask" }],
    };
    const params = { cwd: "/", mcpServers: [] };
    answer(open, ask(open, 1, "session/new", params), { sessionId: S, configOptions: [option] });
    answer(open, ask(open, 2, "session/load", { ...params, sessionId: S }), {});
    expect(ask(open, 3, "session/set_mode", { sessionId: S, modeId: "ask" })).toBeDefined();
  });

  test("gets a message that another client has sent while its prompt is not confirmed", () => {
    const open = openCore(1);
    const id = prompt(open);
    const message = (messageId: string, value: string): object => ({
      sessionUpdate: "user_message",
      messageId,
      content: [text(value)],
    });
    update(open, message("other", "Somebody else's"));
    update(open, message("own", "Hello"));
    expect(take(open, "client")).toEqual([]);
    answer(open, id, { messageId: "own" });
    expect(updatesOf(take(open, "client"))).toMatchObject([{ content: text("Somebody else's") }]);
  });

  test("can cancel the request of a prompt that is confirmed only then", () => {
    const open = openCore(1);
    const id = prompt(open);
    const params = { requestId: 1 };
    open.core.fromClient({ jsonrpc: "2.0", method: "$/cancel_request", params });
    answer(open, id, { messageId: "m" });
    expect(take(open, "agent").map(({ method }) => method)).toEqual([
      "$/cancel_request",
      "session/cancel",
    ]);
    update(open, { ...idle, stopReason: "cancelled" });
    open.core.fromClient({ jsonrpc: "2.0", method: "$/cancel_request", params });
    expect(take(open, "agent")).toEqual([]);
  });

  test("gets no answer by an idle state that repeats the last one", () => {
    const open = openCore(1);
    const ended = { ...idle, stopReason: "end_turn" };
    const running = { ...idle, state: "running" };
    answer(open, prompt(open, 1), { messageId: "one" });
    for (const one of [running, ended]) update(open, one);
    expect(take(open, "client")).toMatchObject([{ id: 1 }]);
    answer(open, prompt(open, 2), { messageId: "two" });
    for (const one of [ended, idle]) update(open, one);
    expect(take(open, "client")).toEqual([]);
    for (const one of [running, { ...idle, stopReason: "refusal" }]) update(open, one);
    expect(take(open, "client")).toMatchObject([{ id: 2, result: { stopReason: "refusal" } }]);
  });

  test("gets the answer to a prompt that the agent has ended without work before it confirmed it", () => {
    vi.useFakeTimers();
    const open = openCore(1);
    const id = prompt(open);
    update(open, { ...idle, stopReason: "refusal", _meta: { "example.com/note": 1 } });
    answer(open, id, { messageId: "m" });
    vi.advanceTimersByTime(900);
    expect(take(open, "client")).toEqual([]);
    vi.advanceTimersByTime(200);
    const result = { stopReason: "refusal", _meta: { "example.com/note": 1 } };
    expect(take(open, "client")).toMatchObject([{ id: 1, result }]);
    update(open, { ...idle, stopReason: "end_turn" });
    expect(take(open, "client")).toEqual([]);
  });
});

describe("a client of version 2", () => {
  const closable = {
    ...HELLO.agent1,
    agentCapabilities: { sessionCapabilities: { close: {}, delete: {}, archive: {} } },
  };
  const ENDING = ["close", "delete", "archive"];

  test.each(ENDING)("sees its prompt end before session/%s is answered", (method) => {
    const open = openCore(2, closable);
    const id = prompt(open);
    const end = (own: number): unknown => ask(open, own, `session/${method}`, { sessionId: S });
    const error = { code: -32603, message: "Not now" };
    open.core.fromAgent({ jsonrpc: "2.0", id: end(3), error });
    expect(take(open, "client")).toMatchObject([{ id: 3, error }]);
    answer(open, end(2), {});
    answer(open, id, { stopReason: "end_turn" });
    const [confirmed, message, running, ended, closed, ...rest] = take(open, "client");
    expect(confirmed).toMatchObject({ id: 1, result: { messageId: expect.any(String) as string } });
    expect(updatesOf([message!, running!, ended!])).toMatchObject([
      { sessionUpdate: "user_message" },
      { state: "running" },
      { state: "idle", stopReason: "cancelled" },
    ]);
    expect(closed).toMatchObject({ id: 2, result: {} });
    expect(rest).toEqual([]);
  });

  test("keeps its mode when a session is loaded without modes", () => {
    const open = openCore(2);
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    answer(open, ask(open, 1, "session/new", { cwd: "/" }), { sessionId: S, modes });
    const [opened] = take(open, "client");
    const params = { sessionId: S, cwd: "/", replayFrom: { type: "start" } };
    answer(open, ask(open, 2, "session/resume", params), {});
    const options = (message: Message | undefined): unknown =>
      (message!["result"] as { configOptions: unknown }).configOptions;
    expect(options(take(open, "client").at(-1))).toEqual(options(opened));
  });
});

const PERMISSION = {
  method: "session/request_permission",
  params: {
    sessionId: S,
    title: "Run?",
    toolCall: { toolCallId: "c", title: "Run" },
    subject: { type: "tool_call", toolCall: { toolCallId: "c", title: "Run" } },
    options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
  },
};

test.each([
  [1, "before"],
  [1, "after"],
  [2, "before"],
  [2, "after"],
] as const)(
  "a question of an agent of version %i reaches the client again in the turn after a cancelled one, whose prompt is sent %s its end",
  (version, when) => {
    const open = openCore(version === 1 ? 2 : 1);
    const isAsked = (id: string): boolean => {
      open.core.fromAgent({ jsonrpc: "2.0", id, ...PERMISSION });
      return take(open, "client").some(({ method }) => method === PERMISSION.method);
    };
    const own = prompt(open, 1);
    if (version === 2) {
      answer(open, own, { messageId: "m1" });
      update(open, { sessionUpdate: "state_update", state: "running" });
    }
    open.core.fromClient({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: S } });
    let next = when === "before" ? prompt(open, 2) : undefined;
    expect(isAsked("late")).toBe(false);
    if (version === 1) answer(open, own, { stopReason: "cancelled" });
    else update(open, { ...idle, stopReason: "cancelled" });
    if (next === undefined) expect(isAsked("between")).toBe(false);
    next ??= prompt(open, 2);
    if (version === 2) answer(open, next, { messageId: "m2" });
    expect(isAsked("next")).toBe(true);
  },
);

describe("an agent of version 1 without methods that every agent of version 2 has", () => {
  const loadSession = { ...HELLO.agent1, agentCapabilities: { loadSession: true } };
  const start = (hello: object = loadSession): OpenCore => openCore(2, hello);
  const create = (open: OpenCore, id: number, sessionId: string, cwd = "/"): void => {
    answer(open, ask(open, id, "session/new", { cwd }), { sessionId });
    take(open, "client");
  };
  const close = (open: OpenCore, id = 9): unknown =>
    ask(open, id, "session/close", { sessionId: S });
  const list = (open: OpenCore, params: object = {}): unknown => {
    expect(ask(open, 8, "session/list", params)).toBeUndefined();
    const [message] = take(open, "client").slice(-1);
    return message!["result"] ?? message!["error"];
  };

  test("cancels a session that is closed, whose end comes before the response", () => {
    const open = start();
    create(open, 1, S);
    const own = prompt(open, 2);
    send(open, 9, "session/close", { sessionId: S });
    expect(take(open, "agent")).toEqual([
      { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: S } },
    ]);
    send(open, 10, "session/close", { sessionId: S });
    expect(take(open, "agent")).toEqual([]);
    expect(prompt(open, 3)).toBeUndefined();
    expect(take(open, "client")).toMatchObject([
      { id: 3, error: { code: -32002, data: { sessionId: S } } },
    ]);
    update(open, { sessionUpdate: "agent_message_chunk", content: text("Stopping") });
    open.core.fromAgent({ jsonrpc: "2.0", id: own, error: { code: -32603, message: "Aborted" } });
    const [, , , chunk, end, ...closed] = take(open, "client");
    expect(updatesOf([chunk!, end!])).toMatchObject([
      { content: text("Stopping") },
      { state: "idle", stopReason: "cancelled" },
    ]);
    expect(closed).toEqual([
      { jsonrpc: "2.0", id: 9, result: {} },
      { jsonrpc: "2.0", id: 10, result: {} },
    ]);
  });

  test("says nothing of a closed session to the client until that resumes it", () => {
    const open = start();
    create(open, 1, S);
    close(open);
    expect(take(open, "client")).toEqual([{ jsonrpc: "2.0", id: 9, result: {} }]);
    open.losses.length = 0;
    update(open, { sessionUpdate: "session_info_update", title: "Late" });
    open.core.fromAgent({ jsonrpc: "2.0", id: "q", ...PERMISSION });
    expect(take(open, "client")).toEqual([]);
    const result = { outcome: { outcome: "cancelled" } };
    expect(take(open, "agent")).toEqual([{ jsonrpc: "2.0", id: "q", result }]);
    expect(open.losses.map(({ place }) => place)).toEqual(["session-closed"]);
    const resume = (id: number): unknown =>
      ask(open, id, "session/resume", { sessionId: S, cwd: "/" });
    const error = { code: -32002, message: "Not found" };
    open.core.fromAgent({ jsonrpc: "2.0", id: resume(2), error });
    expect(prompt(open, 3)).toBeUndefined();
    answer(open, resume(4), {});
    expect(prompt(open, 5)).toBeDefined();
  });

  test("has its open sessions listed", () => {
    const open = start();
    create(open, 1, S, "/a");
    create(open, 2, "other", "/b");
    update(open, { sessionUpdate: "agent_message_chunk", content: text("Hi") }, "unknown");
    const updatedAt = "2026-01-01T00:00:00Z";
    update(open, { sessionUpdate: "session_info_update", title: "One", updatedAt });
    update(open, { sessionUpdate: "session_info_update", updatedAt: null });
    const sessions = [
      { sessionId: S, cwd: "/a", title: "One" },
      { sessionId: "other", cwd: "/b" },
    ];
    expect(list(open)).toEqual({ sessions });
    expect(list(open, { cwd: null, cursor: null })).toEqual({ sessions });
    expect(list(open, { cwd: "/b" })).toEqual({ sessions: sessions.slice(1) });
    expect(list(open, { cursor: "" })).toMatchObject({ code: -32602 });
    close(open);
    expect(list(open)).toEqual({ sessions: sessions.slice(1) });
  });

  test("loads a session that is resumed, and its replay is left out", () => {
    const open = start();
    const own = ask(open, 1, "session/resume", { sessionId: S, cwd: "/a" });
    const chunk = { sessionUpdate: "agent_message_chunk", content: text("Hi") };
    const commands = { sessionUpdate: "available_commands_update", availableCommands: [] };
    for (const value of [
      chunk,
      commands,
      { sessionUpdate: "tool_call", toolCallId: "t", title: "T" },
    ])
      update(open, value);
    answer(open, own, {});
    const messages = take(open, "client");
    expect(updatesOf(messages)).toMatchObject([commands, { state: "idle" }]);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} });
    expect(open.losses.map(({ place }) => place)).not.toContain("LoadSessionRequest/replayFrom");
    update(open, chunk);
    expect(updatesOf(take(open, "client"))).toMatchObject([chunk]);
    expect(list(open)).toEqual({ sessions: [{ sessionId: S, cwd: "/a" }] });
  });
});

describe("the error that a session is not found", () => {
  test.each([
    [undefined, { sessionId: S }],
    [{ uri: S }, { uri: S, sessionId: S }],
    [S, { details: S, sessionId: S }],
  ])("of an agent of version 1 with the data %j names the session", (data, expected) => {
    const open = openCore(2);
    const params = { sessionId: S, configId: "c", type: "id", value: "v" };
    const asked = [
      prompt(open, 1),
      ask(open, 2, "session/resume", { sessionId: S, cwd: "/" }),
      ask(open, 3, "session/set_config_option", params),
    ];
    const error = { code: -32002, message: "Not found", ...(data !== undefined && { data }) };
    for (const id of asked) open.core.fromAgent({ jsonrpc: "2.0", id, error });
    expect(take(open, "client").map(({ error: given }) => given)).toEqual(
      asked.map(() => ({ ...error, data: expected })),
    );
  });

  test.each([
    ["to a client of version 1", 1, "session/prompt", -32002],
    ["of a request without a session", 2, "session/list", -32002],
    ["when it is another error", 2, "session/prompt", -32603],
  ] as const)("passes as it is %s", (_, version, method, code) => {
    const open = openCore(version);
    const error = { code, message: "Not found", data: { uri: "/a" } };
    const params = method === "session/prompt" ? { sessionId: S, prompt: [] } : {};
    open.core.fromAgent({ jsonrpc: "2.0", id: ask(open, 1, method, params), error });
    expect(take(open, "client")).toEqual([{ jsonrpc: "2.0", id: 1, error }]);
  });
});

describe("a message that is nested too deeply", () => {
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
  const item = { type: "content", content: text("x"), deep };

  test.each([1, 2] as const)("ends nothing, for a client of version %i", (version) => {
    const open = openCore(version);
    for (const id of [{ toString: 1 }, deep])
      update(open, { sessionUpdate: id, messageId: id, toolCallId: id }, id as string);
    const call = { sessionUpdate: "tool_call_update", toolCallId: "c", title: "T" };
    update(open, { ...call, rawInput: deep });
    expect(open.losses.at(-1)).toMatchObject({ place: `too-deep-to-v${version}`, sessionId: S });
    const list = ask(open, 1, "session/list", {});
    answer(open, list, { sessions: [] });
    expect(take(open, "client").at(-1)).toMatchObject({ id: 1, result: { sessions: [] } });
  });

  test("ends nothing when its time has come", () => {
    vi.useFakeTimers();
    const open = openCore(1);
    update(open, { sessionUpdate: "tool_call_update", toolCallId: "c", title: "T" });
    for (const content of [item, item, { type: "content", content: text("y") }])
      update(open, { sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content });
    vi.advanceTimersByTime(1000);
    open.core.agentClosed();
    expect(open.losses.map(({ place }) => place)).toContain("too-deep-to-v1");
  });

  test("is refused before the handshake and when both sides speak the same version", () => {
    const sent: { readonly client: Message[]; readonly agent: Message[] } = {
      client: [],
      agent: [],
    };
    const core = new BridgeCore({
      tables: { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES },
      onLoss: () => {},
      send: {
        client: (message) => sent.client.push(JSON.parse(JSON.stringify(message)) as Message),
        agent: (message) => sent.agent.push(JSON.parse(JSON.stringify(message)) as Message),
      },
    });
    const request = { jsonrpc: "2.0", id: 1, method: "_ask", params: deep };
    core.fromClient(request);
    expect(sent.client.splice(0)).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    const hello = { ...HELLO.client1, deep };
    core.fromClient({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello });
    expect(sent.client.splice(0)).toMatchObject([{ id: 0, error: { code: -32602 } }]);
    core.fromClient({ jsonrpc: "2.0", id: 2, method: "initialize", params: HELLO.client1 });
    core.fromAgent(request);
    core.fromAgent({ jsonrpc: "2.0", id: 2, result: HELLO.agent1 });
    expect(sent.client.splice(0)).toMatchObject([{ id: 2, result: { protocolVersion: 1 } }]);
    expect(sent.agent.splice(0).slice(1)).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    core.fromClient({ jsonrpc: "2.0", id: 3, method: "session/list", params: {} });
    core.fromAgent({ jsonrpc: "2.0", id: 3, result: deep });
    expect(sent.client.splice(0)).toMatchObject([{ id: 3, error: { code: -32603 } }]);
  });
});

test("a client of version 2 can log out where its agent of version 1 can", () => {
  for (const auth of [{ logout: {} }, {}]) {
    const open = openCore(2, { ...HELLO.agent1, agentCapabilities: { auth } });
    const isAsked = ask(open, 1, "auth/logout", {}) !== undefined;
    expect(isAsked).toBe("logout" in auth);
    const refused = [{ id: 1, error: { code: -32601 } }];
    expect(take(open, "client")).toMatchObject(isAsked ? [] : refused);
  }
});
