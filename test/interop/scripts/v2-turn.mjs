// The turn of version 2 that has every session update and every method of the client.

import { cancelled, notify, request, text, updates } from "./steps.mjs";

export const sessionId = "s-1";
const cwd = "/work";
export const said = { any: [1, "€😀\u2028", null, { a: 0.1 }] };
const options = [
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
];
export const configOptions = [
  {
    configId: "model",
    name: "Model",
    category: "model",
    type: "select",
    currentValue: "small",
    options: [
      { groupId: "g", name: "All", options: [{ value: "small", name: "Small" }] },
      { groupId: "h", name: "New", options: [{ value: "large", name: "Large" }] },
    ],
  },
  { configId: "web", name: "Use the web", type: "boolean", currentValue: false },
];
export const availableCommands = [
  { type: "command", name: "test", description: "Tests", input: { type: "text", hint: "filter" } },
  { type: "command", name: "stop", description: "Stops" },
];
const form = {
  type: "object",
  title: "Details",
  properties: {
    name: { type: "string", minLength: 1, format: "email" },
    count: { type: "integer", minimum: 0, default: 1 },
    share: { type: "number", maximum: 1 },
    ok: { type: "boolean", default: true },
    parts: { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 2 },
    kinds: { type: "array", items: { anyOf: [{ const: "c", title: "See" }] } },
  },
  required: ["name"],
};
export const state = (name, more = {}) => ({ sessionUpdate: "state_update", state: name, ...more });

/** What the agent tells while it works on the prompt that has everything. */
export const reported = updates(
  sessionId,
  { sessionUpdate: "user_message", messageId: "m-1", content: [text("everything")] },
  { sessionUpdate: "user_message_chunk", messageId: "m-1", content: text(" at once") },
  state("running", { background: [] }),
  { sessionUpdate: "agent_thought_chunk", messageId: "m-2", content: text("Hm") },
  { sessionUpdate: "agent_thought", messageId: "m-2", content: null },
  {
    sessionUpdate: "agent_message_chunk",
    messageId: "m-3",
    content: {
      ...text("Gern: €😀\u2028\u0000"),
      annotations: { audience: ["user"], priority: 0.5 },
    },
  },
  {
    sessionUpdate: "agent_message",
    messageId: "m-3",
    content: [text("Gern"), { type: "image", data: "aGk=", mimeType: "image/png", uri: null }],
    _meta: { "vendor.key": [1, null, { a: "b" }] },
  },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "t-1",
    title: "Edit a.ts",
    name: "edit",
    kind: "edit",
    status: "in_progress",
    content: [
      { type: "content", content: text("…") },
      {
        type: "diff",
        changes: [
          { operation: "modify", path: "/project/a.ts", fileType: "text", mimeType: "text/plain" },
          { operation: "move", oldPath: "/project/b.ts", path: "/project/c.ts" },
        ],
        patch: { format: "git_patch", text: "--- a\n+++ b\n" },
      },
      { type: "terminal", terminalId: "x-1" },
    ],
    locations: [{ path: "/project/a.ts", line: 1 }],
    rawInput: { any: ["thing", 1.5, true] },
    capabilities: { cancel: {} },
  },
  {
    sessionUpdate: "tool_call_content_chunk",
    toolCallId: "t-1",
    content: { type: "content", content: text("3 matches") },
  },
  {
    sessionUpdate: "terminal_update",
    terminalId: "x-1",
    command: "npm test",
    cwd,
    size: { cols: 120, rows: 40 },
    output: { data: "4oKs" },
    capabilities: { cancel: {} },
  },
  { sessionUpdate: "terminal_output_chunk", terminalId: "x-1", data: "UEFTUwo=" },
  {
    sessionUpdate: "plan_update",
    plan: {
      type: "items",
      planId: "p-1",
      entries: [
        { content: "Read", priority: "high", status: "completed" },
        { content: "Write", priority: "low", status: "in_progress" },
      ],
    },
  },
  { sessionUpdate: "available_commands_update", availableCommands },
  { sessionUpdate: "config_option_update", configOptions },
  { sessionUpdate: "session_info_update", title: "Everything", updatedAt: "2026-11-21T23:14:00Z" },
  {
    sessionUpdate: "usage_update",
    used: 1234,
    size: 200000,
    cost: { amount: 0.5, currency: "EUR" },
  },
  { sessionUpdate: "notice", severity: "warning", title: "Nearly full", description: null },
  { sessionUpdate: "compaction_summary_chunk", compactionId: "c-1", content: text("Sh") },
  {
    sessionUpdate: "compaction_update",
    compactionId: "c-1",
    status: "completed",
    summary: [text("Short")],
    error: null,
  },
  { sessionUpdate: "_vendor.build", status: "green" },
  state("requires_action"),
);

/** Over the SDK's HTTP, what cancels a request of the agent can overtake it. */
const waiting = () => notify("_vendor/ping", { waits: true });

/** What the agent asks of the client meanwhile. */
export const asked = [
  request(
    "session/request_permission",
    {
      sessionId,
      title: "Edit a.ts?",
      subject: { type: "tool_call", toolCall: { toolCallId: "t-1", title: "Edit a.ts" } },
      options,
    },
    { outcome: { outcome: "selected", optionId: "once" } },
  ),
  request(
    "session/request_permission",
    {
      sessionId,
      title: "Run it?",
      description: null,
      subject: { type: "command", command: "npm test", cwd, toolCallId: "t-1", terminalId: "x-1" },
      options,
    },
    { outcome: { outcome: "cancelled" } },
    { cancel: true, before: [waiting()] },
  ),
  request(
    "elicitation/create",
    { sessionId, toolCallId: "t-1", message: "Who?", mode: "form", requestedSchema: form },
    { action: "accept", content: { name: "a@b.c", count: 3, share: 0.5, ok: true, parts: ["a"] } },
  ),
  request(
    "elicitation/create",
    { sessionId, message: "Who?", mode: "url", url: "https://example.com/l", elicitationId: "e-1" },
    { action: "decline" },
  ),
  notify("elicitation/complete", { elicitationId: "e-1" }),
  cancelled(
    "elicitation/create",
    { sessionId, message: "Still there?", mode: "form", requestedSchema: form },
    { before: [waiting()] },
  ),
  request("_vendor/echo", said, said),
  notify("_vendor/note", said),
];
