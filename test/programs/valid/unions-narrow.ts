import type {
  ContentBlock,
  McpServer,
  RequestPermissionOutcome,
  SessionConfigOption,
  SessionUpdate,
  SetSessionConfigOptionRequest,
} from "acp-bindings/v1";

// A switch over the tag narrows, and the compiler knows when it is complete.
export function headline(update: SessionUpdate): string {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return text(update.content);
    case "tool_call":
      return update.title;
    case "tool_call_update":
      return update.title ?? update.toolCallId;
    case "plan":
      return update.entries.map((entry) => entry.content).join();
    case "available_commands_update":
      return update.availableCommands.map((command) => command.name).join();
    case "current_mode_update":
      return update.currentModeId;
    case "config_option_update":
      return update.configOptions.map(current).join();
    case "session_info_update":
      return update.title ?? "";
    case "usage_update":
      return `${update.used.toFixed()} of ${update.size.toFixed()}`;
    case "notice":
      return update.title;
    case "compaction_update":
      return update.status;
    case "compaction_summary_chunk":
    case "session_message_chunk":
      return text(update.content);
    case "plan_update":
    case "plan_removed":
    case "subagent_update":
    case "session_message":
      return update.sessionUpdate;
    default:
      return update satisfies never;
  }
}

export function text(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `${block.mimeType}: ${block.data}`;
    case "resource_link":
      return block.uri;
    case "resource":
      return "text" in block.resource ? block.resource.text : block.resource.blob;
    default:
      return block satisfies never;
  }
}

// Shared properties stand on every variant.
export function current(option: SessionConfigOption): string {
  const { id, name } = option;
  return `${id} ${name} ${option.type === "select" ? option.currentValue : option.currentValue === true}`;
}

// The variant without a tag is what is left when no tag fits.
export function address(server: McpServer): string {
  if (server.type === "http" || server.type === "sse") return server.url;
  return [server.command, ...server.args].join(" ");
}

export function chosen(request: SetSessionConfigOptionRequest): string | boolean {
  if (request.type === "boolean") return !request.value;
  return request.value.toUpperCase();
}

// A variant without a payload is just its tag.
export const outcomes: RequestPermissionOutcome[] = [
  { outcome: "cancelled" },
  { outcome: "selected", optionId: "yes" },
];

export const servers: McpServer[] = [
  { name: "local", command: "/bin/server", args: [], env: [] },
  { type: "http", name: "remote", url: "https://example.com", headers: [] },
];
