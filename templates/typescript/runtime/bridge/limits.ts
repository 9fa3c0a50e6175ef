/** The limits of what the bridge keeps; the least recently used entry is forgotten first. */
export const LIMITS = {
  sessions: 1000,
  /** Prompts of a session that are not answered. */
  prompts: 100,
  /** Messages, tool calls and plans of a session, each. */
  items: 2000,
  terminals: 100,
  /** Of the output of a terminal and of the text of a message, in UTF-16 units. */
  text: 65_536,
  /** Of the items in the content of a tool call. */
  content: 1000,
  /** Of the content of a tool call, in UTF-16 units. */
  contentSize: 1_048_576,
  /** Of the messages, tool calls or terminals of a session, in UTF-16 units. */
  sessionSize: 8_388_608,
  /** Of all sessions together, and of the messages that arrive early, in UTF-16 units. */
  size: 33_554_432,
  /** Requests in one direction that are not answered. */
  requests: 10_000,
  /** Messages that arrive before `initialize` was answered. */
  early: 1000,
} as const;

/** A map with limits, which forgets the least recently used entry, but never the only one. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #sizes = new Map<Key, number>();
  readonly #limit: number;
  readonly #sizeLimit: number;
  readonly #isNeeded: (value: Value) => boolean;
  readonly #onForget: (value: Value) => void;
  #size = 0;
  #latest: Key | undefined;

  /**
   * @param limit the number of entries
   * @param sizeLimit the sum of their sizes
   * @param isNeeded whether an entry is forgotten only when all are needed
   * @param onForget called with an entry that a limit has removed
   */
  constructor(
    limit: number,
    sizeLimit: number = Infinity,
    isNeeded: (value: Value) => boolean = () => false,
    onForget: (value: Value) => void = () => {},
  ) {
    this.#limit = limit;
    this.#sizeLimit = sizeLimit;
    this.#isNeeded = isNeeded;
    this.#onForget = onForget;
  }

  /** The sum of the sizes of all entries. */
  get size(): number {
    return this.#size;
  }

  /** Returns an entry and counts it as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // The order only matters when something may soon be forgotten.
    const isFree = this.#entries.size <= this.#limit / 2 && this.#size <= this.#sizeLimit / 2;
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
    this.#forget();
  }

  /** Sets the size of an entry, which counts as used. */
  resize(key: Key, size: number): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#size += size - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, size);
    if (this.#size > this.#sizeLimit) this.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
    this.#size -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #oldest(): [Key, Value] {
    let left = this.#entries.size;
    // The last one was used just now.
    for (const entry of this.#entries) if (--left > 0 && !this.#isNeeded(entry[1])) return entry;
    return this.#entries.entries().next().value!;
  }

  #forget(): void {
    while (
      (this.#entries.size > this.#limit || this.#size > this.#sizeLimit) &&
      this.#entries.size > 1
    ) {
      const [key, value] = this.#oldest();
      this.delete(key);
      this.#onForget(value);
    }
  }
}

/** Returns the size of a value as JSON, in UTF-16 units; the limit when it is nested too deeply. */
export function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return LIMITS.size;
  }
}
