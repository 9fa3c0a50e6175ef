import { isInstance } from "../acp-error.js";
import { isRecord } from "../rpc/messages.js";
import {
  invalidCursor,
  StaleSessionError,
  UnreadableSessionError,
  type SessionBackend,
  type SessionEntry,
  type SessionKey,
  type StoredSession,
} from "./session-backend.js";
import * as sentences from "../sentences.js";

/** The number of sessions in a page of a list; with a filter, there may be up to `READ_AT_ONCE` more. */
const PAGE_SIZE = 200;

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
  /** Returns the names of all values of an owner, the one that was set last first. */
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
 * and of the id, which can be any string. The bindings of other languages store the same values.
 *
 * A list has pages, and sessions may be saved and deleted while a client reads them. A session that does
 * not change in the meantime is listed exactly once; one that changes moves to the front, so that it may be
 * missing or listed twice. If all of the last 16 sessions of a page change or are deleted before the next
 * page is read, that page may also repeat sessions that have not changed. A value that is not a session is
 * not listed, but written to the console once.
 */
export function keyValueSessions(store: KeyValueStore): SessionBackend {
  const placeOf = ({ principal, sessionId }: SessionKey): Promise<[string, string]> =>
    Promise.all([hash(principal), hash(sessionId)]);
  const report = createReport();
  const read = async (owner: string, name: string) => {
    const found = await store.get(owner, name);
    if (found === undefined) return undefined;
    const { value, revision } = found;
    return { ...parse(value, `${owner}/${name} with revision ${revision}`), revision };
  };
  const readEntry = async (owner: string, name: string): Promise<SessionEntry | undefined> => {
    try {
      const found = await read(owner, name);
      return found && entryOf(found);
    } catch (error) {
      if (!isInstance(error, UnreadableSessionError)) throw error;
      report(error.message);
      return undefined;
    }
  };
  return {
    load: async (key) => {
      const found = await read(...(await placeOf(key)));
      return found && { ...found.session, revision: found.revision };
    },
    save: async (key, session, revision) => {
      const content: SessionValue = { ...key, session, save: crypto.randomUUID() };
      const saved = await store.set(...(await placeOf(key)), JSON.stringify(content), revision);
      if (saved === undefined) throw new StaleSessionError(key.sessionId);
      return saved;
    },
    delete: async (key) => store.delete(...(await placeOf(key))),
    list: async (principal, { cwd, cursor }) => {
      const owner = await hash(principal);
      const names = (await store.names(owner)).filter((name) => /^[0-9a-f]{64}$/.test(name));
      const sessions: SessionEntry[] = [];
      let at = placeBehind(cursor ?? undefined, names);
      for (; at < names.length && sessions.length < PAGE_SIZE; at += READ_AT_ONCE) {
        const part = names.slice(at, at + READ_AT_ONCE);
        for (const entry of await Promise.all(part.map((name) => readEntry(owner, name))))
          if (entry !== undefined && (cwd ?? entry.cwd) === entry.cwd) sessions.push(entry);
      }
      return { sessions, ...(at < names.length && { nextCursor: cursorOf(names.slice(0, at)) }) };
    },
  };
}

/** Returns a function that writes each text to the console once. */
function createReport(): (text: string) => void {
  const reported = new Set<string>();
  return (text) => {
    if (!reported.has(text)) console.error("acp:", text);
    reported.add(text);
  };
}

/**
 * Returns the cursor of a page that ends with the last of some names. It consists of prefixes of the last
 * 16, since some of their sessions may have changed or been deleted when the next page is read.
 */
function cursorOf(names: readonly string[]): string {
  return names
    .slice(-16)
    .map((name) => name.slice(0, 16))
    .join("");
}

/**
 * Returns the index behind the names of a cursor. Sessions that have changed since are in front of all
 * others, so the last name that is found belongs to a session that has not.
 */
function placeBehind(cursor: string | undefined, names: readonly string[]): number {
  if (cursor === undefined) return 0;
  if (!/^(?:[0-9a-f]{16}){1,16}$/.test(cursor)) throw invalidCursor();
  const listed = new Set(cursor.match(/.{16}/g));
  return names.map((name) => listed.has(name.slice(0, 16))).lastIndexOf(true) + 1;
}

/** @throws UnreadableSessionError for a text that is not the value of a session */
function parse(text: string, place: string): SessionValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnreadableSessionError(place, error);
  }
  if (isSessionValue(value)) return value;
  throw new UnreadableSessionError(place, sentences.valueIsNoSession);
}

function isSessionValue(value: unknown): value is SessionValue {
  if (!isRecord(value) || !isRecord(value["session"])) return false;
  const { cwd, title = "", updatedAt, state, prompts = {} } = value["session"];
  const texts = [value["sessionId"], cwd, title, updatedAt, state];
  if (isRecord(prompts)) texts.push(...Object.values(prompts));
  return isRecord(prompts) && texts.every((text) => typeof text === "string");
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
