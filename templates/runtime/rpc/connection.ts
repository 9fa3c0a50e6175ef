import { OutboundRequests, type CallActions, type CallOptions } from "./outbound-requests.js";
import { SENT, startTransport, type Transport } from "./transport.js";
import { AcpError } from "./acp-error.js";
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

/** Options of a connection. */
export interface ConnectionOptions {
  readonly limits?: ConnectionLimits | undefined;
  /**
   * Whether `null` is allowed as the id of a request; true by default. Version 2 of the protocol
   * forbids it.
   */
  readonly nullIds?: boolean;
}

const CANCEL_METHOD = "$/cancel_request";

/**
 * A JSON-RPC connection: both sides send and receive calls over one transport.
 *
 * Wire order is kept: the handler of a message has started before the next message is processed,
 * so a response resolves after the handlers of preceding notifications have started.
 */
export class Connection {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #transport: Transport;
  readonly #receiver: Receiver;
  readonly #report: Report;
  readonly #outbound: OutboundRequests;
  readonly #inbound: InboundRequests;
  readonly #ended = new AbortController();
  readonly #signal = this.#ended.signal;
  readonly #nullIds: boolean;
  readonly #maxInvalidInRow: number;
  #garbage = 0;
  #lastSent = SENT;
  #ignored = 0;
  #isOpen = true;
  #resolveClosed!: () => void;

  constructor(
    transport: Transport,
    receiver: Receiver,
    report: Report,
    { limits, nullIds = true }: ConnectionOptions = {},
  ) {
    const all = { ...DEFAULT_LIMITS, ...limits };
    this.#transport = transport;
    this.#receiver = receiver;
    this.#report = report;
    this.#nullIds = nullIds;
    this.#maxInvalidInRow = all.maxInvalidInRow;
    this.#outbound = new OutboundRequests(all.cancelGraceMs);
    this.#inbound = new InboundRequests(receiver, all, report, (response) =>
      this.#answer(response),
    );
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
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

  /**
   * Starts the delivery; separate from the constructor so that a receiver can refer to its
   * connection.
   *
   * @throws Error when the transport already has a connection
   */
  start(): void {
    startTransport(this.#transport, {
      message: (value) => this.#receive(value),
      invalid: (code, text) => this.#refuse(null, code, text),
      close: (error) => this.#end(error),
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
    actions: Partial<Pick<CallActions, "accept" | "refuse" | "abort">> = {},
  ): Promise<unknown> {
    if (!this.#isOpen) return Promise.reject(this.#closedError(method));
    return this.#outbound.start(method, options, {
      send: (id) => this.#send({ jsonrpc: "2.0", id, method, params }),
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
    if (!this.#isOpen) return this.#handled(Promise.reject(this.#closedError(method)));
    try {
      return this.#handled(this.#transport.send({ jsonrpc: "2.0", method, params }));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Aborts requests of the peer whose turn has ended; see `InboundRequests.cancel`. */
  cancelRequests(matches: (request: RequestMessage) => boolean): void {
    this.#inbound.cancel(matches, "turn");
  }

  /** Answers a request of the peer now and drops the later result of its handler. */
  respond(response: ResponseMessage): void {
    this.#inbound.respond(response);
  }

  /** Ends the connection: pending calls are rejected, running handlers aborted. Can be called repeatedly. */
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
      // Most handlers are synchronous: only pending ones are awaited.
      const handled = this.#receiver.notification(message, this.#signal);
      whenDone(handled, () => undefined, report);
    } catch (error) {
      report(error);
    }
  }

  #ignore(): void {
    this.#ignored++;
    this.#report(new AcpError("received a response that no call is waiting for"), {});
  }

  /** Answers a malformed message; closes the connection after too many in a row. */
  #refuse(id: RequestId, code: number, text: string): void {
    if (!this.#isOpen) return;
    this.#answer(failure(id, new RpcError(code, text)));
    if (++this.#garbage >= this.#maxInvalidInRow)
      this.#end(new AcpError(`${this.#garbage} messages in a row were malformed`));
  }

  #answer(response: ResponseMessage): void {
    if (!this.#isOpen) return;
    try {
      this.#handled(this.#transport.send(response));
    } catch (reason) {
      this.#report(reason, {});
      // A result that cannot be written as JSON fails its own request only.
      const error = RpcError.internal("Internal error");
      this.#handled(this.#transport.send(failure(response.id, error)));
    }
  }

  #closedError(method: string): ConnectionClosedError {
    return new ConnectionClosedError((this.#signal.reason as Error).cause, method);
  }

  /** Sends a message; an exception while writing becomes a rejection. */
  #send(message: object): Promise<void> {
    try {
      return this.#transport.send(message);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Returns the same promise and marks its rejection as handled. Transports share one promise
   * between many messages.
   */
  #handled(promise: Promise<void>): Promise<void> {
    if (promise !== this.#lastSent) promise.catch(ignore);
    this.#lastSent = promise;
    return promise;
  }

  #end(error: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const reason = new ConnectionClosedError(error);
    this.#ended.abort(reason);
    this.#outbound.close(error);
    this.#inbound.close(reason);
    this.#transport.close();
    this.#resolveClosed();
  }
}

function ignore(): void {}
