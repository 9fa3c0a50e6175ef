import { createAgent, SessionStore, type Agent } from "#acp/v1";
import type { LanguageModel, ModelMessage } from "ai";
import { createCodingAgent } from "./coding-agent.js";
import { toUserMessage } from "./prompt.js";
import { runTurn } from "./turn.js";
import { createWorkspace } from "./workspace.js";

export interface AdapterOptions {
  readonly model: LanguageModel;
  /** The size of the model's context, in tokens; without it, clients get no report of its use. */
  readonly contextWindow?: number;
}

/** The state of a session. */
interface Conversation {
  readonly cwd: string;
  messages: readonly ModelMessage[];
}

/** Creates an ACP agent from one that is built on the AI SDK. */
export function createAdapter({ model, contextWindow }: AdapterOptions): Agent {
  const sessions = new SessionStore<Conversation>();
  return createAgent({
    info: { name: "adapter", version: "0.1.0" },
    capabilities: { promptCapabilities: { embeddedContext: true } },
    handlers: {
      session: {
        new: ({ cwd }) => ({ sessionId: sessions.create({ cwd, messages: [] }) }),
        prompt: async ({ prompt }, { session }) => {
          const conversation = sessions.get(session.id);
          const codingAgent = createCodingAgent(model, createWorkspace(conversation.cwd, session));
          const messages = [...conversation.messages, toUserMessage(prompt)];
          const stopReason = await runTurn(session, codingAgent, messages, contextWindow);
          // A cancelled turn is forgotten: half a turn would confuse the model.
          if (stopReason !== "cancelled") conversation.messages = messages;
          return { stopReason };
        },
      },
    },
  });
}
