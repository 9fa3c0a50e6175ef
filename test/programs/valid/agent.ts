import { defineRequest, memoryTransports } from "acp-bindings";
import { createAgent, schemas, type AgentHandlers, type ConnectedClient } from "acp-bindings/v1";
import { stdio } from "acp-bindings/stdio";

// The types of params and context come from the method's name.
const agent = createAgent({
  info: { name: "echo", version: "1.0.0" },
  capabilities: { loadSession: true, promptCapabilities: { image: true } },
  handlers: {
    session: {
      new: ({ cwd, mcpServers }) => ({ sessionId: `${cwd}${mcpServers.length}` }),
      load: async () => ({}),
      prompt: async ({ sessionId, prompt }, { client, signal }) => {
        // Only what this version knows can be sent on.
        for (const content of prompt.filter(schemas.ContentBlock.is)) {
          if (signal.aborted) return { stopReason: "cancelled" };
          await client.session.update({
            sessionId,
            update: { sessionUpdate: "agent_message_chunk", content },
          });
        }
        return { stopReason: "end_turn" };
      },
      cancel: ({ sessionId }) => {
        sessionId.trim();
      },
    },
  },
  extensions: [
    defineRequest({ method: "_example/ping" }).handle((params, { method }) => [method, params]),
  ],
});

export const served: Promise<void> = agent.connect(stdio()).closed;
export const [left] = memoryTransports();
export const connected: ConnectedClient = agent.connect(left).client;

export async function ask(client: ConnectedClient, sessionId: string): Promise<string> {
  const answer = await client.session.requestPermission(
    { sessionId, toolCall: { toolCallId: "t1" }, options: [] },
    { signal: AbortSignal.timeout(1000) },
  );
  await client.notify("_example/asked", {});
  return answer.outcome.outcome === "selected" ? answer.outcome.optionId : "";
}

// Handlers can be written as a value of their own.
export const handlers: AgentHandlers = {
  authenticate: () => ({}),
  session: {
    new: async () => Promise.resolve({ sessionId: "s1" }),
    prompt: () => ({ stopReason: "refusal" }),
    cancel: () => {},
  },
};
