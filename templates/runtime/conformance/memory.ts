import { isRecord } from "../rpc/messages.js";

/** Ids are shorter; longer ones are not kept. */
const LONGEST_KEY = 256;

/** Whether a value is small enough to be kept as a key. */
function isKey(value: unknown): boolean {
  return typeof value === "string" ? value.length <= LONGEST_KEY : Object(value) !== value;
}

/**
 * A map for conversations that go on for ever: it forgets what was set longest
 * ago, half of it at a time, and never keeps large keys.
 */
export class RecentMap<Key, Value> {
  /** Whether something is missing that was set. */
  hasForgotten = false;
  #old = new Map<Key, Value>();
  #young = new Map<Key, Value>();

  /** @param most how many entries are kept at most; half as many are never forgotten */
  constructor(readonly most: number) {}

  get size(): number {
    return this.#old.size + this.#young.size;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  /** Whether a key is there, or may have been. */
  mayHave(key: Key): boolean {
    return this.hasForgotten || this.has(key);
  }

  /** What is set again counts as new. */
  set(key: Key, value: Value): void {
    if (!isKey(key)) {
      this.hasForgotten = true;
      return;
    }
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size * 2 >= this.most) this.forgetHalf();
  }

  delete(key: Key): void {
    this.#old.delete(key);
    this.#young.delete(key);
  }

  /** Forgets everything that was not set since the last time. */
  forgetHalf(): void {
    if (this.#old.size > 0) this.hasForgotten = true;
    this.#old = this.#young;
    this.#young = new Map();
  }

  *[Symbol.iterator](): Generator<[Key, Value]> {
    yield* this.#old;
    yield* this.#young;
  }

  *values(): Generator<Value> {
    yield* this.#old.values();
    yield* this.#young.values();
  }
}

/** A set that forgets what was added longest ago, and never keeps large values. */
export class RecentSet<Value> {
  readonly #values: RecentMap<Value, true>;

  /** @param most how many values are kept at most; half as many are never forgotten */
  constructor(most: number) {
    this.#values = new RecentMap(most);
  }

  get size(): number {
    return this.#values.size;
  }

  add(value: Value): void {
    this.#values.set(value, true);
  }

  has(value: Value): boolean {
    return this.#values.has(value);
  }

  /** Whether a value is there, or may have been. */
  mayHave(value: Value): boolean {
    return this.#values.mayHave(value);
  }

  delete(value: Value): void {
    this.#values.delete(value);
  }
}

/** Texts in what is kept of a request are at most this long; no id or name is longer. */
const LONGEST_TEXT = 256;
const DEEPEST = 16;

/**
 * A copy of params that is worth keeping until their response comes: without
 * long texts, which no rule asks for then.
 *
 * @param most how many values are kept at most
 */
export function keepSmall(value: unknown, most = 1000): unknown {
  let left = most;
  const copy = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") return part.length <= LONGEST_TEXT ? part : undefined;
    if (typeof part !== "object" || part === null) return part;
    if (depth > DEEPEST) return undefined;
    const entries: [string, unknown][] = [];
    const isList = Array.isArray(part);
    for (const name in part) {
      if ((left -= 1) < 0) break;
      if (!isKey(name) || !Object.hasOwn(part, name)) continue;
      const kept = copy((part as Readonly<Record<string, unknown>>)[name], depth + 1);
      if (kept !== undefined) entries.push([name, kept]);
    }
    return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  return copy(value, 0);
}

/** Whether a value from a message is small enough to be kept as it is. */
export function isSmall(value: unknown, most = 10_000): boolean {
  const parts: unknown[] = [value];
  for (let size = 0; parts.length > 0;) {
    const part = parts.pop();
    size += typeof part === "string" ? 1 + part.length / 64 : 1;
    if (size + parts.length > most) return false;
    if (Array.isArray(part)) for (const item of part) parts.push(item);
    else if (isRecord(part)) for (const name in part) parts.push(name, part[name]);
  }
  return true;
}
