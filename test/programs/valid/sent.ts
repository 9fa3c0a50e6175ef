import {
  createAgent,
  createClient,
  type Diff,
  type PlanEntry,
  type PromptRequest,
} from "acp-bindings/v1";
import { createAgent as createAgent2, type ConnectedClient } from "acp-bindings/v2";

// An optional property may be `undefined`, and a list may be readonly.
export const diff = (path: string, oldText: string | undefined): Diff => ({
  path,
  oldText,
  newText: "",
});
export const prompt = (sessionId: string, texts: readonly string[]): PromptRequest => ({
  sessionId,
  prompt: texts.map((text) => ({ type: "text", text, annotations: undefined }) as const),
});
const entries: readonly PlanEntry[] = [{ content: "a", priority: "high", status: "pending" }];

// Handlers of notifications may be omitted, and results without required members too.
export const agent = createAgent({
  info: { name: "agent", version: "1.0.0" },
  capabilities: { loadSession: true, sessionCapabilities: { close: {} } },
  authMethods: [{ id: "login", name: "Log in" }],
  handlers: {
    authenticate: () => {},
    session: {
      new: () => ({ sessionId: "s" }),
      load: async () => {},
      close: async ({ sessionId }) => {
        await Promise.resolve(sessionId);
      },
      prompt: async ({ sessionId }, { client }) => {
        await client.session.update({ sessionId, update: { sessionUpdate: "plan", entries } });
        return { stopReason: "end_turn" };
      },
    },
  },
});
export const client = createClient({
  info: { name: "client", version: "1.0.0" },
  handlers: { session: { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) } },
});

// The agent has advertised this itself, so that its calls are not optional.
export const ask = (client: ConnectedClient, sessionId: string): Promise<void> =>
  client.session.update({ sessionId, update: { sessionUpdate: "state_update", state: "running" } });
export const agent2 = createAgent2({
  info: { name: "agent", version: "1.0.0" },
  capabilities: { session: {} },
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      list: () => ({ sessions: [] }),
      resume: () => {},
      close: () => {},
      prompt: async ({ sessionId }, { client }) => {
        await ask(client, sessionId);
        await client.session.requestPermission({ sessionId, title: "May I?", options: [] });
        return { messageId: "m" };
      },
    },
  },
});
