import { expect, test } from "vitest";
import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../../out/typescript/src/bridge/tables.js";
import { ask, askClient, openCore, say, type OpenCore } from "./open-core.js";
import { HELLO } from "./hello.js";

const S = "s";
const text = (value: string): object => ({ type: "text", text: value });

type Play = (opened: OpenCore) => void;

/** Sends updates of the agent, one after the other. */
const updates =
  (...values: readonly object[]): Play =>
  (opened) =>
    values.forEach((update) => say(opened, update));

const prompt: Play = (opened) =>
  ask(opened, "p", "session/prompt", { sessionId: S, prompt: [text("Go")] });

const answer =
  (outcome: object): Play =>
  ({ core, sent }) =>
    core.fromAgent({
      jsonrpc: "2.0",
      id: sent.agent.findLast(({ id }) => id !== undefined)!["id"],
      ...outcome,
    });

const request =
  (from: "client" | "agent", method: string, params: object): Play =>
  (opened) =>
    (from === "client" ? ask : askClient)(opened, "r", method, params);

/** A turn of an agent of version 2 that ends with an update. */
const turn = (end: object): readonly Play[] => [
  prompt,
  answer({ result: { messageId: "m" } }),
  updates(
    { sessionUpdate: "state_update", state: "running" },
    { sessionUpdate: "state_update", state: "idle", ...end },
  ),
];

const state = (value: string): object => ({ sessionUpdate: "state_update", state: value });
const chunk = { sessionUpdate: "agent_message_chunk", messageId: "a", content: text("One") };
const plan = (type: string, planId: string): object => ({
  sessionUpdate: "plan_update",
  plan: { type, planId, entries: [] },
});
const output = (bytes: string): object => ({
  sessionUpdate: "terminal_output_chunk",
  terminalId: "t",
  data: btoa(bytes),
});
/** A tool call with a diff of some files, whose patch is about `/a`. */
const diff = (...paths: readonly string[]): object => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "t",
  title: "Edit",
  content: [
    {
      type: "diff",
      changes: paths.map((path) => ({ operation: "modify", path })),
      patch: {
        format: "git_patch",
        text: "diff --git /a /a\n--- /a\n+++ /a\n@@ -1 +1 @@\n-1\n+2\ndiff --git /c /c\n--- /c\n+++ /c\n@@ -1 +1 @@\n-1\n+2\n",
      },
    },
  ],
});
/** A value that JSON.stringify cannot write. */
const DEEP = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
const item = { type: "content", content: text("x") };
const NO_STDIO = { ...HELLO.agent2, capabilities: { session: {} } };
const LOGOUT = { ...HELLO.agent1, agentCapabilities: { auth: { logout: {} } } };

/** The version of a client, the `initialize` of its agent if it matters, and messages. */
type Case = readonly [1 | 2, object | undefined, ...Play[]];
const v1 = (...plays: readonly Play[]): Case => [1, undefined, ...plays];
const v2 = (...plays: readonly Play[]): Case => [2, undefined, ...plays];
const said = (...values: readonly object[]): Case => v1(updates(...values));

/** How each loss happens. */
const CASES: { readonly [loss: string]: Case } = {
  "message-replaced": said(chunk, {
    ...chunk,
    sessionUpdate: "agent_message",
    content: [text("Two")],
  }),
  "message-cleared": said(chunk, { ...chunk, sessionUpdate: "agent_message", content: null }),
  "tool-call-without-title": said({ sessionUpdate: "tool_call_update", toolCallId: "t" }),
  "feature-not-advertised": said({
    sessionUpdate: "compaction_update",
    compactionId: "c",
    status: "in_progress",
  }),
  "switch-not-advertised": said({
    sessionUpdate: "config_option_update",
    configOptions: [{ type: "boolean", id: "fast", name: "Fast", currentValue: true }],
  }),
  "plan-replaced": said(plan("items", "main"), plan("items", "other")),
  "plan-kind": said(plan("markdown", "main")),
  "content-cut": said({
    sessionUpdate: "tool_call_update",
    toolCallId: "t",
    title: "T",
    content: Array.from({ length: 1001 }, () => item),
  }),
  "change-as-text": said(diff("/a", "/b")),
  "patch-without-change": said(diff("/b")),
  "details-left-out": said({ ...state("running"), _meta: { "example.com/note": 1 } }),
  "terminal-details": said({ sessionUpdate: "terminal_update", terminalId: "t", cwd: "/" }),
  "mode-details": v2(
    request("client", "session/new", { cwd: "/" }),
    answer({
      result: {
        sessionId: S,
        modes: {
          currentModeId: "a",
          availableModes: [{ id: "a", name: "A", _meta: { "example.com/icon": "i" } }],
        },
        configOptions: [
          {
            type: "select",
            id: "m",
            name: "Mode",
            category: "mode",
            currentValue: "a",
            options: [{ value: "a", name: "A" }],
          },
        ],
      },
    }),
  ),
  "too-deep-to-v1": said({ ...chunk, _meta: { deep: DEEP } }),
  "too-deep-to-v2": v2(updates({ ...chunk, _meta: { deep: DEEP } })),
  "mcp-stdio-not-offered": [
    1,
    NO_STDIO,
    request("client", "session/new", {
      cwd: "/",
      mcpServers: [{ name: "m", command: "/m", args: [], env: [] }],
    }),
  ],
  "terminal-not-shown": said({
    sessionUpdate: "terminal_update",
    terminalId: "t",
    exitStatus: { exitCode: 0 },
  }),
  "terminal-bytes": said(output("\xff\xff")),
  "terminal-cut": said(output("x".repeat(70_000))),
  "background-work": said({ ...state("running"), background: [{ type: "_watch", id: "b" }] }),
  "requires-action": said(state("requires_action")),
  "prompt-while-busy": v1(prompt, prompt),
  "turn-ended-with-error": v1(...turn({ stopReason: "error", error: { code: 1, message: "m" } })),
  "stop-reason-unknown": v1(...turn({ stopReason: "_tired" })),
  "stop-reason-absent": v1(...turn({})),
  "turn-error": v2(
    prompt,
    updates({ sessionUpdate: "agent_message_chunk", content: text("Hi") }),
    answer({ error: { code: 1, message: "m" } }),
  ),
  "cancelled-with-error": v2(
    prompt,
    ({ core }) =>
      core.fromClient({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: S } }),
    answer({ error: { code: 1, message: "m" } }),
  ),
  "session-closed": [
    2,
    { ...HELLO.agent1, agentCapabilities: {} },
    request("client", "session/close", { sessionId: S }),
    updates(chunk),
  ],
  "replay-unsupported": v2(
    request("client", "session/resume", {
      sessionId: S,
      cwd: "/",
      replayFrom: { type: "_cursor" },
    }),
  ),
  "logout-not-offered": [2, LOGOUT],
};

test("every loss that depends on a conversation has a case", () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(STATE_LOSSES).sort());
});

test.each(Object.entries(CASES))(
  "%s is reported with its text",
  (loss, [client, hello, ...plays]) => {
    const opened = openCore(client, hello);
    for (const play of plays) play(opened);
    const { kind, to, text: words } = STATE_LOSSES[loss]!;
    expect(opened.losses.filter(({ place }) => place === loss)[0]).toMatchObject({
      kind,
      to,
      text: words,
    });
  },
);

const METHODS = [
  ...Object.entries(TO_V2.methods).map(([method, rule]) => [method, "v2", rule] as const),
  ...Object.entries(TO_V1.methods).map(([method, rule]) => [method, "v1", rule] as const),
].filter(([, , { loss }]) => loss !== undefined);

test.each(METHODS)(
  "%s, which %s does not have, is refused and reported",
  (method, to, { side }) => {
    const [kind, name] = method.split(" ") as [string, string];
    expect(kind).toBe("request");
    const from = side === "agent" ? "client" : "agent";
    const version = (from === "agent") === (to === "v2") ? 2 : 1;
    const opened = openCore(version);
    request(from, name, { sessionId: S })(opened);
    expect(opened.sent[from].at(-1)).toMatchObject({ id: "r", error: { code: -32601 } });
    expect(opened.losses.at(-1)).toMatchObject({ kind: "rejected", to, place: name });
  },
);
