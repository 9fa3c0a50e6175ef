import type { Side } from "../../typescript/runtime/conformance/transcript.js";

/** The sender that a log names, or the direction as the side sees it that wrote the log. */
export type LoggedDirection = Side | "recorder" | "other";

/** How much of a text before a message is looked at, in characters. */
const LOOKED_AT = 80;

/** What logs write before a message; the one that ends last counts, and of two the first row. */
const MARKS: readonly (readonly [mark: RegExp, direction: LoggedDirection])[] = [
  [
    /client *(?:->|→|=>|>|to) *agent|agent *(?:<-|←|<=|<) *client|(?:to|for)[ _-]?agent/gi,
    "client",
  ],
  [
    /agent *(?:->|→|=>|>|to) *client|client *(?:<-|←|<=|<) *agent|(?:to|for)[ _-]?client/gi,
    "agent",
  ],
  [/from[ _-]?client|\bstdin\b/gi, "client"],
  [/from[ _-]?agent|\bstdout\b/gi, "agent"],
  [
    /-+>|=+>|→|⇒|▶|>>+|>(?=\s*$)|\bout(?:going|bound)?\b|\bsen[dt]\b|\bsending\b|\btx\b/gi,
    "recorder",
  ],
  [
    /<-+|<=+|←|⇐|◀|<<+|<(?=\s*$)|\bincoming\b|\binbound\b|\bin\b(?=\W*$)|\brecv\b|\breceiv|\brx\b/gi,
    "other",
  ],
];

/** Returns the direction in what a log writes before a message; undefined when there is none. */
export function directionIn(prefix: string): LoggedDirection | undefined {
  const text = prefix.slice(-LOOKED_AT);
  let found: LoggedDirection | undefined;
  let last = -1;
  for (const [mark, direction] of MARKS) {
    const match = [...text.matchAll(mark)].at(-1);
    const end = match === undefined ? -1 : match.index + match[0].length;
    if (end <= last) continue;
    last = end;
    found = direction;
  }
  return found;
}

const DATE = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/;
const CLOCK = /\b(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,3}))?/;

/** Returns the time in what a log writes before a message, in milliseconds; of a day without a date. */
export function timeIn(prefix: string): number | undefined {
  const date = DATE.exec(prefix)?.[0];
  if (date !== undefined) {
    const time = Date.parse(date.replace(",", ".").replace(" ", "T"));
    return Number.isNaN(time) ? undefined : time;
  }
  const clock = CLOCK.exec(prefix);
  if (clock === null) return undefined;
  const [, hours, minutes, seconds, fraction = "0"] = clock;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, "0"));
}
