// Serves an agent with the web server of the runtime, connects to it, and prints the updates of a
// turn; runs on Node.js, Bun and Deno.
import process from "node:process";
import { connect, createHttpHandler, httpTransport } from "acp-bindings/remote";
import { createAgent, createClient } from "acp-bindings/v1";

const info = { name: "remote", version: "1" };
const agent = createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      prompt: async (_, { session }) => {
        for (let index = 0; index < 100; index++) await session.text(String(index));
        return { stopReason: "end_turn" };
      },
    },
  },
});
const acp = createHttpHandler({ serve: (transport) => agent.connect(transport) });
const url = `http://127.0.0.1:${await listen()}/acp`;
const counts = [];
for (const transport of [httpTransport(url), await connect(url)]) {
  let count = 0;
  const client = createClient({
    info,
    handlers: {
      session: {
        update: ({ update }) => void (Number(update.content.text) === count && count++),
        requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
      },
    },
  });
  const connection = await client.connect(transport);
  const session = await connection.newSession({ cwd: "/" });
  await session.prompt("Go");
  counts.push(count);
  connection.close();
  await connection.closed;
}
console.log(JSON.stringify(counts));
process.exit(0);

/** Listens on a port of this machine, which is returned. */
async function listen() {
  const { Deno, Bun } = globalThis;
  const place = { port: 0, hostname: "127.0.0.1" };
  if (Bun !== undefined) return Bun.serve({ ...place, fetch: acp.fetch, idleTimeout: 0 }).port;
  if (Deno !== undefined) {
    const serve = async (request) => {
      if (request.headers.get("Upgrade") !== "websocket") return acp.fetch(request);
      const checked = await acp.upgrade(request);
      if (checked instanceof Response) return checked;
      const { socket, response } = Deno.upgradeWebSocket(request);
      checked.accept(socket);
      return response;
    };
    return Deno.serve({ ...place, onListen: () => {} }, serve).addr.port;
  }
  const { createServer } = await import("node:http");
  const { nodeListener } = await import("acp-bindings/remote/node");
  const server = createServer(nodeListener(acp));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}
