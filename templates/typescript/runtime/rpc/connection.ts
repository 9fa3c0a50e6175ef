import { OutboundRequests, type CallActions, type CallOptions } from "./outbound-requests.js";
import { DRAIN_TIME, startTransport, type Transport } from "./transports/transport.js";
import { AcpError, isInstance } from "../acp-error.js";
import { ConnectionClosedError, MissingIdError, RpcError, sentWithId } from "./errors.js";
import { Outbox } from "./outbox.js";
import { MalformedInput } from "./malformed-input.js";
import { RunningHandlers } from "./running-handlers.js";
import * as sentences from "../sentences.js";
import { startTimer } from "./timer.js";
import { WireOrder } from "./wire-order.js";
import { DEFAULT_LIMITS, type ConnectionLimits } from "./limits.js";
import {
  isRequestId,
  classify,
  isRecord,
  type ErrorObject,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from "./messages.js";
import {
  failure,
  InboundRequests,
  isThenable,
  type Receiver,
  type Report,
} from "./inbound-requests.js";

/** Options of a connection. */
export interface ConnectionOptions {
  readonly limits?: ConnectionLimits | undefined;
  /**
   * Whether `null` is allowed as the id of a request; true by default. Version 2 of the protocol
   * forbids it.
   */
  readonly nullIds?: boolean;
  /** Whether input that does not claim to be a message is answered with an error; true by default. */
  readonly answersNoise?: boolean;
}

/** The parts of a response, as far as it has them. */
interface Answered {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: ErrorObject;
  /** What is wrong with the response. */
  readonly problem?: string;
}

const CANCEL_METHOD = "$/cancel_request";

/** The number of responses without a call that are reported. */
const MOST_UNEXPECTED = 20;

/**
 * A JSON-RPC connection: both sides send and receive calls over one transport.
 *
 * Wire order is kept: the handler of a message has started before the next message is processed,
 * so a response resolves after the handlers of preceding notifications have started. What follows
 * a response is processed after the caller of the answered call has continued.
 */
export class Connection {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /**
   * Resolves with `endReason` when the connection has ended, and so have its handlers or the time of
   * `endGraceMs`.
   */
  readonly settled: Promise<unknown>;
  readonly handlers: RunningHandlers = new RunningHandlers();
  readonly #transport: Transport;
  readonly #receiver: Receiver;
  readonly #report: Report;
  readonly #outbox: Outbox;
  readonly #outbound: OutboundRequests;
  readonly #inbound: InboundRequests;
  readonly #order = new WireOrder();
  readonly #ended = new AbortController();
  readonly #signal = this.#ended.signal;
  readonly #nullIds: boolean;
  readonly #malformed: MalformedInput;
  readonly #endGraceMs: number;
  #ignored = 0;
  /** The number of responses that no call has waited for. */
  #unexpected = 0;
  #isOpen = true;
  /** Whether the input has ended, so that only answers are sent. */
  #isEnding = false;
  #stopGrace: (() => void) | undefined;
  #resolveClosed!: () => void;
  #resolveSettled!: (reason: unknown) => void;

  constructor(
    transport: Transport,
    receiver: Receiver,
    report: Report,
    { limits, nullIds = true, answersNoise = true }: ConnectionOptions = {},
  ) {
    const all = { ...DEFAULT_LIMITS, ...limits };
    this.#transport = transport;
    this.#receiver = receiver;
    this.#report = report;
    this.#outbox = new Outbox(transport, report, all.stallMs, (reason) => this.#end(reason));
    this.#nullIds = nullIds;
    this.#malformed = new MalformedInput(all.maxInvalidInRow, answersNoise, {
      answer: (id, code, text) => void this.#answer(failure(id, new RpcError(code, text))),
      settle: (id, problem) =>
        this.#hold(
          id === undefined
            ? this.#outbound.settleAllBroken(problem)
            : this.#outbound.settleBroken(id, problem),
        ),
      receive: (message) => this.#receive(message),
      report: (error) => this.#report(error, {}),
      end: (reason) => this.#end(reason),
    });
    this.#outbound = new OutboundRequests(all.cancelGraceMs, (id) => this.#endQuestionsOf(id));
    this.#inbound = new InboundRequests(
      receiver,
      all,
      report,
      this.handlers,
      (response) => this.#answer(response),
      () => this.#outbox.isFull,
      () => this.#isEnding && this.#endWhenAnswered(),
    );
    this.#endGraceMs = all.endGraceMs;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.settled = new Promise((resolve) => (this.#resolveSettled = resolve));
  }

  /** The number of unanswered calls of this side. */
  get pending(): number {
    return this.#outbound.size;
  }

  /** The number of unanswered requests of the peer. */
  get running(): number {
    return this.#inbound.size;
  }

  /** The number of responses that were ignored because they were malformed or no call was waiting for them. */
  get ignored(): number {
    return this.#ignored;
  }

  /** The number of malformed lines and messages that were received, requests without an id among them. */
  get malformed(): number {
    return this.#malformed.count;
  }

  /**
   * Starts the delivery; separate from the constructor so that a receiver can refer to its
   * connection.
   *
   * @throws Error when the transport already has a connection
   */
  start(): void {
    startTransport(this.#transport, {
      message: (value) => {
        // Without a function for each message: most follow no response.
        if (this.#order.isHeld) this.#order.queue(() => this.#receive(value));
        else this.#receive(value);
      },
      invalid: (...input) => {
        this.#inOrder(() => {
          if (this.#isOpen && !this.#isEnding) this.#malformed.receiveLine(...input);
        });
      },
      close: (error, isWhole) => this.#inOrder(() => this.#endInput(error, isWhole)),
    });
  }

  /**
   * Calls a method of the peer.
   *
   * @param actions applied to the answer before the next message is processed; an exception in
   *   `accept` rejects the call
   * @throws as described for `OutboundRequests.start`; TypeError when JSON cannot represent the
   *   params
   */
  request(
    method: string,
    params: unknown,
    options: CallOptions = {},
    actions: Partial<Pick<CallActions, "accept" | "refuse" | "abort" | "late">> = {},
  ): Promise<unknown> {
    if (!this.#isOpen || this.#isEnding) return Promise.reject(this.#closedError(method));
    return this.#outbound.start(method, options, {
      params,
      send: (id) =>
        this.#outbox.send({ jsonrpc: "2.0", id, method, params }, (reason) =>
          this.#lost(reason, method),
        ),
      cancel: (id) => void this.notify(CANCEL_METHOD, { requestId: id }),
      accept: (result) => result,
      ...actions,
    });
  }

  /**
   * Sends a notification; resolves when more can be sent. Since it is often not awaited, the
   * rejection after the peer has closed need not be handled.
   */
  notify(method: string, params: unknown): Promise<void> {
    return this.#isOpen
      ? this.#outbox.notify(method, params, (reason) => this.#closedError(method, reason))
      : this.#outbox.markHandled(Promise.reject(this.#closedError(method)));
  }

  /** Aborts requests of the peer whose turn has ended; see `InboundRequests.cancel`. */
  cancelRequests(matches: (request: RequestMessage) => boolean): void {
    this.#inbound.cancel(matches, "turn");
  }

  /** Ends calls of this side and asks the peer to cancel them; see `OutboundRequests.withdraw`. */
  withdraw(resultOf: (method: string, params: unknown) => unknown): void {
    this.#outbound.withdraw(resultOf);
  }

  /** Answers a request of the peer now and drops the later result of its handler. */
  respond(response: ResponseMessage): void {
    this.#inbound.respond(response);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Why the connection has ended; undefined while it is open and after a regular end. */
  get endReason(): unknown {
    return (this.#signal.reason as Error | undefined)?.cause;
  }

  /**
   * Ends the connection: pending calls are rejected, running handlers aborted. Can be called
   * repeatedly.
   *
   * @param reason why, when the end is not regular
   */
  close(reason?: unknown): void {
    this.#end(reason);
  }

  #inOrder(process: () => void): void {
    if (this.#order.isHeld) this.#order.queue(process);
    else process();
  }

  /** Holds the input if a call was settled; returns whether there was one. */
  #hold(hasSettled: boolean): boolean {
    if (hasSettled) this.#order.hold();
    return hasSettled;
  }

  #receive(value: unknown): void {
    if (!this.#isOpen || this.#isEnding) return;
    const incoming = classify(value, this.#nullIds);
    switch (incoming.kind) {
      case "notification":
        this.#malformed.reset();
        return this.#receiveNotification(incoming.message);
      case "request":
        this.#malformed.reset();
        return this.#receiveRequest(incoming.message);
      case "response":
        this.#malformed.reset();
        if (!this.#hold(this.#outbound.settle(incoming.message))) this.#ignore(incoming.message);
        return;
      case "broken-response":
        if (this.#hold(this.#outbound.settleBroken(incoming.id, incoming.problem)))
          return this.#malformed.reset();
        break;
      case "ambiguous":
        break;
      case "invalid":
        return this.#malformed.receiveMessage(value, incoming.id);
      default:
        return incoming satisfies never;
    }
    if (this.#malformed.isNoise(value)) return this.#malformed.receiveMessage(value, null);
    this.#malformed.reset();
    this.#ignore(incoming);
  }

  #receiveRequest(message: RequestMessage): void {
    const { id, method, params } = message;
    if (method === CANCEL_METHOD) {
      this.#cancel(params);
      return void this.#answer(failure(id, sentWithId(CANCEL_METHOD)));
    }
    const isLate = isRecord(params) && this.#outbound.isAbandoned(params["requestId"]);
    const result = isLate ? this.#receiver.cancelled?.(method, "turn")?.result : undefined;
    // A question about a call that was given up is not asked.
    if (result !== undefined) void this.#answer({ jsonrpc: "2.0", id, result });
    else this.#inbound.serve(message);
  }

  #cancel(params: unknown): void {
    if (isRecord(params)) this.#inbound.cancelId(params["requestId"]);
  }

  #receiveNotification(message: NotificationMessage): void {
    const { method, params } = message;
    if (method === CANCEL_METHOD) return this.#cancel(params);
    this.handlers.started();
    try {
      // Most handlers are synchronous: only pending ones are awaited.
      const handled = this.#receiver.notification(message, this.#signal);
      if (isThenable(handled)) void this.#awaitHandler(handled, method);
      else this.handlers.ended();
    } catch (error) {
      this.#failed(error, method);
    }
  }

  async #awaitHandler(handled: PromiseLike<unknown>, method: string): Promise<void> {
    try {
      await handled;
      this.handlers.ended();
    } catch (error) {
      this.#failed(error, method);
    }
  }

  #failed(error: unknown, method: string): void {
    if (isInstance(error, MissingIdError)) this.#malformed.count++;
    this.#report(error, { method });
    this.handlers.ended();
  }

  /** Ends what the peer asks the user about a call of this side, which has ended. */
  #endQuestionsOf(id: unknown): void {
    if (this.#inbound.size === 0) return;
    this.cancelRequests(
      ({ method, params }) =>
        isRecord(params) &&
        params["requestId"] === id &&
        this.#receiver.cancelled?.(method, "turn") !== undefined,
    );
  }

  #ignore({ id, result, error, problem = "" }: Answered): void {
    this.#ignored++;
    if (this.#outbound.takeLate(id, result)) return;
    if (++this.#unexpected > MOST_UNEXPECTED) return;
    const shown = JSON.stringify(isRequestId(id) ? id : null).slice(0, 200);
    const what = error === undefined ? problem : `${error.code} ${error.message.slice(0, 200)}`;
    const text = sentences.unexpectedResponse(shown, what);
    const more = this.#unexpected === MOST_UNEXPECTED ? "; further ones are only counted" : "";
    this.#report(new AcpError(text + more), {});
  }

  #answer(response: ResponseMessage): boolean {
    return this.#isOpen && this.#outbox.respond(response);
  }

  /**
   * Fails a call that the transport could not send. The end of the connection follows, and often
   * has a better reason, such as the exit of a process.
   */
  async #lost(reason: unknown, method: string): Promise<never> {
    await new Promise<void>((resolve) => {
      const stop = startTimer(2 * DRAIN_TIME, resolve, true);
      void this.closed.then(stop).then(resolve);
    });
    throw this.#closedError(method, reason);
  }

  /** @param reason the reason while the connection has none of its own */
  #closedError(method: string, reason?: unknown): ConnectionClosedError {
    return new ConnectionClosedError(this.endReason ?? reason, method);
  }

  /**
   * Ends the connection with its input. A peer that has ended its output regularly may still read
   * the answers to its requests, and what their handlers report until then.
   */
  #endInput(error: unknown, isWhole = false): void {
    if (error !== undefined || isWhole) return this.#end(error);
    if (!this.#isOpen || this.#isEnding) return;
    this.#isEnding = true;
    this.#outbound.close(undefined);
    this.#stopGrace = startTimer(this.#endGraceMs, () => this.#end(undefined), true);
    this.#endWhenAnswered();
  }

  #endWhenAnswered(): void {
    if (this.#inbound.size === 0) this.#end(undefined);
  }

  #end(error: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopGrace?.();
    const reason = new ConnectionClosedError(error);
    this.#order.close();
    this.#ended.abort(reason);
    this.#outbound.close(error);
    this.#inbound.close(reason);
    this.#outbox.close();
    this.#transport.close();
    this.#resolveClosed();
    this.handlers.whenNone(this.#endGraceMs, () => this.#resolveSettled(error));
  }
}
