import {
  StaleSessionError,
  type SessionBackend,
  type SessionEntry,
  type SessionKey,
  type StoredSession,
} from "./session-backend.js";

/** The maximum number of sessions in a list. */
const MOST_LISTED = 200;

/** How many sessions a list reads at the same time. */
const READ_AT_ONCE = 20;

/**
 * A store that sets a value only if nobody else has changed it: the table of a database, a bucket, a
 * folder. A value is found by an owner and a name, which have 64 hexadecimal digits each.
 */
export interface KeyValueStore {
  /** Returns a value with its revision; undefined if there is none. */
  get(
    owner: string,
    name: string,
  ): Promise<{ readonly value: string; readonly revision: string } | undefined>;
  /**
   * Sets a value, if its revision is still the given one.
   *
   * @param revision undefined for a value that must not exist yet
   * @returns a revision that no value of this name has had, not even before a deletion; undefined if
   *   the value has another revision than the given one
   */
  set(
    owner: string,
    name: string,
    value: string,
    revision: string | undefined,
  ): Promise<string | undefined>;
  /** Removes a value; one that does not exist is not an error. */
  delete(owner: string, name: string): Promise<void>;
  /** Returns the names of an owner's values, the one that was set last first. */
  names(owner: string): Promise<readonly string[]>;
}

/** What a value contains, as JSON. */
interface SessionValue extends SessionKey {
  readonly session: StoredSession;
  /** Makes each value another one, for stores whose revisions are hashes. */
  readonly save: string;
}

/**
 * Returns a backend that keeps each session as one value. Owners and names are hashes of the principal
 * and of the id, which can be any string. Lists have the 200 newest sessions. The bindings of other
 * languages store the same values.
 */
export function keyValueSessions(store: KeyValueStore): SessionBackend {
  const placeOf = ({ principal, sessionId }: SessionKey): Promise<[string, string]> =>
    Promise.all([hash(principal), hash(sessionId)]);
  return {
    load: async (key) => {
      const found = await store.get(...(await placeOf(key)));
      if (found === undefined) return undefined;
      const { session } = JSON.parse(found.value) as SessionValue;
      return { ...session, revision: found.revision };
    },
    save: async (key, session, revision) => {
      const content: SessionValue = { ...key, session, save: crypto.randomUUID() };
      const saved = await store.set(...(await placeOf(key)), JSON.stringify(content), revision);
      if (saved === undefined) throw new StaleSessionError(key.sessionId);
      return saved;
    },
    delete: async (key) => store.delete(...(await placeOf(key))),
    list: async (principal, { cwd }) => {
      const owner = await hash(principal);
      const names = await store.names(owner);
      const sessions: SessionEntry[] = [];
      for (let at = 0; at < names.length && sessions.length < MOST_LISTED; at += READ_AT_ONCE) {
        const part = names.slice(at, at + READ_AT_ONCE);
        for (const found of await Promise.all(part.map((name) => store.get(owner, name))))
          if (found !== undefined) {
            const entry = entryOf(JSON.parse(found.value) as SessionValue);
            if ((cwd ?? entry.cwd) === entry.cwd) sessions.push(entry);
          }
      }
      return { sessions: sessions.slice(0, MOST_LISTED) };
    },
  };
}

function entryOf({ sessionId, session: { cwd, title, updatedAt } }: SessionValue): SessionEntry {
  return { sessionId, cwd, title, updatedAt };
}

/** Returns the SHA-256 of a string in JSON, which has a form in UTF-8 even for lone surrogates. */
async function hash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(text));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
