// A prompt turn on the generated bindings, with everything that is on by default.

import { createServer } from "node:http";
import { memoryTransports } from "acp-bindings";
import { createHttpHandler, httpTransport, webSocketTransport } from "acp-bindings/remote";
import { nodeListener, nodeUpgrade } from "acp-bindings/remote/node";
import { spawnAgent, stdio } from "acp-bindings/stdio";
import { createAgent, createClient, defineNotification, defineRequest } from "acp-bindings/v1";
import { WebSocket, WebSocketServer } from "ws";
import { listen, startServer } from "./server-process.mjs";

const info = { name: "bench", version: "1.0.0" };

function makeAgent({ prompt, usage }) {
  return createAgent({
    info,
    handlers: {
      session: {
        new: () => ({ sessionId: "s-1" }),
        prompt: (params, { client }) => prompt(params, client.session.update),
        cancel: () => {},
      },
    },
    extensions: [defineRequest({ method: "_bench/usage" }).handle(usage)],
  });
}

function makeClient({ update, others }) {
  return createClient({
    info,
    // What the updates of the mix need.
    capabilities: {
      terminal: true,
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    },
    handlers: {
      session: { update, requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
      terminal: {
        create: () => ({ terminalId: "t" }),
        output: () => ({ output: "", truncated: false }),
        release: () => {},
        waitForExit: () => ({}),
        kill: () => {},
      },
    },
    extensions: others.map((method) => defineNotification({ method }).handle(() => {})),
  });
}

async function open(client, transport, kill) {
  const connection = await client.connect(transport);
  return {
    prompt: (params) => connection.agent.session.prompt(params),
    usage: () => connection.agent.request("_bench/usage", {}),
    close: () => {
      connection.close();
      kill?.();
    },
  };
}

export function connectInMemory(agent, client) {
  const [left, right] = memoryTransports();
  makeAgent(agent).connect(right);
  return open(makeClient(client), left);
}

export function connectToProcess(command, args, client) {
  const agent = spawnAgent(command, args);
  return open(makeClient(client), agent, agent.kill);
}

export function serve(agent) {
  makeAgent(agent).connect(stdio());
}

export async function connectToServer(kind, command, args, client) {
  const { url, kill } = await startServer(command, args);
  const transport =
    kind === "http"
      ? httpTransport(url)
      : webSocketTransport(new WebSocket(url.replace("http:", "ws:")));
  return open(makeClient(client), transport, kill);
}

export function serveRemotely(agent) {
  const served = makeAgent(agent);
  const handler = createHttpHandler({ serve: (transport) => served.connect(transport) });
  const web = createServer(nodeListener(handler));
  listen(web.on("upgrade", nodeUpgrade(handler, new WebSocketServer({ noServer: true }))));
}
