import { afterEach, expect, test, vi } from "vitest";
import { ask, askClient, openCore, say, type OpenCore } from "./open-core.js";

type Update = { readonly [name: string]: unknown };

/** What an agent says in a turn, and what a client of the other version receives for it. */
interface Case {
  /** The version of the client. */
  readonly client: 1 | 2;
  readonly said: readonly Update[];
  /** Parts of the updates that arrive. */
  readonly received: readonly Update[];
  /** Losses that depend on the conversation. */
  readonly losses?: readonly string[];
}

const S = "s";
const text = (value: string): object => ({ type: "text", text: value });
const item = (value: string): object => ({ type: "content", content: text(value) });
const chunk = (kind: string, value: string): Update => ({
  sessionUpdate: `agent_${kind}_chunk`,
  content: text(value),
});
const message = (content: unknown): Update => ({
  sessionUpdate: "agent_message",
  messageId: "a",
  content,
});
const call = (rest: object): Update => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "t",
  ...rest,
});
const part = (value: string): Update => ({
  sessionUpdate: "tool_call_content_chunk",
  toolCallId: "t",
  content: item(value),
});
const terminal = (rest: object): Update => ({
  sessionUpdate: "terminal_update",
  terminalId: "x",
  ...rest,
});
const plan = (rest: object): Update => ({
  sessionUpdate: "plan_update",
  plan: { type: "items", ...rest },
});
/** A message with an id that the bridge has made. */
const numbered = (index: number): Update => ({
  messageId: expect.stringMatching(new RegExp(`-${index}$`)) as string,
});
const entries = [{ content: "One", priority: "high", status: "cancelled" }];
const patchOf = (name: string): string =>
  `diff --git /${name} /${name}\n--- /${name}\n+++ /${name}\n@@ -1 +1 @@\n-old ${name}\n+new ${name}\n`;
const changes = ["/a", "/b", "/c"].map((path) => ({ operation: "modify", path }));

const CASES: { readonly [name: string]: Case } = {
  "the end of a text that arrived in parts": {
    client: 1,
    said: [
      { ...chunk("message", "One "), messageId: "a" },
      message([text("One two")]),
      message([text("One two")]),
    ],
    received: [{ content: text("One ") }, { content: text("two") }],
  },
  "another text": {
    client: 1,
    said: [message([text("One")]), message([text("Other")]), message(null)],
    received: [{ content: text("One") }, { messageId: "a~1", content: text("Other") }],
    losses: ["message-replaced", "message-cleared"],
  },
  "a tool call, whose content is collected": {
    client: 1,
    said: [
      call({ title: "T", content: null }),
      part("1"),
      part("2"),
      call({ status: "cancelled" }),
    ],
    received: [
      { sessionUpdate: "tool_call", title: "T" },
      call({ content: [item("1")] }),
      call({ status: "failed", content: [item("1"), item("2")] }),
    ],
  },
  "content of an unknown tool call": {
    client: 1,
    said: [part("1")],
    received: [
      { sessionUpdate: "tool_call", toolCallId: "t", title: "" },
      call({ content: [item("1")] }),
    ],
    losses: ["tool-call-without-title"],
  },
  "a terminal as text": {
    client: 1,
    said: [
      terminal({ command: "npm test", cwd: "/" }),
      call({ title: "T", content: [{ type: "terminal", terminalId: "x" }] }),
      { sessionUpdate: "terminal_output_chunk", terminalId: "x", data: btoa("failed\n") },
      terminal({ exitStatus: { exitCode: 1 } }),
    ],
    received: ["", "failed\n", "failed\n\n[exit code 1]"].map((output) => ({
      content: [item(`$ npm test\n${output}`)],
    })),
    losses: ["terminal-details"],
  },
  "a diff for each file": {
    client: 1,
    said: [
      call({
        title: "T",
        content: [
          {
            type: "diff",
            changes,
            patch: { format: "git_patch", text: patchOf("a") + patchOf("b") },
          },
        ],
      }),
    ],
    received: [
      {
        content: [
          { type: "diff", path: "/a", oldText: "old a\n", newText: "new a\n" },
          { type: "diff", path: "/b", oldText: "old b\n", newText: "new b\n" },
          item("modify /c"),
        ],
      },
    ],
    losses: ["change-as-text"],
  },
  "a tool call without the subagent that it shows": {
    client: 1,
    said: [
      call({ title: "Run", content: [item("One"), { type: "session", sessionId: "child" }] }),
      { ...part(""), content: { type: "session", sessionId: "child" } },
    ],
    received: [{ title: "Run", content: [item("One")] }],
    losses: ["feature-not-advertised", "feature-not-advertised"],
  },
  "one plan": {
    client: 1,
    said: [
      plan({ planId: "main", entries }),
      plan({ planId: "other", entries: [] }),
      plan({ type: "markdown", planId: "text", content: "# Plan" }),
      { sessionUpdate: "plan_removed", planId: "main" },
      { sessionUpdate: "plan_removed", planId: "other" },
    ],
    received: [
      { sessionUpdate: "plan", entries: [{ content: "One", status: "completed" }] },
      { sessionUpdate: "plan", entries: [] },
      { sessionUpdate: "plan", entries: [] },
    ],
    losses: ["plan-replaced", "plan-kind"],
  },
  "an id for each run of chunks": {
    client: 2,
    said: [
      ...[chunk("message", "Hi "), chunk("message", "there"), chunk("thought", "Hm")],
      ...[
        { sessionUpdate: "tool_call", toolCallId: "t", title: "Run" },
        { sessionUpdate: "plan", entries: [] },
        { sessionUpdate: "session_info_update", title: "Greeting" },
      ].flatMap((between) => [chunk("message", "!"), between]),
      chunk("message", "!"),
    ],
    received: [
      ...[2, 2, 3, 4].map(numbered),
      { sessionUpdate: "tool_call_update" },
      numbered(5),
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries: [] } },
      numbered(6),
      { sessionUpdate: "session_info_update" },
      numbered(6),
    ],
  },
};

/** Opens a bridge and starts a turn. Returns what ends it. */
function startTurn(client: 1 | 2): { readonly open: OpenCore; readonly end: () => void } {
  const open = openCore(client);
  const prompt = [text("Hello")];
  ask(open, 1, "session/prompt", { sessionId: S, prompt });
  const { id } = open.sent.agent.at(-1)!;
  const answer = (result: object): void => open.core.fromAgent({ jsonrpc: "2.0", id, result });
  if (client === 2) return { open, end: () => answer({ stopReason: "max_tokens" }) };
  answer({ messageId: "m" });
  say(open, { sessionUpdate: "user_message", messageId: "m", content: prompt });
  const state = { sessionUpdate: "state_update", state: "idle", stopReason: "max_tokens" };
  return { open, end: () => say(open, state) };
}

function updatesIn({ sent }: OpenCore): readonly Update[] {
  return sent.client.flatMap(({ params }) => {
    const { update } = (params ?? {}) as { readonly update?: Update };
    return update === undefined ? [] : [update];
  });
}

afterEach(() => void vi.useRealTimers());

test.each(Object.entries(CASES))("the client receives %s", (_, one) => {
  vi.useFakeTimers();
  const { open, end } = startTurn(one.client);
  for (const update of one.said) say(open, update);
  vi.advanceTimersByTime(1000);
  end();
  const states = [
    [{ sessionUpdate: "user_message", content: [text("Hello")] }, { state: "running" }],
    [{ state: "idle", stopReason: "max_tokens" }],
  ];
  const [before, after] = one.client === 1 ? [[], []] : states;
  expect(updatesIn(open)).toMatchObject([...before!, ...one.received, ...after!]);
  const losses = open.losses.filter(({ when }) => when === "state").map(({ place }) => place);
  expect(losses).toEqual(one.losses ?? []);
  const result = one.client === 1 ? { stopReason: "max_tokens" } : numbered(1);
  expect(open.sent.client).toContainEqual({ jsonrpc: "2.0", id: 1, result });
});

test("a client of version 1 sets the option of modes by its mode, and receives both", () => {
  const open = openCore(1);
  const { core, sent } = open;
  const modes = ["ask", "code"];
  const option = (currentValue: string): object => ({
    ...{ type: "select", configId: "m", name: "Mode", category: "mode", currentValue },
    options: modes.map((value) => ({ value, name: value })),
  });
  const call = (id: number, method: string, params: object, mode: string): void => {
    ask(open, id, method, params);
    const result = { sessionId: S, configOptions: [option(mode)] };
    core.fromAgent({ jsonrpc: "2.0", id: sent.agent.at(-1)!["id"], result });
  };
  call(1, "session/new", { cwd: "/", mcpServers: [] }, "ask");
  call(2, "session/set_mode", { sessionId: S, modeId: "code" }, "code");
  expect(sent.agent.at(-1)).toMatchObject({
    method: "session/set_config_option",
    params: { sessionId: S, configId: "m", type: "id", value: "code" },
  });
  const availableModes = modes.map((id) => ({ id, name: id }));
  expect(sent.client).toMatchObject([
    { id: 1, result: { modes: { currentModeId: "ask", availableModes } } },
    { id: 2, result: {} },
    { params: { update: { sessionUpdate: "config_option_update" } } },
    { params: { update: { sessionUpdate: "current_mode_update", currentModeId: "code" } } },
  ]);
});

test("a client of version 1 that does not know subagents sees nothing of them until it opens one", () => {
  const open = openCore(1);
  const { sent, losses } = open;
  const child = "s-child";
  const said = { ...chunk("message", "Child"), messageId: "m" };
  const question = { sessionId: child, subject: { toolCall: { toolCallId: "t" } }, options: [] };
  say(open, { sessionUpdate: "subagent_update", sessionId: child });
  say(open, { sessionUpdate: "subagent_update", sessionId: "s-grandchild" }, child);
  say(open, said, "s-grandchild");
  say(open, said, child);
  askClient(open, 1, "session/request_permission", question);
  expect(sent.client).toEqual([]);
  expect(sent.agent.at(-1)).toMatchObject({ id: 1, result: { outcome: { outcome: "cancelled" } } });
  const lost = losses.filter(({ place }) => place === "feature-not-advertised");
  expect(lost).toHaveLength(5);

  ask(open, 2, "session/resume", { sessionId: child, cwd: "/", mcpServers: [] });
  say(open, said, child);
  expect(sent.client).toHaveLength(1);
});
