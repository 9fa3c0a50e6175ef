/** The limits of what the bridge keeps; the least recently used entry is forgotten first. */
export const LIMITS = {
  sessions: 1000,
  /** Messages, tool calls and plans of a session, each. */
  items: 2000,
  terminals: 100,
  /** Of the output of a terminal and of the text of a message, in UTF-16 units. */
  text: 64 * 1024,
  /** Of the items in the content of a tool call. */
  content: 1000,
  /** Requests in one direction that are not answered. */
  requests: 10_000,
  /** Messages that arrive before `initialize` was answered. */
  early: 1000,
} as const;

/** A map with a limit, which forgets the least recently used entry. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  #latest: Key | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns an entry and counts it as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // The order only matters when something may soon be forgotten.
    const isFree = this.#entries.size <= this.#limit / 2;
    if (value === undefined || key === this.#latest || isFree) return value;
    this.#latest = key;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#latest = key;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value!);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }
}
