import { spawn } from "node:child_process";
import { PYTHON, PYTHON_ENV } from "../../python/python-env.js";
import { ROOT } from "../../support/paths.js";
import { facts } from "../facts.js";
import type { Side } from "../transcript.js";
import { Peer, PeerClosed } from "./peer.js";

export type Library = "ours" | "sdk" | "python";

export interface PeerOptions {
  /** The peer's side; an agent when absent. */
  readonly role?: Side;
  /** The limits of its connection, where the library has any. */
  readonly limits?: Readonly<Record<string, number>>;
}

const COMMANDS: Record<Library, readonly [string, ...string[]]> = {
  ours: [process.execPath, "--expose-gc", `${ROOT}test/interop/peers/bindings-faults.mjs`],
  sdk: [process.execPath, "--expose-gc", `${ROOT}test/interop/peers/sdk-faults.mjs`],
  python: [PYTHON, `${ROOT}test/python/programs/faults.py`],
};

/** In milliseconds; ours are asserted, on however busy a machine. */
const TIMEOUT_MS: Record<Library, number> = {
  ours: 10_000,
  sdk: 2_000,
  python: 10_000,
};

/** One peer for many tries; a new one takes its place when a try has brought it down. */
export interface Peers {
  /** @param onClosed creates the result of a run that has ended the peer */
  readonly use: <T>(run: (peer: Peer) => Promise<T>, onClosed: (what: string) => T) => Promise<T>;
  readonly end: () => Promise<void>;
}

export function createPeers(library: Library, options: PeerOptions = {}): Peers {
  let peer: Peer | undefined;
  const end = async (): Promise<void> => {
    await peer?.kill();
    peer = undefined;
  };
  return {
    use: async (run, onClosed) => {
      peer ??= await startPeer(library, options);
      try {
        return await run(peer);
      } catch (error) {
        if (!(error instanceof PeerClosed)) throw error;
        await end();
        return onClosed(error.message);
      }
    },
    end,
  };
}

/** Starts a peer and makes it through the handshake. */
async function startPeer(library: Library, options: PeerOptions = {}): Promise<Peer> {
  const given = JSON.stringify({ role: "agent", ...options });
  const [program, ...args] = COMMANDS[library];
  const child = spawn(program, [...args, given], { env: PYTHON_ENV });
  const peer = new Peer(child, 60_000);
  const { clientInfo, clientCapabilities, agentInfo, agentCapabilities, authMethods } = facts;
  if (options.role === "client") {
    const hello = await peer.message(({ method }) => method === "initialize");
    peer.answer(hello, { protocolVersion: 1, agentInfo, agentCapabilities, authMethods });
  } else {
    await peer.request("initialize", { protocolVersion: 1, clientInfo, clientCapabilities });
  }
  await peer.ping();
  peer.timeoutMs = TIMEOUT_MS[library];
  return peer;
}
