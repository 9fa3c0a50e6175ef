import { RpcError } from "#acp";
import { createAgent, type Agent } from "#acp/v1";
import type { LanguageModel, ModelMessage } from "ai";
import { createCodingAgent, type CodingAgent } from "./coding-agent.js";
import { toUserMessage } from "./prompt.js";
import { runTurn } from "./turn.js";
import { createWorkspace } from "./workspace.js";

export interface AdapterOptions {
  readonly model: LanguageModel;
  /** How many tokens the model's context holds; without it clients are not told how full it is. */
  readonly contextWindow?: number;
}

/** A conversation: the agent that works for it, and what has been said. */
interface Session {
  readonly codingAgent: CodingAgent;
  readonly messages: readonly ModelMessage[];
}

/** Makes an agent for ACP of one that is built on the AI SDK. */
export function createAdapter({ model, contextWindow }: AdapterOptions): Agent {
  const sessions = new Map<string, Session>();
  return createAgent({
    info: { name: "adapter", version: "0.1.0" },
    capabilities: { promptCapabilities: { embeddedContext: true } },
    handlers: {
      session: {
        new: ({ cwd }, { client }) => {
          const sessionId = crypto.randomUUID();
          const workspace = createWorkspace({ sessionId, cwd, client });
          sessions.set(sessionId, {
            codingAgent: createCodingAgent(model, workspace),
            messages: [],
          });
          return { sessionId };
        },
        prompt: async ({ sessionId, prompt }, { client, signal }) => {
          const session = sessions.get(sessionId);
          if (session === undefined) {
            throw RpcError.resourceNotFound("No such session", { sessionId });
          }
          const { codingAgent } = session;
          const { stopReason, messages } = await runTurn({
            codingAgent,
            messages: [...session.messages, toUserMessage(prompt)],
            sessionId,
            client,
            signal,
            contextWindow,
          });
          // A turn that was cancelled is forgotten: half a turn would confuse the model.
          if (stopReason !== "cancelled") sessions.set(sessionId, { codingAgent, messages });
          return { stopReason };
        },
        // The turn's signal is aborted already.
        cancel: () => {},
      },
    },
  });
}
