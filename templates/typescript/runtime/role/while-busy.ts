import { idOf } from "../gates/session-keys.js";
import { ErrorCodes, RpcError } from "../rpc/errors.js";
import { onAbort } from "../rpc/on-abort.js";
import * as sentences from "../sentences.js";
import type { RequestState } from "../rpc/inbound-requests.js";

/** The treatment of a prompt that is received while another prompt of its session runs. */
export type WhileBusy = "parallel" | "queue" | "refuse";

/** Options of an agent with sessions. */
export interface BusyOptions {
  /**
   * What happens with a prompt while another prompt of its session runs, which in version 2
   * includes its turn:
   *
   * - `parallel` (default): its handler starts at once.
   * - `queue`: its handler starts after the prompts before it were answered. In version 2, the turns
   *   of a session are queued in any case, so that a prompt is confirmed while a turn runs.
   * - `refuse`: it is answered with the error -32600.
   *
   * `session/cancel` ends the prompts that wait, too.
   */
  readonly whileBusy?: WhileBusy;
}

/** The prompts of one session that wait until those before them were answered. */
type Waiting = Set<{ readonly start: () => void; readonly fail: (error: unknown) => void }>;

/** The sessions of one agent's connection whose prompts run one at a time. */
export class BusySessions {
  readonly #mode: Exclude<WhileBusy, "parallel">;
  readonly #hasTurn: (sessionId: string) => boolean;
  readonly #sessions = new Map<string, Waiting>();

  /** @param hasTurn returns whether a session has a turn whose prompt was answered (version 2) */
  constructor(mode: Exclude<WhileBusy, "parallel">, hasTurn: (sessionId: string) => boolean) {
    this.#mode = mode;
    this.#hasTurn = hasTurn;
  }

  /**
   * Starts the handler of a prompt, or queues it.
   *
   * @throws RpcError when the session is busy and prompts are refused, and when the prompt is
   *   cancelled while it waits
   */
  run(params: unknown, state: RequestState, start: () => unknown): unknown {
    const id = idOf(params, "sessionId");
    if (id === undefined) return start();
    const waiting = this.#sessions.get(id);
    if (this.#mode === "refuse" && (waiting !== undefined || this.#hasTurn(id)))
      throw new RpcError(ErrorCodes.InvalidRequest, sentences.sessionBusy);
    const begin = (): unknown => {
      state.whenAnswered(() => this.#next(id));
      return start();
    };
    if (waiting !== undefined) return inTurn(waiting, state).then(begin);
    this.#sessions.set(id, new Set());
    return begin();
  }

  /** Rejects the prompts of a session that wait. */
  cancel(params: unknown): void {
    const waiting = this.#sessions.get(idOf(params, "sessionId") ?? "");
    for (const { fail } of waiting ?? []) fail(RpcError.requestCancelled());
  }

  #next(id: string): void {
    const waiting = this.#sessions.get(id)!;
    const [next] = waiting;
    if (next === undefined) this.#sessions.delete(id);
    else next.start();
  }
}

/** Waits for the turn of a prompt; rejects when it is cancelled before. */
function inTurn(waiting: Waiting, { signal }: RequestState): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => fail(RpcError.requestCancelled()));
    const leave = (): void => {
      stop();
      waiting.delete(prompt);
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error as Error);
    };
    const start = (): void => {
      leave();
      resolve();
    };
    const prompt = { start, fail };
    waiting.add(prompt);
  });
}
