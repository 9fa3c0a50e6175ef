/**
 * Puts items that name predecessors behind the last of those that are present;
 * all others keep their place. Items behind the same predecessor keep their
 * order among each other; one with no predecessor present goes last.
 *
 * @param nameOf the name others refer to
 * @param afterOf the names to stand behind; absent keeps the place
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
