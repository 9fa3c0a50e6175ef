import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { schedule, type Rounds } from "../interleave.js";

/** The properties of a turn. */
export interface TurnRequest {
  /** How many updates the agent sends. */
  readonly count: number;
  /** Whether the heap is measured after a tenth of the updates and after all. */
  readonly withHeap?: boolean;
  /** Whether the young generation is emptied first, so that `grown` is what the turn has allocated. */
  readonly collectFirst?: boolean;
}

/** The cost of a turn; times in microseconds, sizes in bytes. */
export interface Turn {
  /** CPU time of the client's process per update. */
  readonly client: number;
  /** CPU time of the agent's process per update. */
  readonly agent: number;
  /** How much more heap the client's process uses after the turn, per update. */
  readonly grown: number;
  /** Updates that had not reached their handler when the prompt's promise resolved. */
  readonly late: number;
  /** Heap in use after a full collection; absent unless asked for. */
  readonly heap: HeapMarks;
  readonly agentHeap: HeapMarks;
}

/** Heap in use after a tenth of the updates and after all. */
export interface HeapMarks {
  readonly early?: number;
  readonly end?: number;
}

/** A client with its agent, ready to take turns. */
export interface Implementation {
  readonly name: string;
  take(request: TurnRequest): Promise<Turn>;
  stop(): void;
}

export const OURS = "ours";
export const SDK = "official SDK";
export const BASELINE = "bare loop";

const MODULES = [
  [OURS, "ours"],
  [SDK, "sdk"],
  [BASELINE, "baseline"],
] as const;

const SCRIPT = fileURLToPath(new URL("client.mjs", import.meta.url));

/**
 * Starts every implementation, each in a process of its own.
 *
 * @param flags for Node, in all processes
 */
export function startImplementations(
  handlers: number,
  updates: string,
  flags: readonly string[] = [],
): Promise<Implementation[]> {
  const start = async (name: string, file: string): Promise<Implementation> => {
    const module = new URL(`implementations/${file}.mjs`, import.meta.url).href;
    const child = fork(SCRIPT, [module, updates, `${handlers}`], {
      execArgv: ["--expose-gc", ...flags],
    });
    await answer(child, name);
    return {
      name,
      take: async (request) => {
        child.send(request);
        return perUpdate((await answer(child, name)) as Turn, request);
      },
      stop: () => child.disconnect(),
    };
  };
  return Promise.all(MODULES.map(([name, file]) => start(name, file)));
}

/** Lets the implementations take turns; those that count, by implementation. */
export async function takeTurns(
  implementations: readonly Implementation[],
  request: TurnRequest,
  rounds: Rounds,
): Promise<Turn[][]> {
  const taken = implementations.map((): Turn[] => []);
  for (const { place, counts } of schedule(implementations.length, rounds)) {
    const turn = await implementations[place]!.take(request);
    if (counts) taken[place]!.push(turn);
  }
  return taken;
}

function perUpdate(turn: Turn, { count }: TurnRequest): Turn {
  const { client, agent, grown } = turn;
  return {
    ...turn,
    client: client / count,
    agent: agent / count,
    grown: grown / count,
  };
}

async function answer(child: ChildProcess, name: string): Promise<unknown> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, "message", { signal: ended.signal }).then(([message]: unknown[]) => message),
      once(child, "exit", { signal: ended.signal }).then(() => {
        throw new Error(`the process of ${name} has ended`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
