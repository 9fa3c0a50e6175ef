// What version 1 has as unstable: every method and every session update.

import { extend, request, text, updates } from "./steps.mjs";
import { accountSteps, archiveSteps, editorSteps, withArchive } from "./unstable.mjs";
import { v1 } from "./v1.mjs";

const cwd = "/work";
const sessionId = "s-2";
const child = "s-3";

/** What comes in the turn of a session with child sessions and a server of the client. */
const turn = [
  ...updates(
    sessionId,
    {
      sessionUpdate: "plan_update",
      plan: {
        type: "items",
        planId: "p-1",
        entries: [{ content: "Read", priority: "high", status: "pending" }],
      },
    },
    {
      sessionUpdate: "plan_update",
      plan: { type: "markdown", planId: "p-2", content: "# Plan\n- Read" },
    },
    { sessionUpdate: "plan_removed", planId: "p-1" },
    {
      sessionUpdate: "subagent_update",
      sessionId: child,
      title: "Search",
      description: null,
      capabilities: { cancel: {} },
      state: { state: "running" },
      cwd,
      additionalDirectories: ["/docs"],
    },
    {
      sessionUpdate: "session_message",
      messageId: "m-1",
      recipientSessionId: child,
      recipientMessageId: "m-2",
      content: [text("Look for it.")],
    },
    { sessionUpdate: "session_message_chunk", messageId: "m-1", content: text(" Everywhere.") },
    {
      sessionUpdate: "subagent_update",
      sessionId: child,
      state: {
        state: "idle",
        stopReason: "end_turn",
        usage: { totalTokens: 3, inputTokens: 2, outputTokens: 1, thoughtTokens: null },
      },
    },
  ),
  ...editorSteps,
];

export const v1Unstable = extend(withArchive(v1), {
  client: { clientCapabilities: { plan: {}, subagents: {} } },
  agent: {
    agentCapabilities: {
      mcpCapabilities: { acp: true },
      sessionCapabilities: {
        additionalDirectories: {},
        archive: {},
        fork: {},
        status: {},
        title: {},
        systemPrompt: { mode: { override: {} } },
      },
      auth: { status: {} },
      providers: {},
    },
  },
  steps: [
    ...accountSteps,
    request(
      "session/new",
      {
        cwd,
        additionalDirectories: ["/docs"],
        mcpServers: [{ type: "acp", name: "editor", serverId: "mcp-1" }],
        systemPrompt: { mode: "override", content: [text("Be brief.")] },
      },
      { sessionId },
    ),
    request(
      "session/prompt",
      { sessionId, prompt: [text("everything unstable")] },
      {
        stopReason: "end_turn",
        usage: { totalTokens: 30, inputTokens: 20, outputTokens: 10, cachedReadTokens: 5 },
      },
      { before: turn },
    ),
    request("session/fork", { sessionId, cwd, mcpServers: [] }, { sessionId: "s-4" }),
    request("session/status", { sessionId }, { status: "open" }),
    request("session/set_title", { sessionId, title: "  Unstable " }, { title: "Unstable" }),
    ...archiveSteps(sessionId),
  ],
});
