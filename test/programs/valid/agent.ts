import { memoryPair } from "acp-bindings";
import {
  createAgent,
  validateContentBlock,
  type AgentHandlers,
  type ClientPeer,
} from "acp-bindings/v1";
import { stdio } from "acp-bindings/stdio";

// The types of params and context come from the method's name.
const agent = createAgent({
  info: { name: "echo", version: "1.0.0" },
  capabilities: { loadSession: true, promptCapabilities: { image: true } },
  handlers: {
    session: {
      new: ({ cwd, mcpServers }) => ({ sessionId: `${cwd}${mcpServers.length}` }),
      load: async () => ({}),
      prompt: async ({ sessionId, prompt }, { peer, signal }) => {
        // Only what this version knows can be sent on.
        for (const content of prompt.filter(validateContentBlock)) {
          if (signal.aborted) return { stopReason: "cancelled" };
          await peer.session.update({
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
  extensions: {
    "_example/ping": (params, { method }) => [method, params],
  },
});

export const served: Promise<void> = agent.connect(stdio()).closed;
export const [left] = memoryPair();
export const peer: ClientPeer = agent.connect(left).peer;

export async function ask(client: ClientPeer, sessionId: string): Promise<string> {
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
