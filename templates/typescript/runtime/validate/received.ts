/** The objects and lists that this side has received, as far as they have anything unknown, with their names. */
const received = new WeakMap<object, readonly string[]>();

/**
 * Marks a value as received, with everything in it, and returns it: it may be sent with properties,
 * variants and values that this version does not know.
 *
 * Params and results that a connection receives are marked. This function is for a value that a
 * schema has decoded, for one that was stored and read again, `asReceived(JSON.parse(text))`, and
 * for a copy: `asReceived({ ...params })`.
 */
export function asReceived<T>(value: T): T {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const part = stack.pop();
    if (typeof part !== "object" || part === null || received.has(part)) continue;
    received.set(part, Array.isArray(part) ? [] : Object.keys(part));
    for (const inner of Object.values(part)) stack.push(inner);
  }
  return value;
}

/** Returns whether an object or a list was received with something unknown in it or around it. */
export function isReceived(value: object): boolean {
  return received.has(value);
}

/** Returns the names of the properties that an object had when it was received; none for any other object. */
export function receivedNames(value: object): readonly string[] {
  return received.get(value) ?? [];
}

/**
 * Returns whether the params of a notification are a chunk of plain text. Nearly all are during a
 * turn, and such a chunk has nothing unknown that could be sent again.
 */
export function isPlainChunk(params: unknown): boolean {
  const { update } = params as { readonly update?: { readonly content?: unknown } | null };
  const content = update?.content;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
  for (const key in content) if (key !== "type" && key !== "text") return false;
  return (content as { readonly type?: unknown }).type === "text";
}
