import type { Peer } from "./peer.js";
import { createPeers, type Library, type PeerOptions } from "./peers.js";

/** One thing that goes wrong, and what must become of it. */
export interface Fault {
  /** The number of the acceptance check. */
  readonly id: string;
  readonly fault: string;
  readonly asked: string;
  /** Lets it happen to a peer written with a library. */
  readonly run: (library: Library) => Promise<Outcome>;
}

export interface Outcome {
  /** The outcome, short enough for a table. */
  readonly figure: string;
  /** Effects that the case does not expect. */
  readonly mistakes: readonly string[];
}

/** One way in which a fault happens. */
export interface Case {
  readonly name: string;
  /** @returns what happened that was not asked for, or nothing */
  readonly run: (peer: Peer) => Promise<string | undefined>;
}

/** Runs cases on one peer; one that a case has brought down is followed by a new one. */
export async function runCases(
  library: Library,
  cases: readonly Case[],
  options?: PeerOptions,
): Promise<Outcome> {
  const peers = createPeers(library, options);
  const mistakes: string[] = [];
  try {
    for (const { name, run } of cases) {
      const runAndLive = async (peer: Peer): Promise<string | undefined> => {
        const mistake = await run(peer);
        await peer.ping();
        return mistake;
      };
      const mistake = await peers.use(runAndLive, (what) => what);
      if (mistake !== undefined) mistakes.push(`${name}: ${mistake}`);
    }
  } finally {
    await peers.end();
  }
  return { figure: `${cases.length - mistakes.length} of ${cases.length}`, mistakes };
}

/** Runs a script on a peer of its own, which does not outlive it. */
export async function withPeer(
  library: Library,
  options: PeerOptions,
  run: (peer: Peer) => Promise<Outcome>,
): Promise<Outcome> {
  const peers = createPeers(library, options);
  try {
    return await peers.use(run, (what) => ({ figure: what, mistakes: [what] }));
  } finally {
    await peers.end();
  }
}

/** The outcome of a script that counts: a figure, and each demand that it does not meet. */
export function createOutcome(figure: string, demands: Readonly<Record<string, boolean>>): Outcome {
  const mistakes = Object.keys(demands).filter((demand) => !demands[demand]);
  return { figure, mistakes };
}
