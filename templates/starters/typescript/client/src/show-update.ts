import type { received, SessionState } from "#acp/v1";
import { diffLines } from "./diff-lines.js";
import type { Screen } from "./screen.js";

/** Shows a `session/update`; `state` is what the session has become by it. */
export function showUpdate(
  screen: Screen,
  update: received.SessionUpdate,
  state: SessionState | undefined,
): void {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return screen.write(textOf(update.content));
    case "tool_call":
    case "tool_call_update": {
      // An update that changes neither, such as one that adds a diff, does not repeat the line.
      if (update.sessionUpdate === "tool_call" || update.status != null || update.title != null) {
        const { title, status = "pending" } = state?.toolCalls.get(update.toolCallId) ?? {};
        screen.line(`[${status}] ${title ?? update.toolCallId}`);
      }
      return showContent(screen, update.content ?? []);
    }
    case "plan":
      return update.entries.forEach(({ status, content }) => screen.line(`[${status}] ${content}`));
    default:
      // Modes, commands, usage, what later versions add: a client may ignore what it does not show.
      return;
  }
}

/** Shows what a tool call has produced. */
export function showContent(screen: Screen, content: readonly received.ToolCallContent[]): void {
  for (const item of content) {
    switch (item.type) {
      case "content":
        screen.line(textOf(item.content));
        break;
      case "diff":
        screen.line(item.path);
        diffLines(item.oldText ?? "", item.newText).forEach((line) => screen.line(line));
        break;
      case "terminal":
        screen.line(`(terminal ${item.terminalId})`);
        break;
      default:
        break;
    }
  }
}

function textOf(block: received.ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return block.uri;
    default:
      return `(${block.type})`;
  }
}
