// Every method and every session update of version 1.

import { readFileSync } from "node:fs";
import { cancelled, notify, refused, request, text, updates } from "./steps.mjs";

const facts = JSON.parse(readFileSync(new URL("../facts.json", import.meta.url)));
const { modes, configOptions, mcpServers, permissionOptions: options } = facts;
const sessionId = "s-1";
const cwd = "/work";
const session = { modes, configOptions };
const terminal = { sessionId, terminalId: "terminal-1" };
const toolCall = { toolCallId: "t-1", title: "Edit a.ts" };
const said = { any: [1, "€😀\u2028", null, { a: 0.1 }] };

/** What the agent asks of the client in the turn that has everything. */
const turn = [
  ...updates(sessionId, ...facts.updates),
  request(
    "session/request_permission",
    { sessionId, toolCall, options },
    { outcome: { outcome: "selected", optionId: "once" } },
  ),
  request(
    "session/request_permission",
    { sessionId, toolCall, options },
    { outcome: { outcome: "cancelled" } },
  ),
  request("fs/write_text_file", { sessionId, path: "/project/a.ts", content: "one\ntwo €😀" }, {}),
  request(
    "fs/read_text_file",
    { sessionId, path: "/project/a.ts", line: 2, limit: 1 },
    { content: "two €😀" },
  ),
  refused("fs/read_text_file", { sessionId, path: "/project/b.ts" }, -32002),
  request(
    "terminal/create",
    {
      sessionId,
      command: "sleep",
      args: ["9"],
      env: [{ name: "A", value: "b" }],
      cwd,
      outputByteLimit: 1000,
    },
    { terminalId: "terminal-1" },
  ),
  request("terminal/output", terminal, { output: "line €\n", truncated: false }),
  request(
    "terminal/wait_for_exit",
    terminal,
    { exitCode: null, signal: "SIGKILL" },
    { meanwhile: [request("terminal/kill", terminal, {})] },
  ),
  request("terminal/release", terminal, {}),
  request(
    "elicitation/create",
    { sessionId, message: "Who?", mode: "form", requestedSchema: facts.form },
    { action: "accept", content: facts.formContent },
  ),
  request(
    "elicitation/create",
    {
      sessionId,
      message: "Who?",
      mode: "url",
      url: "https://example.com/login",
      elicitationId: "e-1",
    },
    { action: "decline" },
  ),
  notify("elicitation/complete", { elicitationId: "e-1" }),
  cancelled(
    "elicitation/create",
    { sessionId, message: "Still there?", mode: "form", requestedSchema: facts.form },
    // Over the SDK's HTTP, what cancels a request of the agent can overtake it.
    { before: [notify("_vendor/ping", { waits: true })] },
  ),
  request("_vendor/echo", said, said),
  notify("_vendor/note", said),
];

export const v1 = {
  version: 1,
  client: { clientInfo: facts.clientInfo, clientCapabilities: facts.clientCapabilities },
  agent: {
    agentInfo: facts.agentInfo,
    agentCapabilities: facts.agentCapabilities,
    authMethods: facts.authMethods,
  },
  steps: [
    refused("session/new", { cwd, mcpServers: [] }, -32000),
    request("authenticate", { methodId: "token" }, {}),
    request("session/new", { cwd, mcpServers }, { sessionId, ...session }),
    request(
      "session/set_mode",
      { sessionId, modeId: "code" },
      {},
      {
        before: updates(sessionId, { sessionUpdate: "current_mode_update", currentModeId: "code" }),
      },
    ),
    request(
      "session/set_config_option",
      { sessionId, configId: "model", value: "large" },
      { configOptions },
    ),
    request(
      "session/set_config_option",
      { sessionId, configId: "web", type: "boolean", value: true },
      { configOptions },
    ),
    request(
      "session/prompt",
      { sessionId, prompt: facts.prompt },
      { stopReason: "end_turn" },
      { before: turn },
    ),
    request(
      "session/prompt",
      { sessionId, prompt: [text("wait")] },
      { stopReason: "cancelled" },
      { meanwhile: [notify("session/cancel", { sessionId })] },
    ),
    cancelled("session/list", { cwd: "/other" }),
    request(
      "session/list",
      { cwd },
      {
        sessions: [{ sessionId, cwd, title: "Everything", updatedAt: null }],
        nextCursor: "next",
      },
    ),
    request("session/close", { sessionId }, {}),
    request("session/load", { sessionId, cwd, mcpServers: [] }, session, {
      before: updates(sessionId, ...facts.updates.slice(0, 2)),
    }),
    request("session/close", { sessionId }, {}),
    request("session/resume", { sessionId, cwd, mcpServers: [] }, session),
    request("_vendor/echo", said, said),
    notify("_vendor/ping", said, { after: [notify("_vendor/pong", said)] }),
  ],
  last: [
    request("session/close", { sessionId }, {}),
    request("session/delete", { sessionId }, {}),
    request("logout", {}, {}),
  ],
};
