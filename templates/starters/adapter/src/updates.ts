import { text, type SessionUpdate, type ToolCall, type ToolCallUpdate } from "#acp/v1";
import { TOOL_KINDS, type StreamPart } from "./coding-agent.js";
import { fileBlock, sourceBlock, textContent } from "./content.js";

/** What a part of the AI SDK's stream says to the client; nothing for parts that clients need not know. */
export type Translate = (part: StreamPart) => SessionUpdate | undefined;

/**
 * Makes the translator of a turn: each part is one update. All that it remembers
 * is which tool calls have begun, since a tool call begins once and everything later is an update.
 *
 * @param contextWindow how many tokens the context holds, if that is known
 */
export function createTranslator(contextWindow: number | undefined): Translate {
  const begun = new Set<string>();
  return (part) => {
    switch (part.type) {
      case "text-delta":
        return { sessionUpdate: "agent_message_chunk", content: text(part.text) };
      case "reasoning-delta":
        return { sessionUpdate: "agent_thought_chunk", content: text(part.text) };
      case "file":
        return { sessionUpdate: "agent_message_chunk", content: fileBlock(part.file) };
      case "source":
        return { sessionUpdate: "agent_message_chunk", content: sourceBlock(part) };

      case "tool-input-start":
        begun.add(part.id);
        return begin({ ...part, toolCallId: part.id }, { status: "pending" });
      case "tool-call": {
        const { toolCallId, input: rawInput } = part;
        const change = { status: "in_progress" as const, rawInput };
        if (begun.has(toolCallId)) return update(toolCallId, change);
        // Not every model streams the input of its tools.
        begun.add(toolCallId);
        return begin(part, change);
      }
      case "tool-approval-request":
        return update(part.toolCall.toolCallId, { status: "pending" });
      case "tool-result": {
        const status = part.preliminary ? "in_progress" : "completed";
        const content = [textContent(part.output)];
        return update(part.toolCallId, { status, content, rawOutput: part.output });
      }
      case "tool-error": {
        const content = [textContent(part.error)];
        return update(part.toolCallId, { status: "failed", content });
      }
      case "tool-output-denied": {
        const content = [textContent("The user rejected the tool call.")];
        return update(part.toolCallId, { status: "failed", content });
      }

      case "finish-step": {
        if (contextWindow === undefined) return undefined;
        // What went in and came out of the last request is what the context holds now.
        const { inputTokens = 0, outputTokens = 0 } = part.usage;
        const used = inputTokens + outputTokens;
        return { sessionUpdate: "usage_update", used, size: contextWindow };
      }

      default:
        // Starts and ends of texts, input that is no JSON yet, and what ends the turn.
        return undefined;
    }
  };
}

function begin(
  { toolCallId, toolName, title = toolName }: ToolFacts,
  change: Pick<ToolCall, "status" | "rawInput">,
): SessionUpdate {
  const kind = TOOL_KINDS[toolName] ?? "other";
  return { sessionUpdate: "tool_call", toolCallId, title, name: toolName, kind, ...change };
}

interface ToolFacts {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly title?: string;
}

function update(toolCallId: string, change: Omit<ToolCallUpdate, "toolCallId">): SessionUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, ...change };
}
