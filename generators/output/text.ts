/** Control characters have no place in a document; each is replaced by a sign that can be seen. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029]/g, "\uFFFD");
}

/** Returns a text with the line ends of a run, of which a checkout on Windows may have made CRLF. */
export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The start of a text, at most so many characters (code points) long, cut between words. */
export function clip(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  if (characters.length <= length) return characters.join("");
  const start = characters.slice(0, length - 1).join("");
  const space = start.lastIndexOf(" ");
  return `${(space > start.length / 2 ? start.slice(0, space) : start).replace(/[\s.,;:]+$/, "")}…`;
}

/** Returns JSON that cannot end the script that it stands in. */
export function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
