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
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { Script } from "../scripts/script.js";
import { scriptOf } from "../scripts/script-of.js";
import { toStream } from "./to-stream.js";

/** The player of a script; see peers/player.mjs. */
interface Player {
  finish(): readonly string[];
}

type Served = Transport | Stream;

interface Agent {
  readonly closed: Promise<void>;
}

/** A library of peers/. */
interface Peers {
  createAgent(
    profile: string,
    script: Script,
  ): Promise<{ readonly player: Player; connect(transport: Served): Agent }>;
  playClient(profile: string, script: Script, transport: Served): Promise<Player>;
}

const LIBRARIES = ["bindings", "sdk"] as const;

type Library = (typeof LIBRARIES)[number];

const CLIENTS: {
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

/** The libraries of a conversation. */
interface Parts {
  /** That of the transport of the client, and that of the server. */
  readonly opens: Library;
  readonly serves: Library;
  /** Those of both roles. */
  readonly client: Library;
  readonly agent: Library;
}

const PARTS: readonly Parts[] = LIBRARIES.flatMap((opens) =>
  LIBRARIES.flatMap((serves) =>
    LIBRARIES.flatMap((client) => LIBRARIES.map((agent) => ({ opens, serves, client, agent }))),
  ),
);

const CONVERSATIONS = PARTS.filter((parts) => Object.values(parts).includes("bindings")).flatMap(
  (parts) =>
    Object.keys(CLIENTS).flatMap((kind) =>
      ["v1", "v2"].map((profile) => ({ ...parts, kind, profile })),
    ),
);

test.each(CONVERSATIONS)(
  "$kind opened by $opens and served by $serves: a client on $client and an agent on $agent play the whole script of $profile",
  async ({ kind, opens, serves, client, agent, profile }) => {
    const [ours, theirs] = await Promise.all([load(client), load(agent)]);
    const { script } = scriptOf(profile);
    const { player, connect } = await theirs.createAgent(profile, script);
    const closed: Promise<void>[] = [];
    const web = SERVERS[serves]((served) => {
      const connection = connect(fit(served, agent));
      closed.push(connection.closed);
      return connection;
    });
    await once(web.listen(0, "127.0.0.1"), "listening");
    const { port } = web.address() as AddressInfo;

    const opened = CLIENTS[kind]![opens](`http://127.0.0.1:${port}/acp`);
    const played = await ours.playClient(profile, script, fit(opened, client));
    expect(played.finish()).toEqual([]);
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
    expect(player.finish()).toEqual([]);
    web.closeAllConnections();
    web.close();
  },
);

/** Returns a transport as a library takes it. */
function fit(served: Served, library: Library): Served {
  return library === "sdk" && "start" in served ? toStream(served) : served;
}

async function load(library: Library): Promise<Peers> {
  const { href } = new URL(`../peers/on-${library}.mjs`, import.meta.url);
  return (await import(/* @vite-ignore */ href)) as Peers;
}
