import type { AgentContext, ToolCall, ToolCallUpdate } from "#acp/v1";

/** A tool call that the client has been told of. */
export interface ToolCallHandle {
  readonly id: string;
  /** Tells what has changed; what is left out stays as it is. */
  update(change: Omit<ToolCallUpdate, "toolCallId">): Promise<void>;
  /** Tells that it has ended without success, and why. */
  fail(reason: string): Promise<void>;
}

/** Tells the client of a tool call. It begins once; everything later is an update. */
export async function beginToolCall(
  { client }: AgentContext,
  sessionId: string,
  facts: Omit<ToolCall, "toolCallId">,
): Promise<ToolCallHandle> {
  const toolCallId = crypto.randomUUID();
  await client.session.update({
    sessionId,
    update: { sessionUpdate: "tool_call", toolCallId, status: "pending", ...facts },
  });
  const update: ToolCallHandle["update"] = (change) =>
    client.session.update({
      sessionId,
      update: { sessionUpdate: "tool_call_update", toolCallId, ...change },
    });
  return {
    id: toolCallId,
    update,
    fail: (reason) =>
      update({
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: reason } }],
      }),
  };
}
