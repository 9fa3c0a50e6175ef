import type { TranscriptEntry } from "../../../templates/runtime/conformance/index.js";
import { MORE_SCENARIOS } from "./more-scenarios.js";
import { agent, client, greet, s, start, update } from "./talk.js";

/** A conversation that keeps a rule, and one that breaks it in one line. */
export interface Scenario {
  readonly rule: string;
  readonly keeps: readonly TranscriptEntry[];
  readonly breaks: readonly TranscriptEntry[];
  readonly line: number;
}

const prompt = client.ask(2, "session/prompt", s({ prompt: [] }));
const ended = agent.result(2, { stopReason: "end_turn" });
const cancel = client.tell("session/cancel", s());
const v1 = start(1);
const v2 = start(2);
const read = (path: string, line = 1) => [
  ...start(1, { clientHas: { fs: { readTextFile: true } } }),
  agent.ask(9, "fs/read_text_file", s({ path, line })),
  client.result(9, { content: "" }),
];
const auth = [
  { id: "key", name: "Key" },
  { id: "tty", name: "Shell", type: "terminal" },
];
const login = (methodId: string) => [
  ...greet(1, { clientHas: { auth: { terminal: true } }, authMethods: auth }),
  client.ask(1, "authenticate", { methodId }),
  agent.result(1),
];
const methods = (...ids: string[]) =>
  greet(2, { authMethods: ids.map((methodId) => ({ methodId, type: "agent" })) });
const options = (currentValue: string) => ({
  configOptions: [
    { configId: "c", name: "C", type: "select", currentValue, options: [{ value: "a" }] },
  ],
});
const modes = { modes: { currentModeId: "ask", availableModes: [{ id: "ask" }] } };
const setMode = (modeId: string) => [
  ...start(1, {}, modes),
  client.ask(2, "session/set_mode", s({ modeId })),
  agent.result(2),
];
const setOption = (value: string) => [
  ...start(2, {}, options("a")),
  client.ask(2, "session/set_config_option", s({ configId: "c", type: "id", value })),
  agent.result(2, options("a")),
];
const load = client.ask(1, "session/load", s({ cwd: "/w", mcpServers: [] }));
const resume = (fields = {}) => client.ask(1, "session/resume", s({ cwd: "/w", ...fields }));
const message = update("agent_message_chunk", { messageId: "m", content: {} });
const idle = update("state_update", { state: "idle", stopReason: "end_turn" });

export const SCENARIOS: readonly Scenario[] = [
  {
    rule: "message-shape",
    keeps: v1,
    breaks: [...v1, agent.raw({ method: "session/update", params: s() })],
    line: 5,
  },
  {
    rule: "no-batches",
    keeps: [...v1, prompt, message, ended],
    breaks: [...v1, agent.raw([message.message, message.message])],
    line: 5,
  },
  {
    rule: "no-response-to-notifications",
    keeps: [...v1, message, agent.error(null, -32700)],
    breaks: [...v1, message, client.result(null, null)],
    line: 6,
  },
  {
    rule: "one-response",
    keeps: [...v1, prompt, ended, client.ask(2, "session/prompt", s()), ended],
    breaks: [...v1, prompt, ended, ended],
    line: 7,
  },
  {
    rule: "known-response-id",
    keeps: [...v1, prompt, ended],
    breaks: [...v1, prompt, agent.result("2", { stopReason: "end_turn" }), ended],
    line: 6,
  },
  {
    rule: "every-request-answered",
    keeps: [...v1, prompt, ended],
    breaks: [...v1, prompt],
    line: 5,
  },
  {
    rule: "withdrawn-request-answered",
    keeps: [
      ...v1,
      prompt,
      client.tell("$/cancel_request", { requestId: 2 }),
      agent.error(2, -32800),
    ],
    breaks: [...v1, prompt, client.tell("$/cancel_request", { requestId: 2 })],
    line: 5,
  },
  {
    rule: "known-withdrawn-request",
    keeps: [...v1, prompt, ended, client.tell("$/cancel_request", { requestId: 2 })],
    breaks: [...v1, client.tell("$/cancel_request", { requestId: "1" })],
    line: 5,
  },
  {
    rule: "request-id",
    keeps: v2,
    breaks: [...v2, client.ask(null, "session/list"), agent.result(null, { sessions: [] })],
    line: 5,
  },
  {
    rule: "unique-request-id",
    keeps: [
      ...v1,
      client.ask(2, "session/list"),
      agent.ask(2, "_x"),
      agent.result(2),
      client.error(2),
    ],
    breaks: [...v1, client.ask(2, "session/list"), client.ask(2, "session/list"), agent.result(2)],
    line: 6,
  },
  {
    rule: "method-direction",
    keeps: [...v1, cancel],
    breaks: [...v1, client.ask(2, "session/cancel", s()), agent.result(2)],
    line: 5,
  },
  {
    rule: "extension-prefix",
    keeps: [...v1, client.ask(2, "_vendor/x"), agent.error(2, -32601), client.tell("$/odd")],
    breaks: [...v1, client.ask(2, "vendor/x"), agent.error(2, -32601)],
    line: 5,
  },
  {
    rule: "initialize-first",
    keeps: v1,
    breaks: [client.ask(7, "session/list"), agent.error(7, -32600), ...v1],
    line: 1,
  },
  {
    rule: "initialize-again",
    keeps: [...greet(2), ...v2],
    breaks: [...v2, ...greet(2)],
    line: 5,
  },
  {
    rule: "protocol-version",
    keeps: v1,
    breaks: [client.ask(0, "initialize", { protocolVersion: "1" }), agent.error(0, -32602)],
    line: 1,
  },
  {
    rule: "version-agreed",
    keeps: [
      client.ask(0, "initialize", { protocolVersion: 2 }),
      agent.result(0, { protocolVersion: 1 }),
      ...v1.slice(2),
    ],
    breaks: [
      client.ask(0, "initialize", { protocolVersion: 1 }),
      agent.result(0, { protocolVersion: 2 }),
      ...v1.slice(2),
    ],
    line: 3,
  },
  { rule: "offered-auth-method", keeps: login("key"), breaks: login("other"), line: 3 },
  {
    rule: "terminal-auth-capability",
    keeps: greet(1, { clientHas: { auth: { terminal: true } }, authMethods: auth }),
    breaks: greet(1, { authMethods: auth }),
    line: 2,
  },
  { rule: "unique-auth-methods", keeps: methods("a", "b"), breaks: methods("a", "a"), line: 2 },
  {
    rule: "logout-capability",
    keeps: [
      ...greet(1, { agentHas: { auth: { logout: {} } } }),
      client.ask(1, "logout"),
      agent.result(1),
    ],
    breaks: [...greet(1), client.ask(1, "logout"), agent.error(1)],
    line: 3,
  },
  { rule: "absolute-paths", keeps: read("C:\\a"), breaks: read("src/a"), line: 5 },
  { rule: "one-based-lines", keeps: read("/a", 1), breaks: read("/a", 0), line: 5 },
  {
    rule: "consistent-config-options",
    keeps: start(2, {}, options("a")),
    breaks: start(2, {}, options("b")),
    line: 4,
  },
  {
    rule: "known-session",
    // Updates may come before the response that tells the id.
    keeps: [...v1.slice(0, 3), message, v1[3]!, prompt, ended],
    breaks: [...v1, client.ask(2, "session/prompt", { sessionId: "t" }), agent.error(2, -32002)],
    line: 5,
  },
  {
    rule: "open-session",
    keeps: [...v1, client.ask(2, "session/close", s()), message, agent.result(2)],
    breaks: [...v1, client.ask(2, "session/close", s()), agent.result(2), message],
    line: 7,
  },
  {
    rule: "replay-before-load-response",
    keeps: [...greet(1), load, message, agent.result(1), prompt, message, ended],
    breaks: [...greet(1), load, agent.result(1), message],
    line: 5,
  },
  {
    rule: "no-replay-on-resume",
    keeps: [...greet(2), resume({ replayFrom: { type: "start" } }), message, idle, agent.result(1)],
    breaks: [...greet(2), resume(), message, idle, agent.result(1)],
    line: 4,
  },
  {
    rule: "state-before-resume-response",
    keeps: [...greet(2), resume(), idle, agent.result(1)],
    breaks: [...greet(2), resume(), agent.result(1)],
    line: 4,
  },
  { rule: "known-mode", keeps: setMode("ask"), breaks: setMode("code"), line: 5 },
  { rule: "known-config-option", keeps: setOption("a"), breaks: setOption("b"), line: 5 },
  ...MORE_SCENARIOS,
];
