import type { Scenario } from "./scenarios.js";
import { agent, client, greet, s, start, update } from "./talk.js";

const v1 = start(1);
const v2 = start(2);
const prompt = client.ask(2, "session/prompt", s({ prompt: [{ type: "text", text: "" }] }));
const cancel = client.tell("session/cancel", s());
const ended = (stopReason = "end_turn") => agent.result(2, { stopReason });
const message = update("agent_message_chunk", { messageId: "m", content: {} });
const image = (promptCapabilities: object) => [
  ...start(1, { agentHas: { promptCapabilities } }),
  client.ask(2, "session/prompt", s({ prompt: [{ type: "image" }] })),
  ended(),
];
const choose = agent.ask(9, "session/request_permission", s({ options: [{ optionId: "yes" }] }));
const chosen = (optionId: string) =>
  client.result(9, { outcome: { outcome: "selected", optionId } });
const state = (name: string, stopReason?: string) =>
  update("state_update", { state: name, ...(stopReason !== undefined && { stopReason }) });
const permit = (...ids: string[]) => [
  ...v2,
  agent.ask(9, "session/request_permission", s({ options: ids.map((optionId) => ({ optionId })) })),
  chosen("yes"),
];
const inserted = [...v2, prompt, agent.result(2, { messageId: "m" })];
const shell = start(1, { clientHas: { terminal: true } });
const create = [
  agent.ask(5, "terminal/create", s({ command: "ls" })),
  client.result(5, { terminalId: "t" }),
];
const use = (id: number, method: string, terminalId = "t") => [
  agent.ask(id, `terminal/${method}`, s({ terminalId })),
  client.result(id),
];
const shown = update("tool_call", {
  toolCallId: "x",
  content: [{ type: "terminal", terminalId: "t" }],
});
const tool = (capabilities?: object) => [
  ...v2,
  update("tool_call_update", { toolCallId: "x", capabilities }),
  client.ask(2, "tool_call/cancel", s({ toolCallId: "x" })),
  agent.result(2),
];
const url = start(1, { clientHas: { elicitation: { url: {} } } });
const elicit = (mode: string) => [
  agent.ask(9, "elicitation/create", s({ mode, elicitationId: "e", message: "" })),
  client.result(9, { action: "cancel" }),
];
const complete = agent.tell("elicitation/complete", { elicitationId: "e" });
const document = { didOpen: {}, didChange: { syncKind: "full" } };
const nes = [
  ...greet(1, {
    clientHas: { nes: { jump: {} } },
    agentHas: { nes: { events: { document } } },
  }),
  client.ask(1, "nes/start"),
  agent.result(1, { sessionId: "s" }),
];
const suggest = (kind: string) => [
  ...nes,
  client.ask(2, "nes/suggest", s()),
  agent.result(2, { suggestions: [{ kind, id: "1" }] }),
];
const change = (range?: object) => [
  ...nes,
  client.tell("document/didChange", s({ contentChanges: [{ text: "", range }] })),
];

/** Prompts, what the client does for the agent, and edit suggestions. */
export const MORE_SCENARIOS: readonly Scenario[] = [
  { rule: "prompt-capability", keeps: image({ image: true }), breaks: image({}), line: 5 },
  {
    rule: "stop-reason",
    keeps: [...v1, prompt, message, ended()],
    breaks: [...v1, prompt, agent.result(2)],
    line: 6,
  },
  {
    rule: "updates-before-turn-ends",
    keeps: [...v1, prompt, message, ended()],
    breaks: [...v1, prompt, ended(), message],
    line: 7,
  },
  {
    rule: "cancelled-prompt-no-error",
    keeps: [...v1, prompt, cancel, message, ended("cancelled")],
    breaks: [...v1, prompt, cancel, agent.error(2, -32800)],
    line: 7,
  },
  {
    rule: "cancelled-stop-reason",
    keeps: [...v1, prompt, cancel, ended("cancelled")],
    breaks: [...v1, prompt, cancel, ended()],
    line: 7,
  },
  {
    rule: "cancelled-permission",
    keeps: [
      ...[...v1, prompt, choose, cancel],
      client.result(9, { outcome: { outcome: "cancelled" } }),
      ended("cancelled"),
    ],
    breaks: [...v1, prompt, choose, cancel, chosen("yes"), ended("cancelled")],
    line: 8,
  },
  {
    rule: "cancelled-idle",
    keeps: [...v2, state("running"), cancel, state("idle", "cancelled")],
    breaks: [...v2, state("running"), cancel, state("idle", "end_turn")],
    line: 7,
  },
  {
    rule: "prompt-message-id",
    keeps: [...inserted, update("user_message", { messageId: "m" })],
    breaks: [...v2, prompt, agent.result(2, { stopReason: "end_turn" })],
    line: 6,
  },
  {
    rule: "prompt-message-reported",
    keeps: [...v2, update("user_message_chunk", { messageId: "m" }), ...inserted.slice(4)],
    breaks: inserted,
    line: 6,
  },
  {
    rule: "message-id",
    keeps: [...v2, message],
    breaks: [...v2, update("agent_message")],
    line: 5,
  },
  {
    rule: "offered-permission-option",
    keeps: [...v1, choose, chosen("yes")],
    breaks: [...v1, choose, chosen("no")],
    line: 6,
  },
  { rule: "permission-options", keeps: permit("yes"), breaks: permit("yes", "yes"), line: 5 },
  {
    rule: "fs-capability",
    keeps: [
      ...start(1, { clientHas: { fs: { writeTextFile: true } } }),
      agent.ask(5, "fs/write_text_file", s({ path: "/a" })),
      client.result(5),
    ],
    breaks: [
      ...start(1, { clientHas: { fs: { readTextFile: true } } }),
      agent.ask(5, "fs/write_text_file", s({ path: "/a" })),
      client.error(5, -32601),
    ],
    line: 5,
  },
  {
    rule: "terminal-capability",
    keeps: [...shell, ...create, ...use(6, "release")],
    breaks: [...v1, agent.ask(5, "terminal/create", s()), client.error(5, -32601)],
    line: 5,
  },
  {
    rule: "known-terminal",
    keeps: [...shell, ...create, ...use(6, "kill"), ...use(7, "output"), ...use(8, "release")],
    breaks: [...shell, ...use(6, "output", "u")],
    line: 5,
  },
  {
    rule: "unreleased-terminal",
    keeps: [...shell, ...create, ...use(6, "wait_for_exit"), ...use(7, "release")],
    breaks: [...shell, ...create, ...use(6, "release"), ...use(7, "output")],
    line: 9,
  },
  {
    rule: "terminal-leak",
    keeps: [...shell, ...create, ...use(6, "release")],
    breaks: [...shell, ...create, ...use(6, "kill")],
    line: 5,
  },
  {
    rule: "embedded-terminal",
    keeps: [...shell, ...create, shown, ...use(6, "release"), shown],
    breaks: [...shell, ...create, ...use(6, "release"), shown],
    line: 9,
  },
  {
    rule: "tool-call-first",
    keeps: [
      ...v1,
      update("tool_call", { toolCallId: "x" }),
      update("tool_call_update", { toolCallId: "x" }),
    ],
    breaks: [...v1, update("tool_call_update", { toolCallId: "x" })],
    line: 5,
  },
  { rule: "cancellable", keeps: tool({ cancel: {} }), breaks: tool(), line: 6 },
  {
    rule: "elicitation-capability",
    keeps: [...url, ...elicit("url")],
    breaks: [...url, ...elicit("form")],
    line: 5,
  },
  {
    rule: "known-elicitation",
    keeps: [...url, ...elicit("url"), complete],
    breaks: [...url, ...elicit("url"), complete, complete],
    line: 8,
  },
  {
    rule: "known-nes-session",
    keeps: [...nes, client.ask(2, "nes/close", s()), agent.result(2)],
    breaks: [
      ...[...nes, client.ask(2, "nes/close", s()), agent.result(2)],
      client.tell("document/didOpen", s()),
    ],
    line: 7,
  },
  {
    rule: "nes-event-capability",
    keeps: [...nes, client.tell("document/didOpen", s())],
    breaks: [...nes, client.tell("document/didSave", s())],
    line: 5,
  },
  { rule: "nes-sync-kind", keeps: change(), breaks: change({}), line: 5 },
  { rule: "nes-suggestion-kind", keeps: suggest("jump"), breaks: suggest("rename"), line: 6 },
  {
    rule: "offered-suggestion",
    keeps: [...suggest("edit"), client.tell("nes/accept", s({ id: "1" }))],
    breaks: [...suggest("edit"), client.tell("nes/accept", s({ id: "2" }))],
    line: 7,
  },
];
