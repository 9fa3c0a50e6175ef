import { isRecord, type RequestId } from "../rpc/messages.js";
import { LIMITS, sizeOf } from "./limits.js";
import type { Side } from "./sides.js";

type Early = readonly [from: Side, message: unknown];

/** The messages that arrive before `initialize` is answered, within limits. */
export class EarlyMessages {
  #messages: Early[] = [];
  #size = 0;

  /** Keeps a message. Returns the id of a request that is one too many. */
  hold(from: Side, message: unknown): RequestId | undefined {
    this.#size += sizeOf(message);
    if (this.#messages.length < LIMITS.early && this.#size <= LIMITS.size)
      this.#messages.push([from, message]);
    else if (isRecord(message) && message["method"] !== undefined)
      return message["id"] as RequestId | undefined;
    return undefined;
  }

  /** Returns all messages in their order, and forgets them. */
  take(): readonly Early[] {
    const all = this.#messages;
    this.#messages = [];
    this.#size = 0;
    return all;
  }
}
