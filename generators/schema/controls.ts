/**
 * Control characters but tabs as escapes, line breaks too: an input may hold what a
 * terminal or a pipeline would obey, such as a line that begins with `::error`.
 */
export function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
