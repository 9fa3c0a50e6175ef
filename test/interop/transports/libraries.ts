import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stream } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import type { Transport } from "acp-bindings";
import { createHttpHandler, httpTransport, webSocketTransport } from "acp-bindings/remote";
import { nodeListener, nodeUpgrade } from "acp-bindings/remote/node";
import { WebSocket, WebSocketServer } from "ws";
import { scriptOf } from "../scripts/script-of.js";
import type { Script } from "../scripts/script.js";

/** The player of a script; see ../peers/player.mjs. */
interface Player {
  finish(): readonly string[];
}

type Served = Transport | Stream;

interface Agent {
  readonly closed: Promise<void>;
}

/** A library of ../peers. */
interface Peers {
  createAgent(
    profile: string,
    script: Script,
  ): Promise<{ readonly player: Player; connect(transport: Served): Agent }>;
  playClient(profile: string, script: Script, transport: Served): Promise<Player>;
}

export const LIBRARIES = ["bindings", "sdk"] as const;

export type Library = (typeof LIBRARIES)[number];

export const CLIENTS: {
  readonly [kind: string]: { readonly [library in Library]: (url: string) => Served };
} = {
  HTTP: { bindings: (url) => httpTransport(url), sdk: (url) => createHttpStream(url) },
  WebSocket: {
    bindings: (url) => webSocketTransport(new WebSocket(url.replace("http:", "ws:"))),
    sdk: (url) => createWebSocketStream(url.replace("http:", "ws:"), { WebSocket }),
  },
};

/** How each library serves agents over both transports. */
const SERVERS: { readonly [library in Library]: (connect: (served: Served) => Agent) => Server } = {
  bindings: (connect) => {
    const handler = createHttpHandler({ serve: connect });
    const sockets = new WebSocketServer({ noServer: true });
    return createServer(nodeListener(handler)).on("upgrade", nodeUpgrade(handler, sockets));
  },
  sdk: (connect) => {
    // Releases differ in whether their streams have batches.
    const server = new AcpServer({
      agent: { connect: (stream) => connect(stream as never) as never },
    });
    const sockets = new WebSocketServer({ noServer: true });
    return createServer(createNodeHttpHandler(server)).on(
      "upgrade",
      createNodeWebSocketUpgradeHandler(server, sockets),
    );
  },
};

/** An agent behind a server, for one conversation. */
export interface PlayedAgent {
  readonly url: string;
  /** Waits for the end of the connection, and returns what did not go as the script says. */
  finish(): Promise<readonly string[]>;
}

/** Serves the agent of a profile's script. */
export async function serveAgent(
  profile: string,
  { serves, agent }: { readonly serves: Library; readonly agent: Library },
): Promise<PlayedAgent> {
  const peers = await load(agent);
  const { player, connect } = await peers.createAgent(profile, scriptOf(profile).script);
  const closed: Promise<void>[] = [];
  const web = SERVERS[serves]((served) => {
    const connection = connect(fit(served, agent));
    closed.push(connection.closed);
    return connection;
  });
  await once(web.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/acp`,
    finish: async () => {
      await Promise.all(closed);
      web.closeAllConnections();
      web.close();
      return closed.length === 1 ? player.finish() : [`${closed.length} connections`];
    },
  };
}

/** Plays the client of a profile's script, and returns what did not go as the script says. */
export async function playClient(
  profile: string,
  url: string,
  given: { readonly kind: string; readonly opens: Library; readonly client: Library },
): Promise<readonly string[]> {
  const { kind, opens, client } = given;
  const peers = await load(client);
  const opened = fit(CLIENTS[kind]![opens](url), client);
  const player = await peers.playClient(profile, scriptOf(profile).script, opened);
  return player.finish();
}

/** Returns a transport as a library takes it. */
function fit(served: Served, library: Library): Served {
  return library === "sdk" && "start" in served ? toStream(served) : served;
}

async function load(library: Library): Promise<Peers> {
  const { href } = new URL(`../peers/on-${library}.mjs`, import.meta.url);
  return (await import(/* @vite-ignore */ href)) as Peers;
}

/** Returns a pair of streams for the official SDK from one of our transports. */
function toStream(transport: Transport): Stream {
  let isOpen = true;
  const readable = new ReadableStream<unknown>({
    start: (controller) =>
      transport.start({
        message: (value) => controller.enqueue(value),
        invalid: (code, text) => controller.error(new Error(`${code} ${text}`)),
        close: (error) => {
          if (isOpen && error === undefined) controller.close();
          else controller.error(error);
        },
      }),
    cancel: () => {
      isOpen = false;
      transport.close();
    },
  });
  const writable = new WritableStream<object>({
    write: (message) => transport.send(message),
    close: () => transport.close(),
    abort: () => transport.close(),
  });
  return { readable, writable } as Stream;
}
