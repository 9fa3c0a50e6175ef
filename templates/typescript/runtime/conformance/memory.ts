import { isRecord } from "../rpc/messages.js";

/** The maximum length of a key; longer keys are not kept. */
const MAX_KEY_LENGTH = 256;

/** Returns whether a value is small enough for a key. */
function isKey(value: unknown): boolean {
  return typeof value === "string" ? value.length <= MAX_KEY_LENGTH : Object(value) !== value;
}

/**
 * A map for unlimited conversations: it drops the oldest half of its entries when it is full, and
 * never keeps large keys.
 */
export class RecentMap<Key, Value> {
  /** The maximum number of entries; half as many are never dropped. */
  readonly most: number;
  /** Whether an entry that was set was dropped or not kept. */
  hasForgotten = false;
  #old = new Map<Key, Value>();
  #young = new Map<Key, Value>();

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.#old.size + this.#young.size;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  /** Returns whether a key is present, or may have been. */
  mayHave(key: Key): boolean {
    return this.hasForgotten || this.has(key);
  }

  /** Sets an entry and marks it as recent. */
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

  /** Drops all entries that were not set since the last call. */
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

/** A set that drops its oldest values, and never keeps large ones. */
export class RecentSet<Value> {
  readonly #values: RecentMap<Value, true>;

  /** @param most the maximum number of values; half as many are never dropped */
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

  /** Returns whether a value is present, or may have been. */
  mayHave(value: Value): boolean {
    return this.#values.mayHave(value);
  }

  delete(value: Value): void {
    this.#values.delete(value);
  }
}

/** The maximum length of strings in remembered requests; ids and names are shorter. */
const MAX_TEXT_LENGTH = 256;
const DEEPEST = 16;

/**
 * Returns a copy of params to keep until their response arrives, without long strings, since
 * rules for responses never use them.
 *
 * @param most the maximum number of values
 */
export function keepSmall(value: unknown, most = 1000): unknown {
  let left = most;
  const copy = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") return part.length <= MAX_TEXT_LENGTH ? part : undefined;
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

/** Returns whether a value of a message is small enough to be kept unchanged. */
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
