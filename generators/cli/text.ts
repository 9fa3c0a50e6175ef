/** Control characters as escapes: a file may hold what a terminal would obey. */
export function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A number of things: `1 file`, `2 files`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
