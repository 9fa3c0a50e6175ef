import { ALLOW_ONCE, REJECT_ONCE, type AgentSession, type StopReason } from "#acp/v1";
import type { FinishReason, ModelMessage, ToolApprovalResponse } from "ai";
import type { ApprovalRequest, CodingAgent } from "./coding-agent.js";
import { createTranslator } from "./updates.js";

/** Why the model stopped, in the words of ACP; an error is no reason to stop but a failed request. */
const STOP_REASONS: { readonly [reason in Exclude<FinishReason, "error">]: StopReason } = {
  stop: "end_turn",
  other: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  // It would have gone on, but was not let: `stopWhen`.
  "tool-calls": "max_turn_requests",
};

/** What a turn works with. */
export interface Turn {
  readonly codingAgent: CodingAgent;
  /** The conversation, the user's message included. */
  readonly messages: readonly ModelMessage[];
  readonly session: AgentSession;
  readonly contextWindow: number | undefined;
}

/** How a turn ended, and the conversation with what it has added. */
export interface TurnResult {
  readonly stopReason: StopReason;
  readonly messages: readonly ModelMessage[];
}

/**
 * Runs a turn: the AI SDK's loop, and again whenever it waits for the user's consent.
 *
 * @throws what the model or the connection failed with
 */
export async function runTurn(turn: Turn): Promise<TurnResult> {
  const messages = [...turn.messages];
  const translate = createTranslator(turn.contextWindow);
  for (;;) {
    const { codingAgent, session } = turn;
    const { signal: abortSignal } = session;
    const result = await codingAgent.stream({ messages: [...messages], abortSignal });
    const questions: ApprovalRequest[] = [];
    let stopReason: StopReason = "end_turn";
    for await (const part of result.fullStream) {
      const update = translate(part);
      if (update !== undefined) await session.client.update({ update });
      if (part.type === "tool-approval-request") questions.push(part);
      if (part.type === "finish" && part.finishReason !== "error") {
        stopReason = STOP_REASONS[part.finishReason];
      }
      if (part.type === "abort") return { stopReason: "cancelled", messages };
      if (part.type === "error") throw part.error;
    }
    messages.push(...(await result.response).messages);
    if (questions.length === 0) return { stopReason, messages };
    const answers: ToolApprovalResponse[] = [];
    for (const question of questions) answers.push(await ask(question, turn));
    messages.push({ role: "tool", content: answers });
  }
}

/** Asks the user whether a tool may run. */
async function ask(
  { approvalId, toolCall }: ApprovalRequest,
  { session }: Turn,
): Promise<ToolApprovalResponse> {
  const { toolCallId, input } = toolCall;
  const { outcome } = await session.client.requestPermission({
    toolCall: { toolCallId, rawInput: input },
    options: [ALLOW_ONCE, REJECT_ONCE],
  });
  session.signal.throwIfAborted();
  const approved = outcome.outcome === "selected" && outcome.optionId === ALLOW_ONCE.optionId;
  if (approved) await session.update("tool_call_update", { toolCallId, status: "in_progress" });
  return { type: "tool-approval-response", approvalId, approved };
}
