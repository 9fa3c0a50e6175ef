import * as bridge from "acp-bindings/bridge";
import type { Converted } from "acp-bindings/bridge";
import { describe, expect, test } from "vitest";
import { buildBridge } from "../../../../generators/model/bridge/build-bridge.js";
import { loadBridge } from "../../../../generators/schema/bridge/load-bridge.js";
import { protocolOf, SCHEMA } from "../corpus.js";

// Methods that only one version has are in state-losses.test.ts; messages, tool calls, plans, modes and turns, which need
// a conversation, in client-v1.test.ts and client-v2.test.ts.

/**
 * A case that other converters refuse or get wrong: the definition, a value of it, the value in the
 * other version (undefined where it has none), and the losses.
 */
type Case = readonly [
  name: string,
  definition: string,
  value: unknown,
  expected: unknown,
  ...losses: readonly string[],
];

const HI = { type: "text", text: "hi" };
const PEER = { name: "peer", version: "1" };
const OPTIONS = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const SESSION_CAPABILITIES = { list: {}, resume: {}, close: {} };
const STDIO = { mcp: { stdio: {} } };
const PATCH = "diff --git /a /a\n--- /a\n+++ /a\n@@ -1,1 +1,1 @@\n-old\n+new\n";
const MODES = { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] };
const CLIENT_LIMITS = ["plan missing", "subagents missing", "session absent"].map(
  (place) => `approximate ClientCapabilities/${place}`,
);

const ask = (rest: object): object => ({ sessionId: "s", options: OPTIONS, ...rest });
const asked = (toolCall: object): object =>
  ask({ toolCall: { toolCallId: "permission", title: "Run?", status: "pending", ...toolCall } });
const change = (rest: object): object => ({
  type: "diff",
  changes: [{ operation: "modify", path: "/a" }],
  ...rest,
});

/** Updates that mean something in a conversation only, where the bridge sends others for them. */
const STATEFUL = [
  { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
  { sessionUpdate: "terminal_update", terminalId: "t" },
  { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "YQ==" },
  { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: HI },
  { sessionUpdate: "agent_message", messageId: "m", content: [HI] },
  { sessionUpdate: "user_message", messageId: "m", content: [HI] },
  { sessionUpdate: "agent_thought", messageId: "m", content: [HI] },
];

/** Values of elicitations that both versions leave open. */
const OPEN: readonly Case[] = [
  ...[
    ["ElicitationPropertySchema", { type: "_place", precision: "city" }],
    ["MultiSelectItems", { type: "_token", anyOf: [{ const: "a", title: "A" }] }],
    ["CreateElicitationRequest", { mode: "_browser", message: "m", requestId: 42, target: "t" }],
    ["CreateElicitationResponse", { action: "_later", reason: "x" }],
  ].map(([name, value]): Case => [`an unknown ${name as string}`, name as string, value, value]),
];

const TO_V1: readonly Case[] = [
  // Values and variants that version 1 does not define.
  ["an unknown kind of tool", "ToolKind", "_draw", "other", "approximate ToolKind *"],
  ["an unknown status", "ToolCallStatus", "_held", "in_progress", "approximate ToolCallStatus *"],
  [
    "a cancelled call",
    "ToolCallStatus",
    "cancelled",
    "failed",
    "approximate ToolCallStatus cancelled",
  ],
  [
    "unknown content of a tool call among other content",
    "ToolCallUpdate",
    { toolCallId: "t", content: [{ type: "_map" }, { type: "content", content: HI }] },
    { toolCallId: "t", content: [{ type: "content", content: HI }] },
    "dropped ToolCallContent/* present",
  ],
  [
    "a terminal of the agent",
    "ToolCallContent",
    { type: "terminal", terminalId: "t" },
    undefined,
    "dropped ToolCallContent/terminal present",
  ],
  [
    "a patch",
    "ToolCallContent",
    change({ patch: { format: "git_patch", text: PATCH } }),
    { type: "diff", path: "/a", oldText: "old\n", newText: "new\n" },
    "approximate Diff excerpt",
  ],
  [
    "the part of a patch that is about the first changed file",
    "ToolCallContent",
    change({
      patch: {
        format: "git_patch",
        text: PATCH.replaceAll("/a", "/b").replace("new", "_") + PATCH,
      },
    }),
    { type: "diff", path: "/a", oldText: "old\n", newText: "new\n" },
    "dropped Diff more-files",
    "approximate Diff excerpt",
  ],
  [
    "metadata of a patch, and the mode of a file",
    "ToolCallContent",
    change({
      patch: {
        format: "git_patch",
        text: PATCH.replace("---", "old mode 100644\nnew mode 100755\n---"),
        _meta: { a: 1 },
      },
    }),
    { type: "diff", path: "/a", oldText: "old\n", newText: "new\n" },
    "dropped Diff details",
    "dropped Diff metadata",
    "approximate Diff excerpt",
  ],
  ["a change without a patch", "ToolCallContent", change({}), undefined, "dropped Diff no-patch"],
  [
    "an unknown way to log in among others",
    "InitializeResponse",
    {
      protocolVersion: 2,
      info: PEER,
      capabilities: { session: STDIO },
      authMethods: [
        { type: "_card", methodId: "c", name: "C" },
        { type: "agent", methodId: "a", name: "A" },
      ],
    },
    {
      protocolVersion: 1,
      agentInfo: PEER,
      authMethods: [{ name: "A", id: "a" }],
      agentCapabilities: {
        sessionCapabilities: SESSION_CAPABILITIES,
        mcpCapabilities: {},
        loadSession: true,
      },
    },
    "dropped AuthMethod/* present",
  ],
  [
    "an unknown option among others",
    "ConfigOptionUpdate",
    {
      configOptions: [
        { configId: "d", name: "D", type: "_dial" },
        { configId: "f", name: "F", type: "boolean", currentValue: true },
      ],
    },
    { configOptions: [{ name: "F", type: "boolean", currentValue: true, id: "f" }] },
    "dropped SessionConfigOption/* present",
  ],
  [
    "the choice of an unknown option",
    "SetSessionConfigOptionRequest",
    { sessionId: "s", configId: "d", type: "_dial", value: 3 },
    undefined,
    "rejected SetSessionConfigOptionRequest/* present",
  ],
  [
    "unknown input of a command",
    "AvailableCommandsUpdate",
    {
      availableCommands: [
        { type: "command", name: "n", description: "d", input: { type: "_form" } },
      ],
    },
    { availableCommands: [{ name: "n", description: "d" }] },
    "dropped AvailableCommandInput/* present",
  ],
  [
    "an unknown kind of command",
    "AvailableCommandsUpdate",
    { availableCommands: [{ type: "_macro", name: "n" }] },
    { availableCommands: [] },
    "dropped AvailableCommand/* present",
  ],
  [
    "an unknown reader",
    "TextContent",
    { text: "hi", annotations: { audience: ["_tester", "user"] } },
    { text: "hi", annotations: { audience: ["user"] } },
    "dropped Role *",
  ],
  [
    "an unknown priority",
    "PlanEntry",
    { content: "c", priority: "_now", status: "pending" },
    { content: "c", priority: "medium", status: "pending" },
    "approximate PlanEntryPriority *",
  ],
  [
    "an unknown status of an entry",
    "PlanEntry",
    { content: "c", priority: "low", status: "_held" },
    { content: "c", priority: "low", status: "pending" },
    "approximate PlanEntryStatus *",
  ],
  [
    "a cancelled entry",
    "PlanEntry",
    { content: "c", priority: "low", status: "cancelled" },
    { content: "c", priority: "low", status: "completed" },
    "approximate PlanEntryStatus cancelled",
  ],
  [
    "an unknown kind of plan",
    "PlanUpdate",
    { plan: { type: "_chart", planId: "p" } },
    undefined,
    "dropped PlanUpdateContent/* present",
  ],
  [
    "permission for a command",
    "RequestPermissionRequest",
    ask({ title: "Run?", subject: { type: "command", command: "ls", cwd: "/" } }),
    asked({ kind: "execute", rawInput: { command: "ls", cwd: "/" } }),
    "approximate RequestPermissionRequest command",
  ],
  [
    "permission for something unknown",
    "RequestPermissionRequest",
    ask({ title: "Run?", subject: { type: "_trip", to: "Rome", _meta: { a: 1 } } }),
    asked({ rawInput: { to: "Rome" }, _meta: { a: 1 } }),
    "approximate RequestPermissionRequest other-subject",
  ],
  [
    "metadata of what permission is asked for",
    "RequestPermissionRequest",
    ask({
      title: "T",
      subject: { type: "tool_call", toolCall: { toolCallId: "t", title: "T" }, _meta: { a: 1 } },
    }),
    ask({ toolCall: { toolCallId: "t", title: "T" } }),
    "dropped RequestPermissionRequest details",
  ],
  [
    "permission for nothing in particular",
    "RequestPermissionRequest",
    ask({ title: "Run?" }),
    asked({}),
    "approximate RequestPermissionRequest no-subject",
  ],
  [
    "an unknown answer, which is not an approval",
    "RequestPermissionResponse",
    { outcome: { outcome: "_wait" } },
    { outcome: { outcome: "cancelled" } },
    "approximate RequestPermissionOutcome/* present",
  ],
  [
    "an unknown option, which is not an approval",
    "PermissionOption",
    { optionId: "w", name: "Wait", kind: "_wait" },
    { optionId: "w", name: "Wait", kind: "reject_once" },
    "approximate PermissionOptionKind *",
  ],
  [
    "icons",
    "ResourceLink",
    { name: "n", uri: "file:///n", icons: [{ src: "https://example.com/i.png" }] },
    { name: "n", uri: "file:///n" },
    "dropped ResourceLink/icons present",
  ],
  [
    "unknown content in a prompt",
    "PromptRequest",
    { sessionId: "s", prompt: [{ type: "_ink" }, HI] },
    { sessionId: "s", prompt: [HI] },
    "dropped ContentBlock/* present",
  ],
  [
    "an unknown suggestion",
    "NesSuggestion",
    { kind: "_fold", suggestionId: "p" },
    undefined,
    "dropped NesSuggestion/* present",
  ],
  [
    "an unknown format",
    "StringPropertySchema",
    { format: "hostname" },
    {},
    "dropped StringFormat *",
  ],
  [
    "an unknown MCP server",
    "NewSessionRequest",
    { cwd: "/", mcpServers: [{ type: "_pipe", name: "p" }] },
    { cwd: "/", mcpServers: [] },
    "dropped McpServer/* present",
  ],
  [
    "an unknown update",
    "SessionUpdate",
    { sessionUpdate: "_badge" },
    undefined,
    "dropped SessionUpdate/* present",
  ],
  ...STATEFUL.map((update): Case => [
    `${update.sessionUpdate} by itself`,
    "SessionUpdate",
    update,
    undefined,
    `dropped SessionUpdate/${update.sessionUpdate} present`,
  ]),
  // Null, and values that two versions limit otherwise.
  [
    "a name that is taken back",
    "ToolCallUpdate",
    { toolCallId: "t", name: null },
    { toolCallId: "t" },
    "dropped ToolCallUpdate/name null",
  ],
  [
    "content that is taken back",
    "ToolCallUpdate",
    { toolCallId: "t", content: null, locations: null },
    { toolCallId: "t", content: [], locations: [] },
  ],
  [
    "a title that is taken back",
    "ToolCallUpdate",
    { toolCallId: "t", title: null },
    { toolCallId: "t", title: "" },
    "approximate ToolCallUpdate/title null",
  ],
  [
    "a variable that is set twice",
    "AuthMethodTerminal",
    {
      methodId: "m",
      name: "M",
      env: [
        { name: "T", value: "1" },
        { name: "T", value: "2" },
      ],
    },
    { name: "M", id: "m", env: { T: "2" } },
    "approximate AuthMethodTerminal/env repeated",
  ],
  [
    "a negative exit code",
    "TerminalExitStatus",
    { exitCode: -1 },
    {},
    "dropped TerminalExitStatus/exitCode limit",
  ],
  // Capabilities.
  [
    "an agent without sessions",
    "AgentCapabilities",
    {},
    { sessionCapabilities: {}, mcpCapabilities: {}, loadSession: true },
    "approximate AgentCapabilities/sessionCapabilities absent",
    "approximate AgentCapabilities/mcpCapabilities absent",
  ],
  ["an object where version 1 has a boolean", "PromptCapabilities", { image: {} }, { image: true }],
  [
    "metadata where version 1 has a boolean",
    "PromptCapabilities",
    { image: { _meta: { a: 1 } } },
    { image: true },
    "dropped PromptCapabilities/image details",
  ],
  [
    "what every client of version 2 can do",
    "ClientCapabilities",
    {},
    {
      session: { compaction: {}, configOptions: { boolean: {} }, notices: {} },
      plan: {},
      subagents: {},
    },
  ],
  [
    "a client's initialize",
    "InitializeRequest",
    { protocolVersion: 2, info: PEER, capabilities: { auth: {} } },
    {
      protocolVersion: 1,
      clientInfo: PEER,
      clientCapabilities: {
        auth: {},
        session: { compaction: {}, configOptions: { boolean: {} }, notices: {} },
        plan: {},
        subagents: {},
      },
    },
  ],
  ...["ToolCallUpdate", "SessionInfoUpdate"].map((name): Case => [
    `metadata that a ${name} takes back`,
    name,
    { toolCallId: "t", _meta: null },
    { toolCallId: "t" },
    `dropped ${name}/_meta null`,
  ]),
  // Without a loss.
  ...OPEN,
  ["a login in a terminal", "ClientAuthCapabilities", { terminal: {} }, { terminal: true }],
  [
    "the response to a prompt by itself",
    "PromptResponse",
    { messageId: "m" },
    { stopReason: "end_turn" },
    "dropped PromptResponse/messageId present",
    "approximate PromptResponse/stopReason absent",
  ],
  [
    "a session to continue",
    "ResumeSessionRequest",
    { sessionId: "s", cwd: "/" },
    { sessionId: "s", cwd: "/" },
  ],
  [
    "a session to replay",
    "ResumeSessionRequestAsLoadSessionRequest",
    { sessionId: "s", cwd: "/", replayFrom: { type: "start" } },
    { sessionId: "s", cwd: "/", mcpServers: [] },
  ],
  [
    "a category of the agent's own",
    "SessionConfigOption",
    { configId: "c", name: "C", type: "boolean", currentValue: true, category: "_own" },
    { name: "C", type: "boolean", currentValue: true, category: "_own", id: "c" },
  ],
];

const TO_V2: readonly Case[] = [
  [
    "a text as the value of a switch, which version 1 takes for the id of a value",
    "SetSessionConfigOptionRequest",
    { sessionId: "s", configId: "c", type: "boolean", value: "on" },
    { sessionId: "s", configId: "c", type: "id", value: "on" },
    "dropped * foreign",
  ],
  [
    "a way to log in whose tag does not fit",
    "AuthMethod",
    { type: "terminal", id: "a", name: "A", env: 1 },
    { type: "agent", methodId: "a", name: "A", env: 1 },
    "dropped * foreign",
  ],
  [
    "a command for an MCP server whose tag does not fit",
    "McpServer",
    { type: "sse", name: "m", command: "/m", args: [], env: [] },
    { type: "stdio", name: "m", command: "/m", args: [], env: [] },
    "dropped * foreign",
  ],
  [
    "properties that only version 2 has",
    "NewSessionResponse",
    { sessionId: "s", availableCommands: "test" },
    { sessionId: "s" },
    "dropped * foreign",
  ],
  [
    "a client without a name",
    "InitializeRequest",
    { protocolVersion: 1 },
    {
      protocolVersion: 2,
      capabilities: { auth: {}, session: {} },
      info: { name: "unknown", version: "0.0.0" },
    },
    ...CLIENT_LIMITS,
    "approximate InitializeRequest/clientInfo absent",
  ],
  [
    "an agent without a name",
    "InitializeResponse",
    {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        auth: { logout: {} },
        sessionCapabilities: SESSION_CAPABILITIES,
      },
    },
    {
      protocolVersion: 2,
      capabilities: { auth: {}, session: STDIO },
      info: { name: "unknown", version: "0.0.0" },
    },
    "approximate InitializeResponse/agentInfo absent",
  ],
  [
    "files of the client",
    "ClientCapabilities",
    { fs: { readTextFile: true } },
    { session: {} },
    "dropped ClientCapabilities/fs present",
    ...CLIENT_LIMITS,
  ],
  [
    "terminals of the client",
    "ClientCapabilities",
    { terminal: true, session: { notices: {} }, plan: {}, subagents: {} },
    { session: {} },
    "approximate ClientSessionCapabilities/compaction missing",
    "approximate ClientSessionCapabilities/configOptions missing",
    "approximate ClientSessionCapabilities/cursors missing",
    "dropped ClientCapabilities/terminal present",
  ],
  [
    "MCP over server-sent events",
    "McpCapabilities",
    { sse: true },
    { stdio: {} },
    "dropped McpCapabilities/sse present",
  ],
  ["MCP over HTTP", "McpCapabilities", { http: true }, { http: {}, stdio: {} }],
  ["MCP over ACP", "McpCapabilities", { acp: true }, { acp: {}, stdio: {} }],
  ["a login in a terminal", "AuthCapabilities", { terminal: true }, { terminal: {} }],
  [
    "null as metadata, which would take it back in version 2",
    "ToolCallUpdate",
    { toolCallId: "t", _meta: null },
    { toolCallId: "t" },
  ],
  ...OPEN,
  [
    "an MCP server over server-sent events",
    "McpServer",
    { type: "sse", name: "e", url: "https://example.com", headers: [] },
    undefined,
    "dropped McpServer/sse present",
  ],
  [
    "an MCP server without a type",
    "NewSessionRequest",
    { cwd: "/", mcpServers: [{ name: "l", command: "/m", args: [], env: [] }] },
    { cwd: "/", mcpServers: [{ type: "stdio", name: "l", command: "/m", args: [], env: [] }] },
  ],
  [
    "an agent that cannot replay",
    "AgentCapabilities",
    { auth: { logout: {} }, sessionCapabilities: SESSION_CAPABILITIES },
    { auth: {}, session: STDIO },
    "approximate AgentCapabilities/loadSession missing",
  ],
  [
    "an agent that cannot list sessions",
    "AgentCapabilities",
    { loadSession: true, auth: { logout: {} }, sessionCapabilities: { resume: {}, close: {} } },
    { auth: {}, session: STDIO },
    "approximate SessionCapabilities/list missing",
  ],
  [
    "metadata of a capability that version 2 does not have",
    "AgentAuthCapabilities",
    { logout: { _meta: { a: 1 } } },
    {},
    "dropped AgentAuthCapabilities/logout details",
  ],
  [
    "a terminal of the client",
    "ToolCallContent",
    { type: "terminal", terminalId: "t" },
    undefined,
    "dropped ToolCallContent/terminal present",
  ],
  [
    "a chunk without a message",
    "ContentChunk",
    { content: HI },
    { content: HI, messageId: "message" },
    "approximate ContentChunk/messageId absent",
  ],
  [
    "a change of the mode",
    "SessionUpdate",
    { sessionUpdate: "current_mode_update", currentModeId: "a" },
    undefined,
    "dropped SessionUpdate/current_mode_update present",
  ],
  ...["NewSessionResponse", "ForkSessionResponse"].map((name): Case => [
    `modes in a ${name}`,
    name,
    { sessionId: "s", modes: MODES },
    { sessionId: "s" },
    `dropped ${name}/modes present`,
  ]),
  ...["LoadSessionResponse", "ResumeSessionResponse"].map((name): Case => [
    `modes in a ${name}`,
    name,
    { modes: MODES },
    {},
    `dropped ${name}/modes present`,
  ]),
  [
    "the response to a prompt by itself",
    "PromptResponse",
    { stopReason: "end_turn" },
    { messageId: "prompt" },
    "dropped PromptResponse/stopReason present",
    "approximate PromptResponse/messageId absent",
  ],
  [
    "permission for a tool call without a title",
    "RequestPermissionRequest",
    ask({ toolCall: { toolCallId: "t" } }),
    ask({ title: "Permission", subject: { type: "tool_call", toolCall: { toolCallId: "t" } } }),
    "approximate RequestPermissionRequest no-title",
  ],
  [
    "permission without a choice",
    "RequestPermissionRequest",
    { ...ask({ toolCall: { toolCallId: "t", title: "T" } }), options: [] },
    undefined,
    "rejected RequestPermissionRequest no-options",
  ],
  [
    "permission for a tool call",
    "RequestPermissionRequest",
    ask({ toolCall: { toolCallId: "t", title: "T" } }),
    ask({ title: "T", subject: { type: "tool_call", toolCall: { toolCallId: "t", title: "T" } } }),
  ],
  [
    "null as the id of a request",
    "CancelRequestNotification",
    { requestId: null },
    undefined,
    "rejected RequestId null",
  ],
  [
    "an option without values",
    "SessionConfigOption",
    { id: "o", name: "O", type: "select", currentValue: "a", options: [] },
    undefined,
    "dropped SessionConfigSelectOptions limit",
  ],
  [
    "a prompt without content",
    "PromptRequest",
    { sessionId: "s", prompt: [] },
    { sessionId: "s", prompt: [{ type: "text", text: "" }] },
    "approximate PromptRequest/prompt limit",
  ],
  [
    "line 0",
    "ToolCallLocation",
    { path: "/a", line: 0 },
    { path: "/a", line: 1 },
    "approximate ToolCallLocation/line limit",
  ],
  [
    "a negative size",
    "ResourceLink",
    { name: "n", uri: "file:///n", size: -1 },
    { name: "n", uri: "file:///n" },
    "dropped ResourceLink/size limit",
  ],
  [
    "a session to load",
    "LoadSessionRequest",
    { sessionId: "s", cwd: "/", mcpServers: [] },
    { sessionId: "s", cwd: "/", mcpServers: [], replayFrom: { type: "start" } },
  ],
  ["input of a command", "AvailableCommandInput", { hint: "h" }, { type: "text", hint: "h" }],
  [
    "the plan",
    "SessionUpdate",
    { sessionUpdate: "plan", entries: [] },
    { sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries: [] } },
  ],
  [
    "both texts of a file, by its absolute path",
    "ToolCall",
    {
      toolCallId: "t",
      title: "T",
      content: [{ type: "diff", path: "/a", oldText: "old\n", newText: "new\n" }],
    },
    {
      toolCallId: "t",
      title: "T",
      content: [change({ patch: { format: "git_patch", text: PATCH } })],
    },
  ],
  [
    "variables of the environment",
    "AuthMethodTerminal",
    { id: "m", name: "M", env: { T: "1" } },
    { name: "M", methodId: "m", env: [{ name: "T", value: "1" }] },
  ],
  [
    "the data of an error",
    "Error",
    { code: -32602, message: "m", data: { field: "x" } },
    { code: -32602, message: "m", data: { field: "x" } },
  ],
];

const functions = bridge as unknown as {
  readonly [name: string]: (value: unknown) => Converted<unknown>;
};

function answerOf(converter: string, value: unknown): readonly unknown[] {
  const { value: converted, losses } = functions[converter]!(value);
  return [converted, ...losses.map(({ kind, place, when }) => `${kind} ${place} ${when}`)];
}

/** Leaves out the cases of limits that both versions of a release have. */
function ofRelease(cases: readonly Case[], direction: "toV1" | "toV2"): readonly Case[] {
  const { bridge: mapping } = buildBridge(
    loadBridge(SCHEMA)!,
    protocolOf("v1-full"),
    protocolOf("v2-full"),
  );
  const limits = mapping[direction].losses
    .filter(({ when }) => when === "limit")
    .map(({ kind, place, when }) => `${kind} ${place} ${when}`);
  return cases.filter(([, , , , ...losses]) =>
    losses.every((loss) => !loss.endsWith(" limit") || limits.includes(loss)),
  );
}

describe("version 1 has an answer to", () => {
  test.each(ofRelease(TO_V1, "toV1"))("%s", (_, definition, value, ...answer) => {
    expect(answerOf(`v2ToV1${definition}`, value)).toEqual(answer);
  });
});

describe("version 2 has an answer to", () => {
  test.each(ofRelease(TO_V2, "toV2"))("%s", (_, definition, value, ...answer) => {
    expect(answerOf(`v1ToV2${definition}`, value)).toEqual(answer);
  });
});
