import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stream } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { expect, test } from "vitest";
import type { Script } from "../scripts/script.js";
import { scriptOf } from "../scripts/script-of.js";
import type { Library } from "../transcript.js";
import { TextSocket, TextSocketServer } from "./web-socket.js";

/** The player of a script; see peers/player.mjs. */
interface Player {
  finish(): readonly string[];
}

/** A library of peers/. */
interface Peers {
  createAgent(
    profile: string,
    script: Script,
  ): Promise<{
    readonly player: Player;
    connect(stream: Stream): { readonly closed: Promise<void> };
  }>;
  playClient(profile: string, script: Script, stream: Stream): Promise<Player>;
}

const TRANSPORTS = [
  { transport: "HTTP", open: (url: string) => createHttpStream(url) },
  {
    transport: "WebSocket",
    open: (url: string) =>
      createWebSocketStream(url.replace("http:", "ws:"), { WebSocket: TextSocket }),
  },
] as const;

const PAIRS = [
  { title: "our client and an agent on the official SDK", client: "bindings", agent: "sdk" },
  { title: "a client on the official SDK and our agent", client: "sdk", agent: "bindings" },
  { title: "our client and our agent", client: "bindings", agent: "bindings" },
] as const;

const CONVERSATIONS = PAIRS.flatMap((pair) =>
  TRANSPORTS.flatMap((transport) =>
    ["v1", "v2"].map((profile) => ({ ...pair, ...transport, profile })),
  ),
);

test.each(CONVERSATIONS)(
  "$title play the whole script of $profile over the official SDK's $transport",
  async (conversation) => {
    const [ours, theirs] = await Promise.all([load(conversation.client), load(conversation.agent)]);
    const { script } = scriptOf(conversation.profile);
    const { player: agent, connect } = await theirs.createAgent(conversation.profile, script);
    const closed: Promise<void>[] = [];
    const server = new AcpServer({
      agent: {
        connect: (stream) => {
          // Releases differ in whether their streams have batches.
          const connection = connect(stream as never);
          closed.push(connection.closed);
          return connection;
        },
      },
    });
    const web = createServer(createNodeHttpHandler(server));
    web.on("upgrade", createNodeWebSocketUpgradeHandler(server, new TextSocketServer()));
    await once(web.listen(0, "127.0.0.1"), "listening");
    const { port } = web.address() as AddressInfo;

    const stream = conversation.open(`http://127.0.0.1:${port}/acp`);
    const client = await ours.playClient(conversation.profile, script, stream);
    expect(client.finish()).toEqual([]);
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
    expect(agent.finish()).toEqual([]);
    await server.close();
    web.closeAllConnections();
    web.close();
  },
);

async function load(library: Library): Promise<Peers> {
  const { href } = new URL(`../peers/on-${library}.mjs`, import.meta.url);
  return (await import(/* @vite-ignore */ href)) as Peers;
}
