import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler } from "#acp/remote";
import { nodeListener } from "#acp/remote/node";
import { agent } from "./agent.js";

/**
 * Serves the agent over HTTP to programs on this machine. Before others may call it, they have to
 * be authenticated.
 *
 * @param port 0 for any free one
 */
export function serve(port: number): void {
  const acp = createHttpHandler({ serve: (transport) => agent.connect(transport) });
  const server = createServer(nodeListener(acp)).listen(port, "127.0.0.1", () => {
    console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`);
  });
  // Turns that are running may end.
  const end = (): void => void acp.drain(10_000).then(() => process.exit());
  process.once("SIGINT", end).on("SIGTERM", end);
}
