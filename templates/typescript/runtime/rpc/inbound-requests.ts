import { isInstance } from "../acp-error.js";
import { ErrorCodes, RpcError } from "./errors.js";
import type { ConnectionLimits } from "./limits.js";
import {
  toResult,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./messages.js";
import type { RunningHandlers } from "./running-handlers.js";
import { startTimer } from "./timer.js";
import * as sentences from "../sentences.js";

/** Handles incoming messages; created by a role from its handlers and its method table. */
export interface Receiver {
  /**
   * Starts the handler of a request synchronously and returns its result or a promise of it.
   *
   * @throws RpcError to answer with an error
   */
  request(message: RequestMessage, state: RequestState): unknown;
  /** Starts the handler of a notification synchronously. */
  notification(message: NotificationMessage, signal: AbortSignal): unknown;
  /** Returns the result for a cancelled request; undefined for the error "request cancelled" (-32800). */
  cancelled?(method: string, by: CancelledBy): CancelledResult | undefined;
}

/** The result of a cancelled request. */
export interface CancelledResult {
  readonly result: object;
  /** Whether the result waits for the handler, which may add to it. */
  readonly waits: boolean;
}

/** The cause of a cancellation: the request itself was cancelled, or the turn of its session. */
export type CancelledBy = "request" | "turn";

/** Reports errors that cannot be answered: failed notifications, late responses, internal errors. */
export type Report = (error: unknown, context: { readonly method?: string }) => void;

/** Returns a report whose own exceptions are written to the console and end nothing. */
export function guardReport<Given extends readonly unknown[]>(
  report: (...given: Given) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      report(...given);
    } catch (failure) {
      console.error("acp: onError failed:", failure);
    }
  };
}

/** The cancellation of one request. Its signal is created on first use, since most handlers never use it. */
export class Cancellation {
  #controller: AbortController | undefined;
  #reason: unknown;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  /** @param reason the signal's reason; must not be undefined */
  abort(reason: object): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}

/** The state of one request, as its handler uses it: its cancellation, and what follows its answer. */
export class RequestState extends Cancellation {
  readonly #report: (error: unknown) => void;
  #answer: "result" | "error" | undefined;
  #isSent = false;
  #afterResponse: (() => unknown)[] = NO_FUNCTIONS;
  #whenAnswered: (() => void) | undefined;

  /** @param report receives what the functions of `afterResponse` throw */
  constructor(report: (error: unknown) => void) {
    super();
    this.#report = report;
  }

  /** Whether the request was answered, by its handler or on behalf of it. */
  get isAnswered(): boolean {
    return this.#answer !== undefined;
  }

  /**
   * Runs a function after the response, if that has a result: at once when it was sent already.
   * Nothing waits for a promise that it returns.
   */
  afterResponse(run: () => unknown): void {
    if (this.#answer === "error") return;
    if (this.#isSent) return this.#run(run);
    if (this.#afterResponse === NO_FUNCTIONS) this.#afterResponse = [];
    this.#afterResponse.push(run);
  }

  /** Runs a function when the request was answered, after those of `afterResponse`. */
  whenAnswered(run: () => void): void {
    this.#whenAnswered = run;
  }

  /**
   * Called once, when the response was handed over.
   *
   * @param sent calls a function when the response was sent; at once by default
   */
  answered(answer: "result" | "error", sent: (next: () => void) => void = now): void {
    this.#answer = answer;
    sent(() => {
      // Functions that one of these adds run in their turn.
      if (answer === "result") for (const run of this.#afterResponse) this.#run(run);
      this.#afterResponse = NO_FUNCTIONS;
      this.#isSent = true;
      this.#whenAnswered?.();
    });
  }

  #run(run: () => unknown): void {
    try {
      void whenDone(run(), () => undefined, this.#report);
    } catch (error) {
      this.#report(error);
    }
  }
}

/** Shared by all requests without such functions. */
const NO_FUNCTIONS: (() => unknown)[] = [];

const now = (run: () => void): void => run();

interface Running {
  readonly message: RequestMessage;
  readonly state: RequestState;
  /** The response when the handler fails after its cancellation, or ignores it. */
  cancelled?: ResponseMessage;
  cancelledBy?: CancelledBy;
  stopGrace?: () => void;
}

/**
 * Runs a request's handler and passes on its response, synchronously when the handler is
 * synchronous.
 *
 * A handler may fail with an RpcError. Any other error is reported on this side only, since its
 * text may contain data that the peer must not see.
 *
 * @param settle called once, with the response
 */
export function answer(
  receiver: Receiver,
  request: RequestMessage,
  state: RequestState,
  report: Report,
  settle: (response: ResponseMessage) => void,
): void {
  const { id, method } = request;
  const fail = (error: unknown): void => {
    if (isInstance(error, RpcError)) return settle(failure(id, error));
    if (state.isAborted) return settle(failure(id, RpcError.requestCancelled()));
    report(error, { method });
    settle(failure(id, RpcError.internal("Internal error")));
  };
  const succeed = (value: unknown): void => {
    let result: unknown;
    try {
      result = toResult(value);
    } catch (error) {
      return fail(error);
    }
    settle({ jsonrpc: "2.0", id, result });
  };
  try {
    void whenDone(receiver.request(request, state), succeed, fail);
  } catch (error) {
    fail(error);
  }
}

/** Continues with a value synchronously, or with the value that a promise resolves to. */
export function whenDone<T>(
  given: unknown,
  next: (value: unknown) => T,
  fail?: (error: unknown) => T,
): T | Promise<T> {
  return isThenable(given) ? Promise.resolve(given).then(next, fail) : next(given);
}

/** Returns whether a value is a promise or works like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** The unanswered requests of the peer. */
export class InboundRequests {
  readonly #running = new Map<RequestId, Running>();
  readonly #receiver: Receiver;
  readonly #limits: Required<ConnectionLimits>;
  readonly #report: Report;
  readonly #handlers: RunningHandlers;
  readonly #send: (response: ResponseMessage) => boolean;
  readonly #isFull: () => boolean;
  readonly #settled: () => void;

  /**
   * @param send returns whether it has sent this response, and not an error in its place
   * @param isFull returns whether the peer reads so little that its requests are refused
   * @param settled called after each answer and what follows it
   */
  constructor(
    receiver: Receiver,
    limits: Required<ConnectionLimits>,
    report: Report,
    handlers: RunningHandlers,
    send: (response: ResponseMessage) => boolean,
    isFull: () => boolean,
    settled: () => void,
  ) {
    this.#receiver = receiver;
    this.#limits = limits;
    this.#report = report;
    this.#handlers = handlers;
    this.#send = send;
    this.#isFull = isFull;
    this.#settled = settled;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Starts the handler of a request synchronously, and answers the request exactly once. */
  serve(message: RequestMessage): void {
    const { id, method } = message;
    if (this.#running.has(id))
      return this.#refuse(id, ErrorCodes.InvalidRequest, sentences.requestIdInUse);
    if (this.#running.size >= this.#limits.maxInFlight || this.#isFull())
      return this.#refuse(id, ErrorCodes.TooManyRequests, "Too many requests");
    const state = new RequestState((error) => this.#report(error, { method }));
    const running: Running = { message, state };
    this.#running.set(id, running);
    this.#handlers.started();
    answer(this.#receiver, message, state, this.#report, (response) => {
      this.#settle(running, response);
      this.#handlers.ended();
    });
  }

  /**
   * Aborts the signals of requests. A handler that does not end within the grace period is
   * answered for; its late result is dropped. A result that does not wait is sent at once.
   *
   * @param matches selects the requests
   */
  cancel(matches: (request: RequestMessage) => boolean, by: CancelledBy): void {
    for (const running of this.#running.values())
      if (matches(running.message)) this.#cancel(running, by);
  }

  /** Cancels the request with an id, if there is one. */
  cancelId(id: unknown): void {
    const running = this.#running.get(id as RequestId);
    if (running !== undefined) this.#cancel(running, "request");
  }

  /** Answers a request now and drops the later result of its handler. */
  respond(response: ResponseMessage): void {
    const running = this.#running.get(response.id);
    if (running !== undefined) this.#settle(running, response);
  }

  /** Aborts all handlers without answering, because the connection has ended. */
  close(reason: object): void {
    for (const { state, stopGrace } of this.#running.values()) {
      stopGrace?.();
      state.abort(reason);
    }
    this.#running.clear();
  }

  #cancel(running: Running, by: CancelledBy): void {
    // A turn's cancellation has a result, also when its request was cancelled before.
    if (running.cancelledBy === "turn" || running.cancelledBy === by) return;
    running.cancelledBy = by;
    const { id, method } = running.message;
    const { result, waits } = this.#receiver.cancelled?.(method, by) ?? { waits: true };
    running.cancelled =
      result === undefined
        ? failure(id, RpcError.requestCancelled())
        : { jsonrpc: "2.0", id, result };
    running.stopGrace ??= startTimer(this.#limits.cancelGraceMs, () =>
      this.#settle(running, running.cancelled!),
    );
    running.state.abort(RpcError.requestCancelled());
    if (!waits) this.#settle(running, running.cancelled);
  }

  #settle(running: Running, response: ResponseMessage): void {
    const { id } = running.message;
    if (this.#running.get(id) !== running) return;
    this.#running.delete(id);
    running.stopGrace?.();
    const { state, cancelled } = running;
    const sent = cancelled === undefined ? response : afterCancel(cancelled, response);
    state.answered(this.#send(sent) && "result" in sent ? "result" : "error");
    this.#settled();
  }

  #refuse(id: RequestId, code: number, text: string): void {
    this.#send(failure(id, new RpcError(code, text)));
  }
}

/**
 * Returns the response to a cancelled request. A handler may still have succeeded; the result of a
 * request that a turn's cancellation ends says that it was cancelled nevertheless.
 */
function afterCancel(cancelled: ResponseMessage, response: ResponseMessage): ResponseMessage {
  if ("error" in response) return cancelled;
  if ("error" in cancelled) return response;
  const result = { ...(response.result as object), ...(cancelled.result as object) };
  return { ...response, result };
}

/** Returns the response that carries an error. */
export function failure(id: RequestId, error: RpcError): ResponseMessage {
  return { jsonrpc: "2.0", id, error: error.toObject() };
}
