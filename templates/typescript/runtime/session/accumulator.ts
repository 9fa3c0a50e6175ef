import type { SessionState } from "./session-state.js";
import type { BlockOf } from "./states.js";
import type { StateTable } from "./state-table.js";
import type { AnyUpdate, ExtensionUpdate } from "./updates.js";
import { SessionStateV1 } from "./v1.js";
import { SessionStateV2 } from "./v2.js";

/** The params of `session/update`, as far as the state depends on them. */
export interface UpdateNotification<Update> {
  readonly sessionId: string;
  readonly update: Update | ExtensionUpdate;
}

/** Folds the `session/update` notifications of a connection into the state of each session. */
abstract class SessionsOfConnection<
  Update extends AnyUpdate,
  State extends SessionState<Update, unknown>,
> {
  /** All sessions by id, in order of appearance. */
  readonly sessions: ReadonlyMap<string, State> = new Map();

  protected readonly table: StateTable;

  constructor(table: StateTable) {
    this.table = table;
  }

  protected abstract create(): State;

  /**
   * Applies a notification and returns the session's state. A session begins with the first
   * notification that names it, since updates may arrive before the response with its id.
   */
  apply({ sessionId, update }: UpdateNotification<Update>): State {
    const state = this.begin(sessionId);
    state.apply(update);
    return state;
  }

  /** Returns the state of a session; undefined before its first update and after `forget`. */
  get(sessionId: string): State | undefined {
    return this.sessions.get(sessionId);
  }

  /** Drops the state of a session. A later update starts a new state. */
  forget(sessionId: string): boolean {
    return this.#mutable().delete(sessionId);
  }

  protected begin(sessionId: string): State {
    let state = this.sessions.get(sessionId);
    if (state === undefined) this.#mutable().set(sessionId, (state = this.create()));
    return state;
  }

  #mutable(): Map<string, State> {
    return this.sessions as Map<string, State>;
  }
}

/**
 * Folds the notifications of version 1.
 *
 * @typeParam Update the profile's `SessionUpdate`, so that the state has its types
 */
export class SessionsV1<Update extends AnyUpdate = AnyUpdate> extends SessionsOfConnection<
  Update,
  SessionStateV1<Update>
> {
  /** Ends a prompt; see {@link SessionStateV1.endTurn}. */
  endTurn(sessionId: string): void {
    this.get(sessionId)?.endTurn();
  }

  /** Adds the content of `session/prompt`; see {@link SessionStateV1.addUserMessage}. */
  addUserMessage(sessionId: string, content: readonly BlockOf<Update>[]): SessionStateV1<Update> {
    const state = this.begin(sessionId);
    state.addUserMessage(content);
    return state;
  }

  protected override create(): SessionStateV1<Update> {
    return new SessionStateV1(this.table);
  }
}

/**
 * Folds the notifications of version 2.
 *
 * @typeParam Update the profile's `SessionUpdate`, so that the state has its types
 */
export class SessionsV2<Update extends AnyUpdate = AnyUpdate> extends SessionsOfConnection<
  Update,
  SessionStateV2<Update>
> {
  protected override create(): SessionStateV2<Update> {
    return new SessionStateV2(this.table);
  }
}
