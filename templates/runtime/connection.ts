import type { Channel } from "./channel.js";
import { ConnectionClosedError, ErrorCodes, RpcError } from "./errors.js";
import {
  classify,
  isRecord,
  toResult,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./messages.js";

/** Answers what comes in; made by a role from its handlers and its method table. */
export interface Receiver {
  /**
   * Starts the handler of a request before it returns; the promise is its result.
   *
   * @throws RpcError for what must be answered with an error without a handler
   */
  request(method: string, params: unknown, context: CallContext): Promise<unknown>;
  /** Starts the handler of a notification before it returns. */
  notification(method: string, params: unknown, context: CallContext): Promise<void> | void;
}

/** What the connection knows about one incoming call. */
export interface CallContext {
  readonly method: string;
  /** Aborted when the peer cancels the request or the connection closes. */
  readonly signal: AbortSignal;
  /** The request's id; absent for notifications. */
  readonly requestId?: RequestId;
}

export interface CallOptions {
  /** Aborting it asks the peer to cancel; the call then ends as the peer answers. */
  readonly signal?: AbortSignal;
}

/** Where a connection reports what it cannot answer: failed notifications, late responses. */
export type Report = (error: unknown, about: { readonly method?: string }) => void;

interface Pending {
  readonly accept: (result: unknown) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly dispose: () => void;
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
  readonly #pending = new Map<RequestId, Pending>();
  readonly #running = new Map<RequestId, AbortController>();
  readonly #ended = new AbortController();
  #nextId = 0;
  #resolveClosed!: () => void;

  constructor(channel: Channel, receiver: Receiver, report: Report) {
    this.#channel = channel;
    this.#receiver = receiver;
    this.#report = report;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
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
   * @param accept turns the result into what the call resolves with, before the
   *   next message is looked at; what it throws rejects the call
   * @throws RpcError when the peer answers with an error, ConnectionClosedError when it cannot answer
   */
  request(
    method: string,
    params: unknown,
    { signal }: CallOptions = {},
    accept: Pending["accept"] = (result) => result,
  ): Promise<unknown> {
    if (this.#ended.signal.aborted) return Promise.reject(this.#ended.signal.reason);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const cancel = (): void => void this.notify(CANCEL_METHOD, { requestId: id });
      signal?.addEventListener("abort", cancel, { once: true });
      const dispose = (): void => signal?.removeEventListener("abort", cancel);
      this.#pending.set(id, { accept, resolve, reject, dispose });
      call(() => this.#channel.send({ jsonrpc: "2.0", id, method, params })).catch(
        (error: unknown) => {
          this.#pending.delete(id);
          dispose();
          reject(error);
        },
      );
    });
  }

  /**
   * Sends a notification; resolves when more can be sent. Often not awaited: that
   * the peer is gone rejects it, but is no error that must be caught.
   */
  notify(method: string, params: unknown): Promise<void> {
    if (this.#ended.signal.aborted) return uncritical(Promise.reject(this.#ended.signal.reason));
    try {
      return uncritical(this.#channel.send({ jsonrpc: "2.0", method, params }));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Ends the connection: pending calls are rejected, running handlers aborted. May be called again. */
  close(): void {
    this.#end(undefined);
  }

  #receive(value: unknown): void {
    if (this.#ended.signal.aborted) return;
    const incoming = classify(value);
    switch (incoming.kind) {
      case "request":
        return this.#receiveRequest(incoming.message);
      case "notification":
        return this.#receiveNotification(incoming.message);
      case "response":
        return this.#receiveResponse(incoming.message);
      case "broken-response":
        return this.#settle(incoming.id, () => {
          throw new RpcError(ErrorCodes.InternalError, "Invalid response");
        });
      case "invalid":
        return this.#refuse(incoming.id, ErrorCodes.InvalidRequest, "Invalid request");
      default:
        return incoming satisfies never;
    }
  }

  #receiveRequest({ id, method, params }: RequestMessage): void {
    if (this.#running.has(id))
      return this.#refuse(id, ErrorCodes.InvalidRequest, "The request id is in use");
    const controller = new AbortController();
    this.#running.set(id, controller);
    const context: CallContext = { method, signal: controller.signal, requestId: id };
    call(() => this.#receiver.request(method, params, context))
      .then((result): ResponseMessage => ({ jsonrpc: "2.0", id, result: toResult(result) }))
      .catch((reason: unknown): ResponseMessage => {
        const error = this.#toRpcError(reason, method, controller.signal).toObject();
        return { jsonrpc: "2.0", id, error };
      })
      .then((response) => {
        this.#running.delete(id);
        this.#answer(response);
      });
  }

  #receiveNotification({ method, params }: NotificationMessage): void {
    if (method === CANCEL_METHOD) {
      const id = isRecord(params) ? params["requestId"] : undefined;
      this.#running
        .get(id as RequestId)
        ?.abort(new RpcError(ErrorCodes.RequestCancelled, "Request cancelled"));
      return;
    }
    const context: CallContext = { method, signal: this.#ended.signal };
    call(() => this.#receiver.notification(method, params, context)).catch((error: unknown) =>
      this.#report(error, { method }),
    );
  }

  #receiveResponse(message: ResponseMessage): void {
    this.#settle(message.id, ({ accept, resolve }) => {
      if ("result" in message) return resolve(accept(message.result));
      const { code, message: text, data } = message.error;
      throw new RpcError(code, text, data);
    });
  }

  /** Ends the call that a response names; it is rejected with what `settle` throws. */
  #settle(id: unknown, settle: (pending: Pending) => void): void {
    const pending = this.#pending.get(id as RequestId);
    if (pending === undefined)
      return this.#report(new Error("a response came for no pending request"), {});
    this.#pending.delete(id as RequestId);
    pending.dispose();
    try {
      settle(pending);
    } catch (error) {
      pending.reject(error);
    }
  }

  /** Handlers may answer with an RpcError; anything else stays on this side. */
  #toRpcError(error: unknown, method: string, signal: AbortSignal): RpcError {
    if (error instanceof RpcError) return error;
    if (signal.aborted) return new RpcError(ErrorCodes.RequestCancelled, "Request cancelled");
    this.#report(error, { method });
    return new RpcError(ErrorCodes.InternalError, "Internal error");
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#answer({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #answer(response: ResponseMessage): void {
    if (this.#ended.signal.aborted) return;
    call(() => this.#channel.send(response)).catch((reason: unknown) => {
      if (this.#ended.signal.aborted) return;
      this.#report(reason, {});
      // What cannot be written as JSON fails its own request only.
      const error = { code: ErrorCodes.InternalError, message: "Internal error" };
      call(() => this.#channel.send({ jsonrpc: "2.0", id: response.id, error })).catch(() => {});
    });
  }

  #end(error: unknown): void {
    if (this.#ended.signal.aborted) return;
    const reason = new ConnectionClosedError(error);
    this.#ended.abort(reason);
    for (const { reject, dispose } of this.#pending.values()) {
      dispose();
      reject(reason);
    }
    this.#pending.clear();
    for (const controller of this.#running.values()) controller.abort(reason);
    this.#running.clear();
    this.#channel.close();
    this.#resolveClosed();
  }
}

/** The same promise; nobody has to catch its rejection. */
function uncritical<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Runs a function now; what it throws becomes a rejection. */
async function call<T>(run: () => Promise<T> | T): Promise<T> {
  return await run();
}
