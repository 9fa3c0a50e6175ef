/** Something that people believe of the protocol, and what it really says. */
export interface Correction {
  /** What is believed, in our own words. */
  readonly statement: string;
  /** What the published protocol says instead. */
  readonly instead: string;
  /** Where it says so. */
  readonly source: string;
  /** What shows it here. */
  readonly shown: Shown;
}

/** A rule by its id, or a fact of the schema: a definition, and a property or a value in it. */
export type Shown =
  | { readonly rule: string }
  | {
      readonly profile: "v1" | "v2";
      readonly definition: string;
      /** A property that it has. */
      readonly property?: string;
      /** A property that it does not have. */
      readonly lacks?: string;
    };

const v1 = (definition: string, fact: { property?: string; lacks?: string } = {}): Shown => ({
  profile: "v1",
  definition,
  ...fact,
});

/** Where summaries of the protocol go wrong. The published protocol is what counts. */
export const CORRECTIONS: readonly Correction[] = [
  {
    statement: "The client puts what it can do into `capabilities` of `initialize`.",
    instead:
      "In version 1 the name is `clientCapabilities`, and the agent's is `agentCapabilities`. What stands elsewhere is ignored, so that nothing counts as advertised. Only version 2 has `capabilities` on both sides.",
    source: "InitializeRequest in the schema of version 1",
    shown: v1("InitializeRequest", { property: "clientCapabilities", lacks: "capabilities" }),
  },
  {
    statement: 'The protocol version is a text, such as "1".',
    instead: "It is an integer from 0 to 65535.",
    source: "initialization, protocol version; ProtocolVersion in the schema",
    shown: { rule: "protocol-version" },
  },
  {
    statement: "The client advertises files in its response to `initialize`.",
    instead: "It does so in the request: `initialize` is what the client sends.",
    source: "file system, checking support",
    shown: { rule: "fs-capability" },
  },
  {
    statement: "The client advertises terminals in its response to `initialize`.",
    instead: "It does so in the request: `initialize` is what the client sends.",
    source: "terminals, checking support",
    shown: { rule: "terminal-capability" },
  },
  {
    statement: "The agent declares its modes in the response to `initialize`.",
    instead:
      "Each session has its own: they come with the responses to `session/new`, `session/load` and `session/resume`, as `modes.availableModes`.",
    source: "session modes, initial state",
    shown: { rule: "known-mode" },
  },
  {
    statement: "The client issues `session/update` and `session/request_permission`.",
    instead: "Both go from the agent to the client.",
    source: "the sides of the methods in the schema",
    shown: { rule: "method-direction" },
  },
  {
    statement: "The client must never approve a tool call without asking the user.",
    instead:
      "It may allow or refuse by itself what the user's settings say. What it must do is to choose one of the options that were offered.",
    source: "tool calls, requesting permission",
    shown: { rule: "offered-permission-option" },
  },
  {
    statement: "`authenticate` carries the credentials.",
    instead:
      "It carries `methodId`, one of the methods that the agent offered; how the user proves who they are is between them and the agent.",
    source: "authentication; AuthenticateRequest in the schema of version 1",
    shown: v1("AuthenticateRequest", { property: "methodId", lacks: "credentials" }),
  },
  {
    statement: "`session/new` needs no params.",
    instead: "`cwd` is required, and in version 1 `mcpServers` as well, if only as an empty list.",
    source: "session setup; NewSessionRequest in the schema",
    shown: v1("NewSessionRequest", { property: "mcpServers" }),
  },
  {
    statement: "`session/load` needs nothing but the id of the session.",
    instead:
      "`cwd` and `mcpServers` are required. Version 2 has no such method, but `session/resume` with `replayFrom`.",
    source: "session setup; LoadSessionRequest in the schema of version 1",
    shown: v1("LoadSessionRequest", { property: "cwd" }),
  },
  {
    statement: "A prompt is a text.",
    instead: "It is a list of content blocks; a text is one block of the type `text`.",
    source: "prompt turn; PromptRequest in the schema",
    shown: v1("PromptRequest", { property: "prompt" }),
  },
  {
    statement: "A session update has its kind and its content beside the session's id.",
    instead:
      "Both stand in `update`, the kind as `sessionUpdate`; the agent's text is of the kind `agent_message_chunk`.",
    source: "prompt turn; SessionNotification in the schema",
    shown: v1("SessionNotification", { property: "update", lacks: "kind" }),
  },
  {
    statement: "A permission is asked for with a tool call, and that is all.",
    instead:
      "The options to choose from are required. In version 2 so is a title, and the tool call is one form of `subject`.",
    source: "tool calls, requesting permission; RequestPermissionRequest in the schema",
    shown: v1("RequestPermissionRequest", { property: "options" }),
  },
  {
    statement: "The input of a tool call is its `input`.",
    instead: "It is `rawInput`, and `toolCallId` is required.",
    source: "tool calls; ToolCallUpdate in the schema of version 1",
    shown: v1("ToolCallUpdate", { property: "rawInput", lacks: "input" }),
  },
  {
    statement: "A part of a file is read from `startLine` to `endLine`.",
    instead:
      "`line` says where it begins, counted from 1, and `limit` how many lines it has; `sessionId` is required.",
    source: "file system, reading files; ReadTextFileRequest in the schema of version 1",
    shown: v1("ReadTextFileRequest", { property: "limit", lacks: "endLine" }),
  },
  {
    statement: "The `command` of a terminal is a whole command line.",
    instead: "It is the program alone; its arguments stand in `args`.",
    source: "terminals, executing commands; CreateTerminalRequest in the schema of version 1",
    shown: v1("CreateTerminalRequest", { property: "args" }),
  },
  {
    statement: "A mode is set by its name, as `mode`.",
    instead: "It is set by its id, as `modeId`.",
    source: "session modes; SetSessionModeRequest in the schema of version 1",
    shown: v1("SetSessionModeRequest", { property: "modeId", lacks: "mode" }),
  },
  {
    statement: "Files, terminals and modes are part of every version.",
    instead: "They are of version 1. Version 2 has none of their methods.",
    source: "the migration guide of version 2; its list of methods",
    shown: { profile: "v2", definition: "ClientCapabilities", lacks: "fs" },
  },
];
