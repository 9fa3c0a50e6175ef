import { AcpError } from "../acp-error.js";
import type { RequestState } from "../rpc/inbound-requests.js";
import * as sentences from "../sentences.js";
import type { ResumedSessions } from "../session/link.js";
import { createScope } from "./scope.js";

/** The number of live updates of a session that can be held before their senders wait. */
const MAX_HELD = 1_000;

/** The update that ends a history. */
const END = "replay_complete";

/** A request that resumes a session and is not answered. */
interface Resumption {
  readonly sessionId: string;
  /** Whether the client has asked for the history, and its end was not sent. */
  isReplay: boolean;
  /** The last state that the handler has sent in its replay. */
  state: object | undefined;
  /** Whether no state was sent since the history. */
  needsState: boolean;
}

/** Sends an update of a session. */
export type SendUpdate = (sessionId: string, update: object) => Promise<void>;

/** The resumption whose handler the code runs in. */
const scope = createScope<Resumption | undefined>();

/** Runs code that is not part of the handler that calls it, such as a turn. */
export function outsideResumption<Result>(run: () => Result): Result {
  return scope.run(undefined, run);
}

/**
 * The resumptions of sessions that an agent has not answered (version 2, `session/resume`).
 *
 * With `replayFrom`, the updates that the handler sends are the history. The end of the history
 * and the current state are sent before the response when the handler has not sent them. Until the
 * history has ended, updates that are not sent by the handler are held. Browsers cannot tell who
 * sends an update, so that nothing is held there.
 */
export class Resumptions implements ResumedSessions {
  readonly #open = new Set<Resumption>();
  /** The updates that are held, by session. */
  readonly #held = new Map<string, (() => void)[]>();
  readonly #reportState: (sessionId: string) => Promise<void>;
  readonly #sendUpdate: SendUpdate;

  /** @param reportState sends the current state of a session */
  constructor(reportState: (sessionId: string) => Promise<void>, sendUpdate: SendUpdate) {
    this.#reportState = reportState;
    this.#sendUpdate = sendUpdate;
  }

  /**
   * Handles a request and returns its result once the state of the session was sent.
   *
   * @throws what the handler throws; then neither the end of the history nor a state is sent
   */
  run(
    params: unknown,
    request: Pick<RequestState, "whenAnswered">,
    handle: () => unknown,
  ): Promise<unknown> {
    const { sessionId, replayFrom } = params as {
      readonly sessionId: string;
      readonly replayFrom?: unknown;
    };
    const isReplay = (replayFrom ?? null) !== null;
    const resumption: Resumption = { sessionId, isReplay, state: undefined, needsState: true };
    this.#open.add(resumption);
    // What is still held then, since the history has failed, is not part of it.
    request.whenAnswered(() => {
      this.#open.delete(resumption);
      this.#release(sessionId);
    });
    return scope.run(resumption, async () => {
      const result = await handle();
      if (resumption.isReplay) await this.#sendUpdate(sessionId, { sessionUpdate: END });
      const { state } = resumption;
      if (resumption.needsState && state !== undefined) await this.#sendUpdate(sessionId, state);
      if (resumption.needsState) await this.#reportState(sessionId);
      return result;
    });
  }

  /**
   * Sends an update, or holds it while the history of its session is sent.
   *
   * @returns resolves when more can be sent
   * @throws AcpError for the end of a history that was not requested, or has ended
   */
  send(params: unknown, notify: () => Promise<void>): Promise<void> {
    const { sessionId, update } = params as { readonly sessionId: string; readonly update: object };
    const tag = (update as { readonly sessionUpdate?: unknown }).sessionUpdate;
    if (this.#open.size === 0 && tag !== END) return notify();
    const own = this.#current(sessionId);
    if (tag === END) {
      if (own?.isReplay !== true)
        return Promise.reject(new AcpError(sentences.unrequestedEnd(END)));
      own.isReplay = false;
      const sent = notify();
      this.#release(sessionId);
      return sent;
    }
    if (own === undefined && this.#isReplaying(sessionId)) return this.#hold(params, notify);
    if (tag === "state_update") this.#stateSent(sessionId, update, own);
    return notify();
  }

  /** Returns the answer to a prompt, which follows its message when that is held. */
  answer(params: unknown, result: unknown): unknown {
    const held = this.#held.get((params as { readonly sessionId: string }).sessionId);
    return held && new Promise((resolve) => held.push(() => resolve(result)));
  }

  /** Returns the resumption whose handler sends an update of a session. */
  #current(sessionId: string): Resumption | undefined {
    const current = scope.current();
    return [...this.#open].find(
      (one) => one.sessionId === sessionId && (scope.isExact ? one === current : one.isReplay),
    );
  }

  #isReplaying(sessionId: string): boolean {
    return [...this.#open].some((one) => one.sessionId === sessionId && one.isReplay);
  }

  /** Senders do not wait, since the handler may wait for them, unless too much is held. */
  #hold(params: unknown, notify: () => Promise<void>): Promise<void> {
    const { sessionId } = params as { readonly sessionId: string };
    const held = this.#held.get(sessionId) ?? [];
    this.#held.set(sessionId, held);
    const sent = new Promise<void>((resolve) => {
      held.push(() => resolve(this.send(params, notify)));
    });
    // The connection may have ended.
    sent.catch(() => {});
    return held.length > MAX_HELD ? sent : Promise.resolve();
  }

  #release(sessionId: string): void {
    if (this.#isReplaying(sessionId)) return;
    const held = this.#held.get(sessionId);
    this.#held.delete(sessionId);
    for (const send of held ?? []) send();
  }

  /** A state before the end of the history is part of it, and is sent again behind it. */
  #stateSent(sessionId: string, update: object, own: Resumption | undefined): void {
    if (own?.isReplay === true) own.state = update;
    else
      for (const one of this.#open)
        if (one.sessionId === sessionId && !one.isReplay) one.needsState = false;
  }
}
