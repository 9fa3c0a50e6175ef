import { defineRequest, type RpcError } from "acp-bindings";
import {
  createClient,
  type ConnectedAgent,
  type ClientHandlers,
  type InitializeResponse,
  type ListSessionsResponse,
} from "acp-bindings/v1";
import type { MessageStream } from "acp-bindings";

const client = createClient({
  info: { name: "editor", version: "1.0.0" },
  capabilities: { fs: { readTextFile: true } },
  handlers: {
    session: {
      update: ({ update }) => console.log(update.sessionUpdate),
      requestPermission: ({ options }) => ({
        outcome:
          options[0] === undefined
            ? { outcome: "cancelled" }
            : { outcome: "selected", optionId: options[0].optionId },
      }),
    },
    fs: { readTextFile: async ({ path }) => ({ content: path }) },
  },
  onError: (error, { method }) => console.error(method, error),
});

export async function converse(stream: MessageStream): Promise<InitializeResponse> {
  const connection = await client.connect(stream);
  const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
  const { stopReason } = await connection.agent.session.prompt({
    sessionId,
    prompt: [{ type: "text", text: "Hello" }],
  });
  if (stopReason === "refusal") await connection.agent.session.cancel({ sessionId });
  connection.close();
  await connection.closed;
  return connection.handshake.response;
}

// A method that the agent may lack is asked for first, or called by name, which fails without it.
export function list(agent: ConnectedAgent): Promise<ListSessionsResponse> {
  const options = { signal: new AbortController().signal, timeout: 1000 };
  return agent.session.list?.({}, options) ?? agent.request("session/list", {}, options);
}

// Updates can be handled by variant.
export const byVariant: ClientHandlers["session"]["update"] = {
  agent_message_chunk: ({ content }, { sessionId }) => console.log(sessionId, content.type),
  plan: ({ entries }) => console.log(entries.length),
  _acme_progress: (update) => console.log(update["percent"]),
  "*": (update) => console.log(update.sessionUpdate),
};

interface Review {
  readonly path: string;
}

// Methods outside the protocol have their own types.
export const review = defineRequest<Review, { readonly verdict: string }>({
  method: "_acme.dev/review",
  advertise: { "acme.dev": { review: true } },
});

export const reviewing = createClient({
  info: { name: "editor", version: "1.0.0" },
  handlers: { session: { update: byVariant, requestPermission: () => cancelled } },
  extensions: [review.handle(({ path }) => ({ verdict: path }))],
  onAuthRequired: async (error, { agent }) => {
    await agent.authenticate({ methodId: error.message });
    return true;
  },
});

export async function ask(agent: ConnectedAgent): Promise<string> {
  const { verdict } = await agent.request(review, { path: "/a" });
  return verdict;
}

const cancelled = { outcome: { outcome: "cancelled" } } as const;

export function describe(error: RpcError): string {
  return `${error.code.toFixed()}: ${error.message}`;
}
