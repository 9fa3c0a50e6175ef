import { expect, test } from "vitest";
import type { Json } from "../../../../generators/schema/json-schema/json.js";
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
const said = (value: Json): Play => update(value as object);

/** The version of the client, what comes before, what is said, what comes after, and the value. */
const CASES: {
  readonly [name: string]: readonly [
    1 | 2,
    readonly Play[],
    (v: Json) => Play,
    readonly Play[],
    Json,
  ];
} = {
  "a mode is set that an option stands for": [
    1,
    open({ configOptions: [OPTION] }),
    ask("session/set_mode"),
    [],
    { sessionId: S, modeId: "ask" },
  ],
  "a set mode is confirmed": [
    1,
    [
      ...open({ configOptions: [OPTION] }),
      ask("session/set_mode")({ sessionId: S, modeId: "ask" }),
    ],
    (value) => answer("agent", value),
    [],
    { configOptions: [OPTION] },
  ],
  "an option is set that stands for modes": [
    2,
    open({ modes: MODES }),
    ask("session/set_config_option"),
    [],
    { sessionId: S, configId: "mode", type: "id", value: "ask" },
  ],
  "the option of modes is confirmed": [
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
    [],
    {},
  ],
  "a mode changes": [
    2,
    open({ modes: MODES }),
    (value) => update(value as object),
    [],
    { sessionUpdate: "current_mode_update", currentModeId: "ask" },
  ],
  "modes are offered beside their option": [
    2,
    [send("client", { id: "n", method: "session/new", params: { cwd: "/" } })],
    (value) => answer("agent", value),
    [],
    {
      sessionId: S,
      modes: MODES,
      configOptions: [{ ...OPTION, configId: undefined, id: "m" }],
    } as unknown as Json,
  ],
  "a request of a confirmed prompt is cancelled": [1, TURNS[1]![0], CANCEL, [], { requestId: "p" }],
  "a request that waits is cancelled": [
    1,
    [ask("session/list")({})],
    CANCEL,
    [],
    { requestId: "r" },
  ],
  "a diff has several files": [1, [], said, [], diff as unknown as Json],
  "a plan is removed": [
    1,
    [update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "x", entries: [] } })],
    said,
    [],
    { sessionUpdate: "plan_removed", planId: "x" },
  ],
  "a message grows by an update": [
    1,
    [
      update({
        sessionUpdate: "agent_message_chunk",
        messageId: "a",
        content: { type: "text", text: "One" },
      }),
    ],
    said,
    [],
    {
      sessionUpdate: "agent_message",
      messageId: "a",
      content: [{ type: "text", text: "One two" }],
    },
  ],
  "a prompt is repeated before its confirmation": [
    1,
    [prompt],
    said,
    [answer("agent", { messageId: "m" })],
    { sessionUpdate: "user_message", messageId: "m", content: [] },
  ],
  "a turn fails": [
    1,
    TURNS[1]![0],
    said,
    [],
    {
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "error",
      error: { code: 1, message: "m" },
    },
  ],
  "a turn ends before its confirmation": [
    1,
    [prompt, state("running")],
    said,
    [answer("agent", { messageId: "m" })],
    { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
  ],
  "a session is idle without a prompt": [
    1,
    [],
    said,
    [],
    { sessionUpdate: "state_update", state: "idle" },
  ],
};

test.each(Object.entries(CASES))("nothing vanishes when %s", (_, [version, ...rest]) => {
  expect(vanished(version, ...rest)).toEqual([]);
});
