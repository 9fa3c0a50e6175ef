import { AcpError } from "../acp-error.js";
import { ErrorCodes, RpcError } from "../rpc/errors.js";
import * as sentences from "../sentences.js";

/** The name of a stored session: ids of different principals are different sessions. */
export interface SessionKey {
  /** The caller to whom the session belongs; an empty string where all callers are one. */
  readonly principal: string;
  /** Chosen by the agent, but received from the client: any string. */
  readonly sessionId: string;
}

/** A session as a backend keeps it: JSON. */
export interface StoredSession {
  /** An absolute path. */
  readonly cwd: string;
  readonly title?: string;
  /** A date and time of RFC 3339. */
  readonly updatedAt: string;
  /** The state that the store has encoded. */
  readonly state: string;
  /** The ids of the messages of prompts, by their `idempotencyKey` (version 2). */
  readonly prompts?: { readonly [key: string]: string };
}

/** A session that was read from a backend. */
export interface LoadedSession extends StoredSession {
  /** Different for every save of the session, those before a deletion included. */
  readonly revision: string;
}

/** An entry of `session/list`. */
export interface SessionEntry {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** A page of `session/list`. */
export interface SessionPage {
  readonly sessions: readonly SessionEntry[];
  readonly nextCursor?: string;
}

/** The params of `session/list`. */
export interface SessionQuery {
  readonly cwd?: string | null | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | null | undefined;
}

/** Where sessions are stored, so that another process can open them. */
export interface SessionBackend {
  /** Returns a session; undefined if there is none. */
  load(key: SessionKey): Promise<LoadedSession | undefined>;
  /**
   * Stores a session, if nobody else has changed it since `revision` was read.
   *
   * @param revision undefined for a session that must not exist yet
   * @returns the new revision
   * @throws StaleSessionError when the stored revision is another one
   */
  save(key: SessionKey, session: StoredSession, revision: string | undefined): Promise<string>;
  /** Removes a session; one that does not exist is not an error. */
  delete(key: SessionKey): Promise<void>;
  /**
   * Lists the sessions of a principal, the newest first.
   *
   * @throws RpcError "invalid params" (-32602) for an invalid cursor
   */
  list(principal: string, query: SessionQuery): Promise<SessionPage>;
}

/** Another process has changed or deleted a session since it was opened here. */
export class StaleSessionError extends RpcError {
  override readonly name = "StaleSessionError";

  constructor(sessionId: string) {
    const text = sentences.sessionChanged;
    super(ErrorCodes.InternalError, text, { reason: "session_changed", sessionId });
  }
}

/** A stored value is not a session: it is damaged, or another program has written it. */
export class UnreadableSessionError extends AcpError {
  override readonly name = "UnreadableSessionError";

  /** @param place where the session is stored */
  constructor(place: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(sentences.storedUnreadable(place, reason), undefined, { cause });
  }
}

/** Returns the error for a cursor that does not come from a page of a list. */
export function invalidCursor(): RpcError {
  return RpcError.invalidParams("Invalid cursor", { pointer: "/cursor" });
}
