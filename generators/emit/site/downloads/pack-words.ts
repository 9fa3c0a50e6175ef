/**
 * Returns the words of entries as an index, each word once: half as large, compressed, as the
 * entries with their words. `templates/site/assets/search.js` unpacks it.
 *
 * @returns `words`: sorted; of each the length of the start that it shares with the one before, in
 *   base 36, and what follows; `places`: for each word a character per entry that has it, whose
 *   code is the distance from the entry before
 */
export function packWords(entries: readonly (readonly string[])[]): {
  readonly words: string;
  readonly places: string;
} {
  const placesOf = new Map<string, number[]>();
  for (const [place, words] of entries.entries())
    for (const word of words)
      if (word !== "") placesOf.set(word, [...(placesOf.get(word) ?? []), place]);
  const sorted = [...placesOf.keys()].sort();
  const words = sorted.map((word, index) => {
    const shared = sharedStart(word, sorted[index - 1] ?? "");
    return shared.toString(36) + word.slice(shared);
  });
  const distances = sorted.map((word) =>
    placesOf.get(word)!.map((place, index, all) => place - (all[index - 1] ?? 0)),
  );
  const places = distances.map((all) => String.fromCharCode(...all.map((one) => FIRST + one)));
  return { words: words.join(" "), places: places.join(" ") };
}

/** The code of the distance 0: JSON needs no escape for it and most that follow. */
const FIRST = 35;

/** At most 35: one digit. */
function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < 35 && length < one.length && one[length] === other[length]) length++;
  return length;
}
