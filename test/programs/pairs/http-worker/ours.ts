import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MessageChannel } from "node:worker_threads";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createNodeHttpHandler } from "@agentclientprotocol/sdk/experimental/node";
import { CANCELLED, createAgent, createClient, portTransport } from "acp-bindings/v1";
import type { MessageStream, Transport } from "acp-bindings/v1";

const agent = createAgent({
  info: { name: "remote", version: "1.0.0" },
  handlers: {
    session: {
      new: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async (_, { session }) => {
        await session.text("Hello");
        return { stopReason: "end_turn" };
      },
    },
  },
});
const client = createClient({
  info: { name: "remote", version: "1.0.0" },
  handlers: { session: { requestPermission: () => CANCELLED } },
});

async function converse(name: string, transport: Transport | MessageStream) {
  await using connection = await client.connect(transport);
  const session = await connection.newSession({ cwd: "/" });
  console.log(name, (await session.prompt("Hi")).stopReason);
}

// HTTP: the server and the stream of the official SDK carry our roles.
const acp = new AcpServer({ agent });
const server = createServer(createNodeHttpHandler(acp)).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address() as AddressInfo;
await converse("http", createHttpStream(`http://127.0.0.1:${port}`));
await acp.close();
server.close();

// A worker, an iframe or a webview: any MessagePort.
const { port1, port2 } = new MessageChannel();
agent.connect(portTransport(port1));
await converse("worker", portTransport(port2));
