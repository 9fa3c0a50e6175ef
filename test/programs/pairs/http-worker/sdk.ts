import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { agent, client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createNodeHttpHandler } from "@agentclientprotocol/sdk/experimental/node";

const remote = agent({ name: "remote" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
    const content = { type: "text" as const, text: "Hello" };
    const update = { sessionUpdate: "agent_message_chunk" as const, content };
    await client.notify(methods.client.session.update, { sessionId, update });
    return { stopReason: "end_turn" };
  });
const local = client({ name: "remote" }).onRequest(
  methods.client.session.requestPermission,
  () => ({ outcome: { outcome: "cancelled" } }),
);

async function converse(name: string, stream: Stream) {
  await local.connectWith(stream, async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
    await agent.buildSession("/").withSession(async (session) => {
      console.log(name, (await session.prompt("Hi")).stopReason);
    });
  });
}

const acp = new AcpServer({ agent: remote });
const server = createServer(createNodeHttpHandler(acp)).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address() as AddressInfo;
await converse("http", createHttpStream(`http://127.0.0.1:${port}`));
await acp.close();
server.close();

// The SDK has no stream over a MessagePort.
function portStream(port: MessagePort): Stream {
  return {
    readable: new ReadableStream<AnyMessage>({
      start: (controller) => {
        port.on("message", (message: AnyMessage) => controller.enqueue(message));
      },
      cancel: () => port.close(),
    }),
    writable: new WritableStream<AnyMessage>({
      write: (message) => port.postMessage(message),
      close: () => port.close(),
    }),
  };
}
const { port1, port2 } = new MessageChannel();
remote.connect(portStream(port1));
await converse("worker", portStream(port2));
port1.close();
