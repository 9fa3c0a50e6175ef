import type { RpcError } from "acp-bindings";
import {
  createClient,
  type AgentPeer,
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

export async function talk(stream: MessageStream): Promise<InitializeResponse> {
  const connection = client.connect(stream);
  const answer = await connection.initialize();
  const { sessionId } = await connection.peer.session.new({ cwd: "/", mcpServers: [] });
  const { stopReason } = await connection.peer.session.prompt({
    sessionId,
    prompt: [{ type: "text", text: "Hello" }],
  });
  if (stopReason === "refusal") await connection.peer.session.cancel({ sessionId });
  connection.close();
  await connection.closed;
  return answer;
}

export function list(agent: AgentPeer): Promise<ListSessionsResponse> {
  return agent.session.list({}, { signal: new AbortController().signal });
}

export function describe(error: RpcError): string {
  return `${error.code.toFixed()}: ${error.message}`;
}
