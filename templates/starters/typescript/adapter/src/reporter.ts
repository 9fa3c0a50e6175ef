import { toolText, type AgentSession } from "#acp/v1";
import { TOOL_KINDS, type StreamPart } from "./coding-agent.js";
import { fileBlock, sourceBlock, toText } from "./content.js";

type ToolCall = Awaited<ReturnType<AgentSession["toolCall"]>>;

/** Shows the user what happens in a turn. */
export interface Reporter {
  /** Sends the update for a part of the AI SDK's stream, if it has one. */
  report(part: StreamPart): Promise<void>;
  /** Asks the user whether a tool may run. */
  ask(toolCallId: string): Promise<boolean>;
}

/**
 * Creates the reporter of a turn.
 *
 * @param contextWindow the size of the model's context in tokens, if it is known
 */
export function createReporter(session: AgentSession, contextWindow: number | undefined): Reporter {
  const calls = new Map<string, ToolCall>();
  return {
    report: async (part) => {
      switch (part.type) {
        case "text-delta":
          return session.text(part.text);
        case "reasoning-delta":
          return session.thought(part.text);
        case "file":
          return session.text(fileBlock(part.file));
        case "source":
          return session.text(sourceBlock(part));

        case "tool-input-start":
          return begin(part.id, part, { status: "pending" });
        case "tool-call": {
          const change = { status: "in_progress", rawInput: part.input } as const;
          const call = calls.get(part.toolCallId);
          // Not every model streams the input of its tools.
          return call ? call.update(change) : begin(part.toolCallId, part, change);
        }
        case "tool-approval-request":
          return calls.get(part.toolCall.toolCallId)?.update({ status: "pending" });
        case "tool-result":
          return calls.get(part.toolCallId)?.update({
            status: part.preliminary ? "in_progress" : "completed",
            content: [toolText(toText(part.output))],
            rawOutput: part.output,
          });
        case "tool-error":
          return calls.get(part.toolCallId)?.fail(toText(part.error));
        case "tool-output-denied":
          return calls.get(part.toolCallId)?.fail("The user rejected the tool call.");

        case "finish-step": {
          if (contextWindow === undefined) return;
          // The input and output of the last request are what the context holds now.
          const { inputTokens = 0, outputTokens = 0 } = part.usage;
          const used = inputTokens + outputTokens;
          return session.update("usage_update", { used, size: contextWindow });
        }
      }
    },
    ask: async (toolCallId) => {
      const call = calls.get(toolCallId);
      if (call === undefined || (await call.ask()) === undefined) return false;
      await call.update({ status: "in_progress" });
      return true;
    },
  };

  async function begin(
    toolCallId: string,
    { toolName, title = toolName }: { readonly toolName: string; readonly title?: string },
    state: { readonly status: "pending" | "in_progress"; readonly rawInput?: unknown },
  ): Promise<void> {
    const kind = TOOL_KINDS[toolName] ?? "other";
    const call = await session.toolCall({ toolCallId, title, name: toolName, kind, ...state });
    calls.set(toolCallId, call);
  }
}
