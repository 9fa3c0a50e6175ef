import {
  ConnectionClosedError,
  invalidResponse,
  RequestTimeoutError,
  toRpcError,
  type RpcError,
} from "./errors.js";
import type { RequestId, ResponseMessage } from "./messages.js";
import { onAbort } from "./on-abort.js";
import { startTimer } from "./timer.js";

export interface CallOptions {
  /**
   * Ends the call with the signal's reason when it is aborted, and asks the peer to cancel. A
   * prompt is cancelled with `session/cancel`, and ends with the peer's answer, or after the grace
   * period. Calls that are made through the context of a handler inherit the handler's signal;
   * `null` prevents this.
   */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * The time to wait for the answer, in milliseconds; unlimited by default. Then the peer is
   * asked to cancel.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether the call is sent although the peer did not advertise the capability that the method or
   * a field of the params needs; false by default. Functions of such methods are absent, so the
   * call is made by name: `agent.request("session/list", {}, { ignoreCapabilities: true })`.
   */
  readonly ignoreCapabilities?: boolean | undefined;
}

const IS_QUESTION: unique symbol = Symbol("isQuestion");

interface QuestionOptions extends CallOptions {
  readonly [IS_QUESTION]?: true;
}

/**
 * Returns the options of a question, which a peer answers as cancelled: when the signal is aborted,
 * the call ends with this answer, or after the grace period.
 */
export function ofQuestion(signal: AbortSignal): QuestionOptions {
  return { signal, [IS_QUESTION]: true };
}

/** Options of a notification. */
export type NotifyOptions = Pick<CallOptions, "ignoreCapabilities">;

/** The functions that a call uses. */
export interface CallActions {
  /** The params of the call, for `withdraw`. */
  readonly params?: unknown;
  /** Sends the request with its id. */
  readonly send: (id: number) => Promise<void>;
  /** Asks the peer to cancel the request. */
  readonly cancel: (id: number) => void;
  /** Called instead of `cancel` when the signal is aborted. */
  readonly abort?: () => void;
  /** Returns what the call resolves with for a result; an exception rejects the call. */
  readonly accept: (result: unknown) => unknown;
  /**
   * Called with the peer's error before the next message is processed.
   *
   * @returns a result that the call resolves with instead; undefined for none
   */
  readonly refuse?: (error: RpcError) => unknown;
  /** Called with a result that arrives after the call was aborted or has timed out. */
  readonly late?: (result: unknown) => void;
}

interface Call {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly actions: CallActions;
  /** Stops timers and listeners. */
  readonly dispose: () => void;
}

/** The number of abandoned calls whose answers are recognized when they arrive late. */
const MOST_ABANDONED = 1000;

type Late = CallActions["late"];

/** The unanswered requests of this side. */
export class OutboundRequests {
  readonly #calls = new Map<unknown, Call>();
  /** The ids of calls that ended without their answers, the oldest first. */
  readonly #abandoned = new Map<unknown, Late>();
  readonly #cancelGraceMs: number;
  readonly #ended: (id: unknown) => void;
  #nextId = 0;

  /**
   * @param cancelGraceMs the time that a cancelled call waits for its answer, in milliseconds
   * @param ended called with the id of each call that has ended
   */
  constructor(cancelGraceMs: number, ended: (id: unknown) => void) {
    this.#cancelGraceMs = cancelGraceMs;
    this.#ended = ended;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Returns whether a call has timed out or was aborted, and its answer has not arrived. */
  isAbandoned(id: unknown): boolean {
    return this.#abandoned.has(id);
  }

  /** Returns whether a response answers a call which has timed out or was aborted; once for each call. */
  takeLate(id: unknown, result: unknown): boolean {
    const late = this.#abandoned.get(id);
    if (result !== undefined) late?.(result);
    return this.#abandoned.delete(id);
  }

  /**
   * Starts a call, which settles exactly once.
   *
   * @throws RpcError when the peer answers with an error, RequestTimeoutError after the timeout,
   *   the signal's reason when it is aborted, ConnectionClosedError when the connection ends before
   */
  start(
    method: string,
    { signal, timeoutMs, [IS_QUESTION]: isQuestion }: QuestionOptions,
    actions: CallActions,
  ): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      let stopGrace: (() => void) | undefined;
      const cancel = (): void => {
        if (actions.abort === undefined) actions.cancel(id);
        else actions.abort();
        const abandon = (): void => this.#abandon(id, signal!.reason);
        if (isQuestion || actions.abort !== undefined)
          stopGrace = startTimer(this.#cancelGraceMs, abandon);
        else abandon();
      };
      const expire = (): void => {
        actions.cancel(id);
        this.#abandon(id, new RequestTimeoutError(method, timeoutMs!));
      };
      const stopListening = signal ? onAbort(signal, cancel) : undefined;
      const stopTimer = timeoutMs === undefined ? undefined : startTimer(timeoutMs, expire, true);
      const dispose = (): void => {
        stopListening?.();
        stopGrace?.();
        stopTimer?.();
      };
      this.#calls.set(id, { method, resolve, reject, actions, dispose });
      actions.send(id).catch((error: unknown) => this.#fail(id, error));
    });
  }

  /**
   * Ends calls with a result of this side, and asks the peer to cancel them.
   *
   * @param resultOf returns the result of a call; undefined for one that continues
   */
  withdraw(resultOf: (method: string, params: unknown) => unknown): void {
    for (const [id, { method, actions }] of [...this.#calls]) {
      const result = resultOf(method, actions.params);
      if (result === undefined) continue;
      actions.cancel(id as number);
      this.settle({ jsonrpc: "2.0", id: id as number, result });
      this.#awaitLate(id, undefined);
    }
  }

  /**
   * Settles the call that a response answers.
   *
   * @returns whether there was such a call
   */
  settle(response: ResponseMessage): boolean {
    const call = this.#take(response.id);
    if (call === undefined) return false;
    try {
      if ("error" in response) {
        const error = toRpcError(response.error, call.method);
        const result = call.actions.refuse?.(error);
        if (result === undefined) call.reject(error);
        else call.resolve(result);
      } else call.resolve(call.actions.accept(response.result));
    } catch (error) {
      call.reject(error);
    }
    return true;
  }

  /**
   * Rejects the call that a malformed response names. A response without a result has `null`.
   *
   * @param problem what is wrong with the response; empty when only its result is missing
   * @returns whether there was such a call
   */
  settleBroken(id: unknown, problem: string): boolean {
    const call = this.#calls.get(id);
    if (call === undefined) return false;
    if (problem === "") return this.settle({ jsonrpc: "2.0", id: id as RequestId, result: null });
    return this.#fail(id, invalidResponse(call.method, problem));
  }

  /**
   * Rejects all calls because of a malformed response that does not say which one it answers.
   *
   * @returns whether there was any
   */
  settleAllBroken(problem: string): boolean {
    const ids = [...this.#calls.keys()];
    for (const id of ids) this.settleBroken(id, problem);
    return ids.length > 0;
  }

  /**
   * Rejects all calls because the connection has ended.
   *
   * @param reason why it has ended, if the end was not regular
   */
  close(reason: unknown): void {
    for (const [id, { method }] of [...this.#calls])
      this.#fail(id, new ConnectionClosedError(reason, method));
  }

  #abandon(id: number, error: unknown): void {
    const late = this.#calls.get(id)?.actions.late;
    if (this.#fail(id, error)) this.#awaitLate(id, late);
  }

  #awaitLate(id: unknown, late: Late): void {
    this.#abandoned.set(id, late);
    const [oldest] = this.#abandoned.keys();
    if (this.#abandoned.size > MOST_ABANDONED) this.#abandoned.delete(oldest);
  }

  #fail(id: unknown, error: unknown): boolean {
    const call = this.#take(id);
    call?.reject(error);
    return call !== undefined;
  }

  #take(id: unknown): Call | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    call.dispose();
    this.#ended(id);
    return call;
  }
}
