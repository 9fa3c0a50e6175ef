/**
 * Moves items behind the last of their predecessors that is present; the order is otherwise kept. An
 * item without a present predecessor goes last.
 *
 * @param nameOf returns the name that others refer to
 * @param afterOf returns the names of the predecessors; undefined keeps the place
 */
export function placeAfter<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  afterOf: (item: T) => readonly string[] | undefined,
): T[] {
  const placed = items.filter((item) => afterOf(item) === undefined);
  let waiting = items.filter((item) => afterOf(item) !== undefined);
  while (waiting.length > 0) {
    // An item waits until every predecessor that is present has its place.
    const unplaced = new Set(waiting.map(nameOf));
    const ready = waiting.filter((item) => !afterOf(item)!.some((name) => unplaced.has(name)));
    const next = ready.length > 0 ? ready : waiting;
    for (const item of next.toReversed()) {
      const positions = afterOf(item)!.map((name) =>
        placed.findLastIndex((other) => nameOf(other) === name),
      );
      const position = Math.max(...positions);
      placed.splice(position < 0 ? placed.length : position + 1, 0, item);
    }
    waiting = waiting.filter((item) => !next.includes(item));
  }
  return placed;
}
