import { expect, test } from "vitest";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import { answer, prompt, S, send, state, TURNS, update, vanished, type Play } from "./watch.js";

const MODES = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
const OPTION = {
  type: "select",
  configId: "mode",
  name: "Mode",
  category: "mode",
  currentValue: "ask",
  options: [{ value: "ask", name: "Ask" }],
};
const open = (result: object): readonly Play[] => [
  send("client", { id: "n", method: "session/new", params: { cwd: "/", mcpServers: [] } }),
  answer("agent", { sessionId: S, ...result } as Json),
];
const ask =
  (method: string) =>
  (params: Json): Play =>
    send("client", { id: "r", method, params: params as object });
const diff = {
  sessionUpdate: "tool_call_update",
  toolCallId: "d",
  title: "Edit",
  content: [
    {
      type: "diff",
      changes: [
        { operation: "modify", path: "/a" },
        { operation: "move", oldPath: "/b", path: "/c" },
      ],
      patch: {
        format: "git_patch",
        text: ["a", "c"]
          .map(
            (name) =>
              `diff --git /${name} /${name}\n--- /${name}\n+++ /${name}\n@@ -1 +1 @@\n-1\n+2\n`,
          )
          .join(""),
      },
    },
  ],
};
const CANCEL = (params: Json): Play =>
  send("client", { method: "$/cancel_request", params: params as object });

/** The version of the client, messages, one with a value, messages after it, and the value. */
type Case = readonly [1 | 2, readonly Play[], (value: Json) => Play, readonly Play[], Json];
const when = (
  version: 1 | 2,
  before: readonly Play[],
  play: (value: Json) => Play,
  value: unknown,
  after: readonly Play[] = [],
): Case => [version, before, play, after, value as Json];
const said = (before: readonly Play[], value: object, after?: readonly Play[]): Case =>
  when(1, before, (one) => update(one as object), value, after);

const CASES: { readonly [name: string]: Case } = {
  "a mode is set that an option stands for": when(
    1,
    open({ configOptions: [OPTION] }),
    ask("session/set_mode"),
    { sessionId: S, modeId: "ask" },
  ),
  "a set mode is confirmed": when(
    1,
    [
      ...open({ configOptions: [OPTION] }),
      ask("session/set_mode")({ sessionId: S, modeId: "ask" }),
    ],
    (value) => answer("agent", value),
    { configOptions: [OPTION] },
  ),
  "an option is set that stands for modes": when(
    2,
    open({ modes: MODES }),
    ask("session/set_config_option"),
    { sessionId: S, configId: "mode", type: "id", value: "ask" },
  ),
  "the option of modes is confirmed": when(
    2,
    [
      ...open({ modes: MODES }),
      ask("session/set_config_option")({
        sessionId: S,
        configId: "mode",
        type: "id",
        value: "ask",
      }),
    ],
    (value) => answer("agent", value),
    {},
  ),
  "a mode changes": when(2, open({ modes: MODES }), (value) => update(value as object), {
    sessionUpdate: "current_mode_update",
    currentModeId: "ask",
  }),
  "modes are offered beside their option": when(
    2,
    [send("client", { id: "n", method: "session/new", params: { cwd: "/" } })],
    (value) => answer("agent", value),
    {
      sessionId: S,
      modes: MODES,
      configOptions: [{ ...OPTION, configId: undefined, id: "m" }],
    },
  ),
  "a request of a confirmed prompt is cancelled": when(1, TURNS[1]![0], CANCEL, { requestId: "p" }),
  "a request that waits is cancelled": when(1, [ask("session/list")({})], CANCEL, {
    requestId: "r",
  }),
  "a diff has several files": said([], diff),
  "a plan is removed": said(
    [update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "x", entries: [] } })],
    { sessionUpdate: "plan_removed", planId: "x" },
  ),
  "a message grows by an update": said(
    [
      update({
        sessionUpdate: "agent_message_chunk",
        messageId: "a",
        content: { type: "text", text: "One" },
      }),
    ],
    {
      sessionUpdate: "agent_message",
      messageId: "a",
      content: [{ type: "text", text: "One two" }],
    },
  ),
  "a prompt is repeated before its confirmation": said(
    [prompt],
    { sessionUpdate: "user_message", messageId: "m", content: [] },
    [answer("agent", { messageId: "m" })],
  ),
  "a turn fails": said(TURNS[1]![0], {
    sessionUpdate: "state_update",
    state: "idle",
    stopReason: "error",
    error: { code: 1, message: "m" },
  }),
  "a turn ends before its confirmation": said(
    [prompt, state("running")],
    { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
    [answer("agent", { messageId: "m" })],
  ),
  "a session is idle without a prompt": said([], { sessionUpdate: "state_update", state: "idle" }),
};

test.each(Object.entries(CASES))("nothing vanishes when %s", (_, [version, ...rest]) => {
  expect(vanished(version, ...rest)).toEqual([]);
});
