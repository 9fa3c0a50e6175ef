import { Cancellation } from "../rpc/inbound-requests.js";
import { ConnectionClosedError, RpcError } from "../rpc/errors.js";
import { outsideResumption } from "../role/resumptions.js";
import { startTimer } from "../rpc/timer.js";
import type { SessionLink } from "../session/link.js";

/** The work of a turn; its result is a stop reason or an idle state. */
export type TurnFunction = (turn: never) => unknown;

/** Creates the session that a turn's function receives. */
export type CreateTurnSession = (
  id: string,
  source: { readonly signal: AbortSignal },
  hasEnded: () => boolean,
) => object;

interface Turn {
  readonly cancellation: Cancellation;
  readonly run: TurnFunction;
  /** Resolves when the turn may begin, rejects when it must not. */
  readonly ready: Promise<void>;
}

interface SessionWork {
  readonly queue: Turn[];
  current: Turn | undefined;
  /** Whether the client was told that the session is running. */
  isRunning: boolean;
  readonly ended: Promise<void>;
}

/** The turns of all sessions of one connection, in version 2. */
export class SessionTurns {
  readonly #sessions = new Map<string, SessionWork>();
  readonly #createSession: CreateTurnSession;
  readonly #link: SessionLink;

  constructor(createSession: CreateTurnSession, link: SessionLink) {
    this.#createSession = createSession;
    this.#link = link;
  }

  /**
   * Starts a turn, or queues it behind the running turn of its session.
   *
   * @param prepare sends the message that the turn answers
   * @returns resolves when the message was sent; the turn begins after that
   */
  async start(id: string, prepare: () => Promise<void>, run: TurnFunction): Promise<void> {
    // The turn is known before anything is awaited, so that no cancellation is missed.
    const prepared = prepare();
    // The answer to the prompt is sent before the turn begins.
    const ready = prepared.then(() => new Promise<void>((resolve) => setTimeout(resolve)));
    ready.catch(() => {});
    const turn: Turn = { cancellation: new Cancellation(), run, ready };
    const work = this.#sessions.get(id);
    if (work !== undefined) work.queue.push(turn);
    else {
      const started: { -readonly [Name in keyof SessionWork]: SessionWork[Name] } = {
        queue: [turn],
        current: undefined,
        isRunning: false,
        ended: Promise.resolve(),
      };
      this.#sessions.set(id, started);
      const { handlers } = this.#link;
      handlers.started();
      started.ended = outsideResumption(() => this.#work(id, started)).finally(handlers.ended);
    }
    await prepared;
  }

  /** Returns whether a session has a turn that runs or is queued. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Reports whether a session is running, which it is from the start of a turn until it is idle. */
  reportState(id: string): Promise<void> {
    const work = this.#sessions.get(id);
    return work === undefined ? this.#report(id, { state: "idle" }) : this.#reportRunning(id, work);
  }

  /** Aborts all turns of some sessions; resolves when these are idle. Returns undefined if there are none. */
  cancel(
    isReached: (id: string) => boolean,
    reason: object = RpcError.requestCancelled(),
  ): Promise<unknown> | undefined {
    const reached = [...this.#sessions].flatMap(([id, work]) => (isReached(id) ? [work] : []));
    for (const { queue, current } of reached)
      for (const turn of [...queue, ...(current ? [current] : [])]) turn.cancellation.abort(reason);
    return reached.length === 0 ? undefined : Promise.all(reached.map(({ ended }) => ended));
  }

  async #work(id: string, work: SessionWork): Promise<void> {
    let idle: object = {};
    for (let turn = work.queue.shift(); turn !== undefined; turn = work.queue.shift()) {
      work.current = turn;
      const isReady = await turn.ready.then(
        () => true,
        () => false,
      );
      if (!isReady) continue;
      if (!work.isRunning) await this.#reportRunning(id, work);
      idle = await this.#run(id, turn);
      const isNextNew = work.queue[0]?.cancellation.isAborted === false;
      // The end of cancelled work precedes new work.
      if (idle === CANCELLED && isNextNew) await this.#reportIdle(id, work, idle);
    }
    this.#sessions.delete(id);
    if (work.isRunning) await this.#reportIdle(id, work, idle);
  }

  #reportIdle(id: string, work: SessionWork, idle: object): Promise<void> {
    work.isRunning = false;
    // What was begun ends, also with a reason that the protocol does not have.
    const instead = (): object => ({ state: "idle", ...failed(undefined) });
    return this.#report(id, { state: "idle", ...idle }, instead);
  }

  #reportRunning(id: string, work: SessionWork): Promise<void> {
    work.isRunning = true;
    return this.#report(id, { state: "running" });
  }

  /** @param instead returns what is reported if the state is invalid */
  #report(id: string, state: object, instead?: () => object): Promise<void> {
    const method = this.#link.names.update;
    const background = this.#link.tree.background(id);
    const update = {
      sessionUpdate: "state_update",
      ...(background.length > 0 && { background }),
      ...state,
    };
    return this.#link.peer.notify(method, { sessionId: id, update }).catch((error: unknown) => {
      if (error instanceof ConnectionClosedError) return undefined;
      this.#link.report(error, { method });
      return instead && this.#report(id, instead());
    });
  }

  /** Runs a turn and returns the fields of the idle state that ends it. */
  #run(id: string, { cancellation, run }: Turn): Promise<object> {
    if (cancellation.isAborted) return Promise.resolve(CANCELLED);
    let hasEnded = false;
    const session = this.#createSession(id, cancellation, () => hasEnded);
    return new Promise<object>((resolve) => {
      const { signal } = cancellation;
      signal.addEventListener("abort", () => {
        const stop = startTimer(this.#link.cancelGraceMs, () => resolve(CANCELLED));
        void finished.then(stop);
      });
      const fail = (error: unknown): void => {
        if (signal.aborted) return resolve(CANCELLED);
        if (!(error instanceof RpcError))
          this.#link.report(error, { method: this.#link.names.prompt });
        resolve(failed(error));
      };
      const finished = Promise.resolve()
        .then(() => run(session as never))
        .then((given) => resolve(signal.aborted ? CANCELLED : idleOf(given)), fail);
    }).finally(() => (hasEnded = true));
  }
}

const CANCELLED = { stopReason: "cancelled" };

/** Returns the fields of the idle state for a turn's result. */
function idleOf(given: unknown): object {
  if (typeof given === "object" && given !== null) return given;
  return { stopReason: given ?? "end_turn" };
}

/** Returns the fields of the idle state for a turn that failed. */
function failed(error: unknown): object {
  // The text of other errors may contain data that the client must not see.
  const shown = error instanceof RpcError ? error : RpcError.internal("Internal error");
  return { stopReason: "error", error: shown.toObject() };
}
