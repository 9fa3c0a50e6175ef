import { RpcError } from "../rpc/errors.js";

/** The sessions of an agent, with the state that its author keeps for each. */
export class SessionStore<State> implements Iterable<readonly [id: string, state: State]> {
  readonly #states = new Map<string, State>();

  /**
   * Stores the state of a session, in place of the state that the id had before.
   *
   * @param id a new random id by default
   * @returns the id
   */
  create(state: State, id: string = crypto.randomUUID()): string {
    this.#states.set(id, state);
    return id;
  }

  /**
   * Returns the state of a session.
   *
   * @throws RpcError "resource not found" (-32002) for an unknown id, which a handler may pass on
   *   to the client
   */
  get(id: string): State {
    if (!this.#states.has(id))
      throw RpcError.resourceNotFound("Session not found", { sessionId: id });
    return this.#states.get(id)!;
  }

  has(id: string): boolean {
    return this.#states.has(id);
  }

  /** Drops a session; returns whether it existed. */
  delete(id: string): boolean {
    return this.#states.delete(id);
  }

  [Symbol.iterator](): IterableIterator<[id: string, state: State]> {
    return this.#states.entries();
  }
}
