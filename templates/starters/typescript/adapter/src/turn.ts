import { RpcError, type AgentSession, type StopReason } from "#acp/v1";
import type { FinishReason, ModelMessage, ToolApprovalResponse } from "ai";
import type { CodingAgent } from "./coding-agent.js";
import { createReporter } from "./reporter.js";

/** The stop reasons of ACP. A model that fails fails the request instead. */
const STOP_REASONS: { readonly [reason in Exclude<FinishReason, "error">]: StopReason } = {
  stop: "end_turn",
  other: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  // `stopWhen` has ended it before the model did.
  "tool-calls": "max_turn_requests",
};

/**
 * Runs a turn: the AI SDK's loop, and again whenever it waits for the user's consent.
 *
 * @param messages the conversation with the user's message; the turn adds its own
 * @throws the error of the model or of the connection
 */
export async function runTurn(
  session: AgentSession,
  codingAgent: CodingAgent,
  messages: ModelMessage[],
  contextWindow: number | undefined,
): Promise<StopReason> {
  const { report, ask } = createReporter(session, contextWindow);
  for (;;) {
    const { signal: abortSignal } = session;
    const result = await codingAgent.stream({ messages: [...messages], abortSignal });
    const questions: { approvalId: string; toolCallId: string }[] = [];
    let stopReason: StopReason = "end_turn";
    for await (const part of result.fullStream) {
      await report(part);
      if (part.type === "tool-approval-request")
        questions.push({ approvalId: part.approvalId, toolCallId: part.toolCall.toolCallId });
      if (part.type === "finish" && part.finishReason !== "error")
        stopReason = STOP_REASONS[part.finishReason];
      if (part.type === "abort") return "cancelled";
      if (part.type === "error") throw forUser(part.error);
    }
    messages.push(...(await result.response).messages);
    if (questions.length === 0) return stopReason;
    const content: ToolApprovalResponse[] = [];
    for (const { approvalId, toolCallId } of questions)
      content.push({ type: "tool-approval-response", approvalId, approved: await ask(toolCallId) });
    session.signal.throwIfAborted();
    messages.push({ role: "tool", content });
  }
}

/** Returns the error for the client; foreign messages are withheld because they may contain secrets. */
function forUser(error: unknown): unknown {
  return error instanceof Error && error.name === "GatewayAuthenticationError"
    ? RpcError.internal("The AI Gateway needs AI_GATEWAY_API_KEY in the agent's environment.")
    : error;
}
