// What version 2 has as unstable: every method and every session update.

import { extend, request, text, updates } from "./steps.mjs";
import { accountSteps, archiveSteps, editorSteps, withArchive } from "./unstable.mjs";
import { v2 } from "./v2.mjs";

const cwd = "/work";
const sessionId = "s-2";
const child = "s-3";
const state = (name, more = {}) => ({ sessionUpdate: "state_update", state: name, ...more });

/** What comes while a session with child sessions and a server of the client is at work. */
const work = [
  ...updates(
    sessionId,
    { sessionUpdate: "user_message", messageId: "m-1", content: [text("everything unstable")] },
    state("running", { background: [{ type: "subagent", sessionId: child }] }),
    {
      sessionUpdate: "plan_update",
      plan: { type: "markdown", planId: "p-2", content: "# Plan\n- Read" },
    },
    { sessionUpdate: "plan_removed", planId: "p-2" },
    {
      sessionUpdate: "subagent_update",
      sessionId: child,
      title: "Search",
      description: null,
      capabilities: { cancel: {} },
      state: { state: "unknown", background: [] },
      cwd,
      additionalDirectories: ["/docs"],
    },
    {
      sessionUpdate: "session_message",
      messageId: "m-2",
      recipientSessionId: child,
      recipientMessageId: "m-3",
      content: [text("Look for it.")],
    },
    { sessionUpdate: "session_message_chunk", messageId: "m-2", content: text(" Everywhere.") },
  ),
  ...editorSteps,
  ...updates(
    sessionId,
    state("idle", {
      stopReason: "end_turn",
      usage: { totalTokens: 30, inputTokens: 20, outputTokens: 10, cachedReadTokens: 5 },
    }),
  ),
];

export const v2Unstable = extend(withArchive(v2), {
  agent: {
    capabilities: {
      session: {
        mcp: { acp: {} },
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
        mcpServers: [{ type: "acp", name: "editor", serverId: "mcp-1" }],
        systemPrompt: { mode: "override", content: [text("Be brief.")] },
      },
      { sessionId },
    ),
    request(
      "session/prompt",
      { sessionId, prompt: [text("everything unstable")] },
      { messageId: "m-1" },
      { after: work },
    ),
    request("session/fork", { sessionId, cwd, mcpServers: [] }, { sessionId: "s-4" }),
    request(
      "session/status",
      { sessionId },
      { status: "open", state: { state: "running", background: [] } },
    ),
    request("session/set_title", { sessionId, title: "  Unstable " }, { title: "Unstable" }),
    ...archiveSteps(sessionId),
  ],
});
