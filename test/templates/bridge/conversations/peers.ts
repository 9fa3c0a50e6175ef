import * as sdk1 from "@agentclientprotocol/sdk";
import * as sdk2 from "@agentclientprotocol/sdk/experimental/v2";
import type { BridgeOptions } from "acp-bindings/bridge";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { HELLO } from "../wire.js";

type Stream = BridgeOptions["client"];
type Params = { readonly [name: string]: unknown };

/** A side's way to the other, by the names of methods on the wire. */
export interface Peer {
  readonly request: (method: string, params: Params) => Promise<Params>;
  readonly notify: (method: string, params: Params) => Promise<void>;
}

type Handle = (params: Params, peer: Peer) => unknown;

/** The handlers of a side, by method. */
export interface Behaviour {
  readonly requests: { readonly [method: string]: Handle };
  readonly notifications: { readonly [method: string]: Handle };
}

/** Connects a side that is written with one of the libraries. */
export type Connect = (stream: Stream, behaviour: Behaviour) => Promise<Peer>;

const info = { name: "peer", version: "1" };

/** The official SDK and our bindings, in both roles and versions. */
export const LIBRARIES: {
  readonly [library: string]: { readonly [role: string]: Connect };
} = {
  "the official SDK": {
    client1: (stream, behaviour) =>
      onSdk(sdk1.client({ name: "client" }), "agent", stream, behaviour, HELLO.client1),
    client2: (stream, behaviour) =>
      onSdk(sdk2.client({ name: "client" }), "agent", stream, behaviour, HELLO.client2),
    agent1: (stream, behaviour) =>
      onSdk(sdk1.agent({ name: "agent" }), "client", stream, withHello(behaviour, HELLO.agent1)),
    agent2: (stream, behaviour) =>
      onSdk(sdk2.agent({ name: "agent" }), "client", stream, withHello(behaviour, HELLO.agent2)),
  },
  "our bindings": {
    client1: async (stream, behaviour) => {
      const { session } = handlersOf(behaviour);
      const client = v1.createClient({
        info,
        capabilities: { session: { notices: {} } },
        handlers: { session },
      } as never);
      return (await client.connect(stream as never)).agent as unknown as Peer;
    },
    client2: async (stream, behaviour) => {
      const { session } = handlersOf(behaviour);
      const client = v2.createClient({ info, handlers: { session } } as never);
      return (await client.connect(stream as never)).agent as unknown as Peer;
    },
    agent1: async (stream, behaviour) => {
      const connection = v1
        .createAgent({ info, handlers: handlersOf(behaviour) } as never)
        .connect(stream as never);
      return connection.client as unknown as Peer;
    },
    agent2: async (stream, behaviour) => {
      const options = {
        info,
        capabilities: { session: { mcp: { stdio: {} } } },
        handlers: handlersOf(behaviour),
      };
      return v2.createAgent(options as never).connect(stream as never).client as unknown as Peer;
    },
  },
};

interface SdkApp {
  onRequest(method: string, handle: (call: { readonly params: unknown }) => unknown): unknown;
  onNotification(method: string, handle: (call: { readonly params: unknown }) => unknown): unknown;
  connect(stream: unknown): { readonly [role: string]: unknown };
}

async function onSdk(
  given: unknown,
  role: "agent" | "client",
  stream: Stream,
  { requests, notifications }: Behaviour,
  hello?: object,
): Promise<Peer> {
  const app = given as SdkApp;
  let peer: Peer | undefined;
  for (const [method, handle] of Object.entries(requests))
    app.onRequest(method, ({ params }) => handle(params as Params, peer!));
  for (const [method, handle] of Object.entries(notifications))
    app.onNotification(method, ({ params }) => handle(params as Params, peer!));
  peer = app.connect(stream)[role] as Peer;
  if (hello !== undefined) await peer.request("initialize", hello as Params);
  return peer;
}

function withHello(behaviour: Behaviour, hello: object): Behaviour {
  return { ...behaviour, requests: { initialize: () => hello, ...behaviour.requests } };
}

/** Returns the handlers of a session in the form of our bindings. */
function handlersOf({ requests, notifications }: Behaviour): { readonly session: object } {
  const entries = Object.entries({ ...requests, ...notifications }).map(([method, handle]) => {
    const name = method
      .split("/")[1]!
      .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [
      name,
      (params: Params, context: { readonly client: Peer }) => handle(params, context.client),
    ] as const;
  });
  return { session: Object.fromEntries(entries) };
}
