import type { TranscriptEntry } from "acp-bindings/conformance";
import type { Random } from "../../../../use/samples/random.js";
import { openCore, type OpenCore } from "../open-core.js";
import { HELLO } from "../hello.js";
import type { Message, Side, Version } from "./messages.js";

/** A peer that keeps the rules of its version, and does something allowed at any time. */
export interface Actor {
  /** Takes a message, in the order in which they were sent. */
  readonly take: (message: Message) => void;
  /** Does the next thing, if there is one. */
  readonly act: () => void;
  /** Does nothing new; the work that goes on is brought to its end. */
  readonly finish: () => void;
}

/** What a peer needs. */
export interface Peer {
  readonly random: Random;
  readonly send: (message: object) => void;
  /** Sends a request. Calls back with its response. */
  readonly request: (
    method: string,
    params: object,
    answered: (message: Message) => void,
  ) => unknown;
}

/** A conversation through a bridge in which every message is on its way for some time. */
export interface Simulation {
  readonly transcripts: { readonly [side in Side]: readonly TranscriptEntry[] };
  readonly losses: OpenCore["losses"];
  /** Requests that have no response. */
  readonly waiting: () => readonly unknown[];
}

type Create = (peer: Peer) => Actor;

/** Draws what an agent of version 1 answers to `initialize`, which may lack what every agent of version 2 has. */
function helloOf(random: Random): object {
  const { agentCapabilities } = HELLO.agent1;
  const own = Object.entries(agentCapabilities.sessionCapabilities).filter(() =>
    random.chance(0.5),
  );
  const loadSession = random.chance(0.5);
  return {
    ...HELLO.agent1,
    agentCapabilities: { loadSession, sessionCapabilities: Object.fromEntries(own) },
  };
}

/** Runs a conversation with the given peers, which do so many things. */
export function simulate(
  version: Version,
  random: Random,
  actors: { readonly [side in Side]: Create },
  steps: number,
  advance: (milliseconds: number) => void,
): Simulation {
  const hello1 = helloOf(random);
  const { core, sent, losses } = openCore(version, version === 1 ? undefined : hello1);
  const transcripts: { readonly [side in Side]: TranscriptEntry[] } = { client: [], agent: [] };
  for (const side of ["client", "agent"] as const) {
    const isFirst = (side === "client") === (version === 1);
    const [params, result] = isFirst
      ? [HELLO.client1, version === 1 ? HELLO.agent1 : hello1]
      : [HELLO.client2, HELLO.agent2];
    const hello = { jsonrpc: "2.0", id: "hello", method: "initialize", params };
    transcripts[side].push(
      { from: "client", message: hello },
      { from: "agent", message: { jsonrpc: "2.0", id: "hello", result } },
    );
  }
  const toBridge: { readonly [side in Side]: object[] } = { client: [], agent: [] };
  const pending = new Map<string, (message: Message) => void>();
  let last = 0;
  const peerOf = (side: Side): Peer => {
    const send = (message: object): void => {
      const whole = { jsonrpc: "2.0", ...message };
      transcripts[side].push({ from: side, message: whole });
      toBridge[side].push(whole);
    };
    return {
      random,
      send,
      request: (method, params, answered) => {
        const id = `${side}-${++last}`;
        pending.set(`${side} ${id}`, answered);
        send({ id, method, params });
        return id;
      },
    };
  };
  const peers = { client: actors.client(peerOf("client")), agent: actors.agent(peerOf("agent")) };
  const deliver = (side: Side): void => {
    const message = sent[side].shift();
    if (message === undefined) return;
    transcripts[side].push({ from: side === "client" ? "agent" : "client", message });
    const key = `${side} ${String(message["id"])}`;
    if (message["method"] !== undefined) return peers[side].take(message);
    const answered = pending.get(key);
    pending.delete(key);
    answered?.(message);
  };
  const moves: readonly (() => void)[] = (["client", "agent"] as const).flatMap((side) => [
    () => peers[side].act(),
    () => deliver(side),
    () => {
      const message = toBridge[side].shift();
      if (message === undefined) return;
      if (side === "client") core.fromClient(message);
      else core.fromAgent(message);
    },
  ]);
  const run = (count: number): void => {
    for (let step = 0; step < count; step++) {
      random.pick(moves)();
      if (random.chance(0.02)) advance(random.below(600));
    }
  };
  run(steps);
  peers.client.finish();
  peers.agent.finish();
  run(2000);
  advance(10_000);
  run(200);
  return { transcripts, losses, waiting: () => [...pending.keys()] };
}
