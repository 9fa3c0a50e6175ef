import { ErrorCodes } from "../rpc/errors.js";
import type { RequestId, ResponseMessage } from "../rpc/messages.js";
import { LIMITS } from "./limits.js";

/** The outcome of a request: a result or an error, as in the response. */
export type BridgedAnswer = Pick<ResponseMessage, never> & {
  readonly result?: unknown;
  readonly error?: unknown;
};

/** A request that the bridge has sent and that is not answered. */
export interface PendingRequest {
  /** The id that its sender gave it; undefined for a request of the bridge's own. */
  readonly original: RequestId | undefined;
  readonly method: string;
  readonly answer: (answer: BridgedAnswer) => void;
}

const FULL: BridgedAnswer = {
  error: { code: ErrorCodes.TooManyRequests, message: "Too many requests are unanswered" },
};

/**
 * The requests to one side. Ids stay as they are, unless the side would not accept them, or could
 * not distinguish two requests.
 */
export class Requests {
  readonly #pending = new Map<RequestId, PendingRequest>();
  /** The ids of requests that were sent under another one than their sender gave, by that one. */
  readonly #renamed = new Map<RequestId, Set<RequestId>>();
  #last = 0;
  /** The length of all ids, in UTF-16 units. */
  #size = 0;
  #refusal: BridgedAnswer | undefined;

  /** The answer to a request that cannot be sent; undefined when it can. */
  get refusal(): BridgedAnswer | undefined {
    const isFull = this.#pending.size >= LIMITS.requests || this.#size > LIMITS.size;
    return isFull ? FULL : this.#refusal;
  }

  /** Returns the id to send a request with. */
  open(request: PendingRequest): RequestId {
    const { original } = request;
    const isFree = original !== undefined && original !== null && !this.#pending.has(original);
    const id = isFree ? original : this.#unused();
    this.#pending.set(id, request);
    this.#size += sizeOfId(original);
    if (!isFree && original !== undefined) {
      const ids = this.#renamed.get(original) ?? new Set();
      this.#renamed.set(original, ids.add(id));
    }
    return id;
  }

  /** Returns a request that is answered now; undefined for an id that is not waited for. */
  close(id: RequestId): PendingRequest | undefined {
    const request = this.#pending.get(id);
    if (request === undefined) return undefined;
    const { original } = request;
    this.#pending.delete(id);
    this.#size -= sizeOfId(original);
    const ids = original === undefined ? undefined : this.#renamed.get(original);
    if (ids?.delete(id) === true && ids.size === 0) this.#renamed.delete(original!);
    return request;
  }

  /** Returns the id under which a request was sent on; the first of those that have the original id. */
  find(original: RequestId): RequestId | undefined {
    if (this.#pending.get(original)?.original === original) return original;
    const [first] = this.#renamed.get(original) ?? [];
    return first;
  }

  /** Rejects all pending and future requests. */
  end(message: string): void {
    const answer = { error: { code: ErrorCodes.InternalError, message } };
    this.#refusal = answer;
    const all = [...this.#pending.values()];
    this.#pending.clear();
    this.#renamed.clear();
    this.#size = 0;
    for (const request of all) request.answer(answer);
  }

  #unused(): RequestId {
    let id: string;
    do id = `bridge-${++this.#last}`;
    while (this.#pending.has(id));
    return id;
  }
}

function sizeOfId(id: RequestId | undefined): number {
  return typeof id === "string" ? id.length : 0;
}
