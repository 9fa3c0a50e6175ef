import { INITIALIZE } from "../runtime/conformance/conversation.js";
import { at, textOf } from "../runtime/conformance/select.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";
import { isRecord } from "../runtime/rpc/messages.js";
import { DEFAULT_LINE_LIMIT } from "../runtime/rpc/transports/lines.js";
import { directionIn, timeIn, type Direction } from "./direction.js";
import {
  isMessage,
  readEvent,
  readRecord,
  readText,
  timeOf,
  type Recorded,
  type RecordedEvent,
} from "./record.js";

/** Why a line has no message. */
export interface Broken {
  readonly rule: string;
  readonly message: string;
  /** The side that has sent the line. */
  readonly from?: Side;
  readonly text?: string;
}

/** What a capture has in one place: a message, a broken line, or something else that happened. */
export type Captured = {
  /** The number of the line, or of the first one. */
  readonly number: number;
  /** Length of its text in UTF-16 code units. */
  readonly size: number;
  /** In milliseconds. */
  readonly time?: number;
} & (
  { readonly recorded: Recorded } | { readonly broken: Broken } | { readonly event: RecordedEvent }
);

export interface CaptureReader {
  /** Takes a line; what it completes was passed on when it returns. */
  line(text: string, number: number): void;
  /** Takes a line that cannot be read. */
  broken(reason: keyof typeof REASONS, number: number): void;
  end(): void;
}

const REASONS = {
  "not-utf8": "the line is not UTF-8 text",
  "too-long": "the line is longer than receivers accept",
} as const;

/** How long the lines before the first message may be together, in UTF-16 code units. */
const MOST_WAITING = 4 * 1024 * 1024;

/** How many braces in a line may be the beginning of its message. */
const MOST_TRIED = 5;

/** How far below a record of a structured log its message may be. */
const DEEPEST = 3;

/** A value that goes on over several lines. */
interface Held {
  readonly number: number;
  readonly prefix: string;
  text: string;
  depth: number;
}

/** A line without a message. */
interface Unused {
  readonly text: string;
  readonly number: number;
  readonly reason: string;
  /** What it is instead, if it is JSON. */
  readonly other?: unknown;
}

/** A message in a record, with the texts beside it. */
interface Nested {
  readonly message: object;
  readonly prefix: string;
}

/**
 * Reads what people have: a message or a record for each line, or a log, in which messages follow
 * a time and an arrow, are texts in JSON, go on over several lines, or stand in an array. The first
 * message decides whether the capture is a log: only in a log, lines without a message are allowed.
 *
 * @param recorder the side that wrote it, for arrows and directions; when absent, the side that
 *   sent or received `initialize`
 */
export function createCaptureReader(
  take: (captured: Captured) => void,
  recorder?: Side,
): CaptureReader {
  let side: Side = recorder ?? "client";
  let format: "lines" | "log" | undefined;
  let isInArray = false;
  let held: Held | undefined;
  /** Lines without a message, until the format is known. */
  let waiting: (Unused | Captured)[] = [];
  let waitingSize = 0;
  /** The last line without a message: a heading may have the direction of what follows. */
  let heading = "";

  const decide = (found: "lines" | "log"): void => {
    if (format !== undefined) return;
    format = found;
    const before = waiting;
    waiting = [];
    for (const item of before) ("reason" in item ? skip : take)(item as Unused & Captured);
  };
  /** Takes what does not decide about the format. */
  const give = (captured: Captured): void => {
    if (waiting.length === 0) take(captured);
    else waiting.push(captured);
  };
  /** Takes a line without a message. */
  const skip = (unused: Unused): void => {
    const { text, number, reason, other } = unused;
    heading = text;
    if (format === undefined) {
      waiting.push(unused);
      waitingSize += text.length + 1;
      if (waitingSize > MOST_WAITING) decide("lines");
    } else if (format === "log") take({ number, size: text.length, event: { kind: "text", text } });
    else if (other === undefined) take({ number, size: 0, broken: notJson(reason) });
    else take({ number, size: text.length, recorded: { message: other } });
  };
  const resolveSide = (direction: Direction | undefined, message: unknown): Side | undefined => {
    if (direction !== "recorder" && direction !== "other") return direction;
    const from = direction === "recorder" ? side : otherSide(side);
    if (!isMisread({ message, from })) return from;
    side = otherSide(side);
    return otherSide(from);
  };
  /** Returns whether an `initialize` seems to come from the agent, so that the agent has written the capture. */
  const isMisread = ({ message, from }: Recorded): boolean =>
    recorder === undefined &&
    from === "agent" &&
    INITIALIZE.includes(textOf(at(message, "method")));
  /** Takes a message of a log. */
  const logged = ({ message, prefix }: Nested, number: number, size: number): void => {
    decide("log");
    const from = resolveSide(directionIn(prefix), message);
    const time = timeIn(prefix);
    const recorded = from === undefined ? { message } : { message, from };
    take({ number, size, recorded, ...(time !== undefined && { time }) });
  };
  /** Takes a JSON value that is a whole line, or several in a log. */
  const value = (given: unknown, number: number, size: number, isFirst: boolean): void => {
    const time = timeOf(given);
    const common = { number, size, ...(time !== undefined && { time }) };
    const event = readEvent(given);
    if (event !== undefined) return give({ ...common, event });
    const text = readText(given);
    if (text !== undefined) {
      decide("lines");
      const { reason = "", ...sent } = text;
      return take({ ...common, broken: { ...explain(reason), ...sent } });
    }
    const nested = nestedIn(given);
    if (nested !== undefined) return logged(nested, number, size);
    let recorded: Recorded;
    try {
      recorded = readRecord(given, side);
      const other = readRecord(given, otherSide(side));
      // A sender that depends on who has written it.
      if (recorded.from !== other.from && isMisread(recorded)) {
        side = otherSide(side);
        recorded = other;
      }
    } catch (error) {
      return skip({ text: JSON.stringify(given), number, reason: reasonOf(error) });
    }
    if (recorded.message === given && !isMessage(given) && !Array.isArray(given)) {
      if (isFirst && isRecord(given)) take({ ...common, event: { kind: "header" } });
      else skip({ text: JSON.stringify(given), number, reason: "", other: given });
      return;
    }
    decide("lines");
    take({ ...common, recorded });
  };

  const line = (text: string, number: number): void => {
    if (held !== undefined) return go(held, text, number);
    const whole = parse(text);
    if (whole.ok) {
      const isList = Array.isArray(whole.value) && whole.value.some(isWrapped);
      const values = isList ? (whole.value as unknown[]) : [whole.value];
      const isFirst = format === undefined && waiting.length === 0;
      return values.forEach((one) => value(one, number, text.length, isFirst));
    }
    if (format === "lines" && !isInArray) return skip({ text, number, reason: whole.reason });
    const rest = text.trimStart();
    if (rest.startsWith("[") && format === undefined && waiting.length === 0 && !isInArray) {
      isInArray = true;
      const inner = rest.slice(1);
      return inner.trim() === "" ? undefined : line(inner, number);
    }
    if (isInArray && /^\s*[\],]*\s*$/.test(text)) return;
    for (const start of bracesIn(text)) {
      const found = parse(text.slice(start, text.lastIndexOf("}") + 1));
      if (!found.ok) continue;
      const prefix = text.slice(0, start);
      if (prefix.trim() === "" && isInArray) return value(found.value, number, text.length, false);
      const nested = isMessage(found.value)
        ? { message: found.value as object, prefix }
        : nestedIn(found.value);
      if (nested === undefined) continue;
      return logged({ ...nested, prefix: `${prefix} ${nested.prefix}` }, number, text.length);
    }
    for (const start of bracesIn(text)) {
      const depth = depthAfter(text.slice(start), 0);
      if (depth === undefined || depth === 0) continue;
      held = { number, prefix: text.slice(0, start), text: text.slice(start), depth };
      return;
    }
    skip({ text, number, reason: whole.reason });
  };
  /** Goes on with a value of several lines. */
  const go = (begun: Held, text: string, number: number): void => {
    const depth = depthAfter(text, begun.depth);
    const isLost = depth === undefined || begun.text.length + text.length > DEFAULT_LINE_LIMIT;
    if (isLost || hasMessage(text)) {
      abandon(begun);
      return line(text, number);
    }
    begun.text += `\n${text}`;
    begun.depth = depth;
    if (depth > 0) return;
    held = undefined;
    const found = parse(begun.text.slice(0, begun.text.lastIndexOf("}") + 1));
    if (!found.ok) return skip({ text: begun.text, number: begun.number, reason: found.reason });
    const size = begun.text.length;
    const above = begun.prefix.trim() === "" ? heading : begun.prefix;
    heading = "";
    if (isMessage(found.value)) {
      logged({ message: found.value as object, prefix: above }, begun.number, size);
    } else value(found.value, begun.number, size, false);
  };
  /** Gives up a value that is not completed. */
  const abandon = ({ prefix, text, number }: Held): void => {
    held = undefined;
    skip({ text: prefix + text, number, reason: "the value is not complete" });
  };

  return {
    line,
    broken: (reason, number) => {
      if (held !== undefined) abandon(held);
      give({ number, size: 0, broken: { rule: reason, message: REASONS[reason] } });
    },
    end: () => {
      if (held !== undefined) abandon(held);
      decide("lines");
    },
  };
}

function notJson(message: string): Broken {
  return { rule: "not-json", message: message.slice(0, 200) };
}

/** Explains a line that was recorded as text. */
function explain(reason: string): Pick<Broken, "rule" | "message"> {
  if (Object.hasOwn(REASONS, reason))
    return { rule: reason, message: REASONS[reason as keyof typeof REASONS] };
  return { rule: "not-json", message: "the line is not JSON" };
}

type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether a line has a whole message or record that is not the value of a member. */
function hasMessage(text: string): boolean {
  const start = text.indexOf("{");
  if (start < 0 || /":\s*$/.test(text.slice(0, start))) return false;
  const parsed = parse(text.slice(start, text.lastIndexOf("}") + 1));
  return parsed.ok && (isMessage(parsed.value) || isWrapped(parsed.value));
}

/** Returns whether a value is a record around a message. */
function isWrapped(value: unknown): boolean {
  try {
    return isRecord(value) && !isMessage(value) && readRecord(value).message !== value;
  } catch {
    return false;
  }
}

/** Finds the message in a record of a structured log; undefined for records that name their message. */
function nestedIn(value: unknown, depth = 0): Nested | undefined {
  if (
    !isRecord(value) ||
    depth > DEEPEST ||
    (depth === 0 && (isMessage(value) || isWrapped(value)))
  )
    return undefined;
  const members = Object.values(value);
  const texts = members.filter((member) => typeof member === "string");
  const beside = (own: string): string =>
    [...texts.filter((text) => !text.includes("{")), own].join(" ");
  for (const member of members) {
    if (isMessage(member)) return { message: member as object, prefix: beside("") };
    if (typeof member === "string" && member.includes("{")) {
      const start = member.indexOf("{");
      const parsed = parse(member.slice(start, member.lastIndexOf("}") + 1));
      if (parsed.ok && isMessage(parsed.value))
        return { message: parsed.value as object, prefix: beside(member.slice(0, start)) };
    }
    const inner = nestedIn(member, depth + 1);
    if (inner !== undefined) return { ...inner, prefix: beside(inner.prefix) };
  }
  return undefined;
}

function* bracesIn(text: string): Generator<number> {
  let start = -1;
  for (let left = MOST_TRIED; left > 0; left--) {
    start = text.indexOf("{", start + 1);
    if (start < 0) return;
    yield start;
  }
}

/**
 * Returns how many objects and lists are open after a text; undefined where it ends in the middle
 * of a string, which no line does, or closes more than are open.
 */
function depthAfter(text: string, before: number): number | undefined {
  let depth = before;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (isInString) {
      if (char === "\\") index++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return 0;
    }
  }
  return isInString || depth < 0 ? undefined : depth;
}
