import { RpcError } from "./errors.js";
import { failure, type Report } from "./inbound-requests.js";
import type { ResponseMessage } from "./messages.js";
import { SENT, type Transport } from "./transport.js";

/** Sends the messages of a connection. */
export class Outbox {
  readonly #transport: Transport;
  readonly #report: Report;
  #last = SENT;

  constructor(transport: Transport, report: Report) {
    this.#transport = transport;
    this.#report = report;
  }

  /** Sends a message; an exception while writing becomes a rejection. */
  send(message: object): Promise<void> {
    try {
      return this.#transport.send(message);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Sends a notification. Since it is often not awaited, the rejection after the peer has closed
   * need not be handled.
   */
  notify(message: object): Promise<void> {
    try {
      return this.markHandled(this.#transport.send(message));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Sends a response. A result that JSON cannot represent fails its own request only.
   *
   * @returns whether the response was sent, and not an error in its place
   */
  respond(response: ResponseMessage): boolean {
    try {
      void this.markHandled(this.#transport.send(response));
      return true;
    } catch (reason) {
      this.#report(reason, {});
      const error = RpcError.internal("Internal error");
      void this.markHandled(this.#transport.send(failure(response.id, error)));
      return false;
    }
  }

  /**
   * Returns the same promise and marks its rejection as handled. Transports share one promise
   * between many messages.
   */
  markHandled(promise: Promise<void>): Promise<void> {
    if (promise !== this.#last) promise.catch(ignore);
    this.#last = promise;
    return promise;
  }
}

function ignore(): void {}
