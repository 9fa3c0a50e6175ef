import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const echo = agent({ name: "echo" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    for (const content of prompt) {
      if (content.type !== "text") continue;
      const update = { sessionUpdate: "agent_message_chunk" as const, content };
      await client.notify(methods.client.session.update, { sessionId, update });
    }
    return { stopReason: "end_turn" };
  });
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
await echo.connect(ndJsonStream(Writable.toWeb(process.stdout), input)).closed;
