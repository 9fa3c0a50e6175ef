import { Backlog } from "./backlog.js";
import { RpcError } from "./errors.js";
import { failure, type Report } from "./inbound-requests.js";
import type { ResponseMessage } from "./messages.js";
import { SENT, type Transport } from "./transports/transport.js";

/** Sends the messages of a connection. */
export class Outbox {
  readonly #transport: Transport;
  readonly #report: Report;
  readonly #backlog: Backlog;
  #last = SENT;
  /** The last promise of a notification, and what it became. */
  #notified = { sent: SENT, method: "", given: SENT };

  /**
   * @param stallMs how long the other side may read nothing, in milliseconds
   * @param end ends the connection
   */
  constructor(
    transport: Transport,
    report: Report,
    stallMs: number,
    end: (reason: unknown) => void,
  ) {
    this.#transport = transport;
    this.#report = report;
    this.#backlog = new Backlog(() => transport.unsent?.() ?? 0, stallMs, end);
  }

  /** Whether the other side reads so little of its answers that its requests are refused. */
  get isFull(): boolean {
    return this.#backlog.isFull;
  }

  close(): void {
    this.#backlog.close();
  }

  /**
   * Sends a message; an exception while writing becomes a rejection.
   *
   * @param lost fails instead of the transport
   */
  send(message: object, lost: (reason: unknown) => Promise<never>): Promise<void> {
    try {
      const sent = this.#send(message);
      return sent === SENT ? sent : sent.catch(lost);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Sends a notification. Since it is often not awaited, the rejection after the peer has closed
   * need not be handled.
   *
   * @param lost returns the reason of that rejection
   */
  notify(method: string, params: unknown, lost: (reason: unknown) => Error): Promise<void> {
    try {
      const sent = this.#send({ jsonrpc: "2.0", method, params });
      if (sent === SENT) return sent;
      const { sent: last, method: name } = this.#notified;
      if (sent !== last || method !== name) {
        const given = sent.catch((reason: unknown) => {
          throw lost(reason);
        });
        this.#notified = { sent, method, given: this.markHandled(given) };
      }
      return this.#notified.given;
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
      void this.markHandled(this.#send(response, true));
      return true;
    } catch (reason) {
      this.#report(reason, {});
      const error = RpcError.internal("Internal error");
      void this.markHandled(this.#send(failure(response.id, error)));
      return false;
    }
  }

  #send(message: object, isAnswer = false): Promise<void> {
    const before = this.#backlog.size;
    const sent = this.#transport.send(message);
    if (sent !== SENT) this.#backlog.add(this.#backlog.size - before, isAnswer);
    return sent;
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
