import { OutboundRequests, type CallActions, type CallOptions } from "./outbound-requests.js";
import { SENT, type Channel } from "./channel.js";
import { ConnectionClosedError, ErrorCodes, RpcError } from "./errors.js";
import { DEFAULT_LIMITS, type ConnectionLimits } from "./limits.js";
import {
  classify,
  isRecord,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./messages.js";
import {
  failure,
  InboundRequests,
  whenDone,
  type Receiver,
  type Report,
} from "./inbound-requests.js";

/** How a connection differs from the usual one. */
export interface ConnectionOptions {
  readonly limits?: ConnectionLimits | undefined;
  /** Whether `null` is an id of a request; true when absent. Version 2 of the protocol forbids it. */
  readonly nullIds?: boolean;
}

const CANCEL_METHOD = "$/cancel_request";

/**
 * A JSON-RPC connection: both sides call and are called over one channel.
 *
 * Wire order is kept: the handler of a message has started before the next
 * message is looked at, so a response resolves after the handlers of the
 * notifications before it have started.
 */
export class Connection {
  /** Resolves when the connection has ended, however it ended. */
  readonly closed: Promise<void>;
  readonly #channel: Channel;
  readonly #receiver: Receiver;
  readonly #report: Report;
  readonly #outbound: OutboundRequests;
  readonly #inbound: InboundRequests;
  readonly #ended = new AbortController();
  readonly #signal = this.#ended.signal;
  readonly #nullIds: boolean;
  readonly #garbageLimit: number;
  #garbage = 0;
  #lastSent = SENT;
  #ignored = 0;
  #isOpen = true;
  #resolveClosed!: () => void;

  constructor(
    channel: Channel,
    receiver: Receiver,
    report: Report,
    { limits, nullIds = true }: ConnectionOptions = {},
  ) {
    const all = { ...DEFAULT_LIMITS, ...limits };
    this.#channel = channel;
    this.#receiver = receiver;
    this.#report = report;
    this.#nullIds = nullIds;
    this.#garbageLimit = all.garbageLimit;
    this.#outbound = new OutboundRequests(all.cancelGrace);
    this.#inbound = new InboundRequests(receiver, all, report, (response) =>
      this.#answer(response),
    );
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
  }

  /** How many calls of this side are unanswered. */
  get pending(): number {
    return this.#outbound.size;
  }

  /** How many requests of the peer are unanswered. */
  get running(): number {
    return this.#inbound.size;
  }

  /** How many responses were ignored because no call was waiting for them, or because they were none. */
  get ignored(): number {
    return this.#ignored;
  }

  /** Starts delivery; separate from the constructor so that a receiver can know its connection. */
  start(): void {
    this.#channel.start({
      message: (value) => this.#receive(value),
      invalid: (code, text) => this.#refuse(null, code, text),
      close: (error) => this.#end(error),
    });
  }

  /**
   * Calls a method of the peer.
   *
   * @param actions what is done with the answer before the next message is looked at;
   *   what `accept` throws rejects the call
   * @throws as `Calls.start` says; TypeError when JSON cannot carry the params
   */
  request(
    method: string,
    params: unknown,
    options: CallOptions = {},
    actions: Partial<Pick<CallActions, "accept" | "refuse">> = {},
  ): Promise<unknown> {
    if (!this.#isOpen) return Promise.reject(this.#signal.reason);
    return this.#outbound.start(method, options, {
      send: (id) => this.#send({ jsonrpc: "2.0", id, method, params }),
      cancel: (id) => void this.notify(CANCEL_METHOD, { requestId: id }),
      accept: (result) => result,
      ...actions,
    });
  }

  /**
   * Sends a notification; resolves when more can be sent. Often not awaited: that
   * the peer is gone rejects it, but is no error that must be caught.
   */
  notify(method: string, params: unknown): Promise<void> {
    if (!this.#isOpen) return this.#uncritical(Promise.reject(this.#signal.reason));
    try {
      return this.#uncritical(this.#channel.send({ jsonrpc: "2.0", method, params }));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Aborts requests of the peer whose turn has ended, as `Serving.cancel` says. */
  cancelRequests(matches: (request: RequestMessage) => boolean): void {
    this.#inbound.cancel(matches, "turn");
  }

  /** Answers a request of the peer now; what its handler ends with later is dropped. */
  respond(response: ResponseMessage): void {
    this.#inbound.respond(response);
  }

  /** Ends the connection: pending calls are rejected, running handlers aborted. May be called again. */
  close(): void {
    this.#end(undefined);
  }

  #receive(value: unknown): void {
    if (!this.#isOpen) return;
    const incoming = classify(value, this.#nullIds);
    if (incoming.kind === "invalid")
      return this.#refuse(incoming.id, ErrorCodes.InvalidRequest, "Invalid request");
    this.#garbage = 0;
    switch (incoming.kind) {
      case "notification":
        return this.#receiveNotification(incoming.message);
      case "request":
        return this.#inbound.serve(incoming.message);
      case "response":
        if (!this.#outbound.settle(incoming.message)) this.#ignore();
        return;
      case "broken-response":
        if (!this.#outbound.settleBroken(incoming.id)) this.#ignore();
        return;
      case "ambiguous":
        return this.#ignore();
      default:
        return incoming satisfies never;
    }
  }

  #receiveNotification(message: NotificationMessage): void {
    const { method, params } = message;
    if (method === CANCEL_METHOD) {
      if (isRecord(params)) this.#inbound.cancelId(params["requestId"]);
      return;
    }
    const report = (error: unknown): void => this.#report(error, { method });
    try {
      // Most handlers end at once: only what is under way is waited for.
      const handled = this.#receiver.notification(message, this.#signal);
      whenDone(handled, () => undefined, report);
    } catch (error) {
      report(error);
    }
  }

  #ignore(): void {
    this.#ignored++;
    this.#report(new Error("a response came that no call is waiting for"), {});
  }

  /** Answers what is no message; too many of them in a row are no peer. */
  #refuse(id: RequestId, code: number, text: string): void {
    if (!this.#isOpen) return;
    this.#answer(failure(id, new RpcError(code, text)));
    if (++this.#garbage >= this.#garbageLimit)
      this.#end(new Error(`${this.#garbage} messages in a row were none`));
  }

  #answer(response: ResponseMessage): void {
    if (!this.#isOpen) return;
    try {
      this.#uncritical(this.#channel.send(response));
    } catch (reason) {
      this.#report(reason, {});
      // What cannot be written as JSON fails its own request only.
      const error = new RpcError(ErrorCodes.InternalError, "Internal error");
      this.#uncritical(this.#channel.send(failure(response.id, error)));
    }
  }

  /** Sends now; that a message cannot be written becomes a rejection. */
  #send(message: object): Promise<void> {
    try {
      return this.#channel.send(message);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The same promise; nobody has to catch its rejection. Channels give one for many messages. */
  #uncritical(promise: Promise<void>): Promise<void> {
    if (promise !== this.#lastSent) promise.catch(ignore);
    this.#lastSent = promise;
    return promise;
  }

  #end(error: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const reason = new ConnectionClosedError(error);
    this.#ended.abort(reason);
    this.#outbound.close(reason);
    this.#inbound.close(reason);
    this.#channel.close();
    this.#resolveClosed();
  }
}

function ignore(): void {}
