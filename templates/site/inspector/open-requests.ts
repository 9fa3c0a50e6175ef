import { RecentMap } from "../../typescript/runtime/conformance/memory.js";
import { key } from "../../typescript/runtime/conformance/conversation.js";
import { otherSide, type Side } from "../../typescript/runtime/conformance/transcript.js";
import type { MethodDescriptor } from "../../typescript/runtime/methods.js";

/** An unanswered request. */
export interface OpenRequest {
  readonly from: Side;
  readonly method: string;
  /** Absent for a method that the profile does not have. */
  readonly descriptor: MethodDescriptor | undefined;
  /** The position among all requests, counted from 1. */
  readonly order: number;
}

/** The maximum number of remembered requests of a side. */
const MAX_REMEMBERED = 10_000;

/** The unanswered requests of both sides; the oldest are dropped when there are too many. */
export class OpenRequests {
  readonly #open = {
    agent: new RecentMap<string, OpenRequest>(MAX_REMEMBERED),
    client: new RecentMap<string, OpenRequest>(MAX_REMEMBERED),
  };
  #count = 0;

  add(id: unknown, request: Omit<OpenRequest, "order">): void {
    this.#count += 1;
    this.#open[request.from].set(key(id), { ...request, order: this.#count });
  }

  /** Returns whether a side has an unanswered request with an id. */
  has(from: Side, id: unknown): boolean {
    return this.#open[from].has(key(id));
  }

  /**
   * Removes and returns the request that a response answers.
   *
   * @param from the sender of the response, if known; otherwise the later of two unanswered
   *   requests with the same id is taken, since both sides number their requests
   */
  take(id: unknown, from: Side | undefined): OpenRequest | undefined {
    const sides = from === undefined ? (["agent", "client"] as const) : [otherSide(from)];
    const [found] = sides
      .flatMap((side) => this.#open[side].get(key(id)) ?? [])
      .sort((one, other) => other.order - one.order);
    if (found !== undefined) this.#open[found.from].delete(key(id));
    return found;
  }
}
