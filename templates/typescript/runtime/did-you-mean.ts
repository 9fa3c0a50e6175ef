import * as sentences from "./sentences.js";

/** Returns ` (did you mean "x"?)` for the most similar name, or an empty string when none is similar. */
export function didYouMean(given: string, names: Iterable<string>): string {
  let nearest: string | undefined;
  let least = Math.max(2, given.length / 3);
  for (const name of names) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance > least) continue;
    nearest = name;
    least = distance - 1;
  }
  return nearest === undefined ? "" : sentences.didYouMean(nearest);
}

/** Returns the Levenshtein distance between two strings. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
