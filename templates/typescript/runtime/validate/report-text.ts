/** Returns a key as a reference token of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Describes a value for people: at most 100 characters, without the contents of objects. */
export function render(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value === "string") return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : shorten(String(value));
}

/** The most characters of a peer's text in a report, in code points. */
const LONGEST = 60;

/** Limits how much of a peer's text reports contain. */
export function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const points = Array.from(text.slice(0, 2 * LONGEST + 1));
  return points.length > LONGEST ? `${points.slice(0, LONGEST).join("")}…` : text;
}
