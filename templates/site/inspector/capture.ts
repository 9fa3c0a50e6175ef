import { INITIALIZING } from "../../typescript/runtime/conformance/conversation.js";
import { at, textOf } from "../../typescript/runtime/conformance/select.js";
import { otherSide, type Side } from "../../typescript/runtime/conformance/transcript.js";
import { isRecord } from "../../typescript/runtime/rpc/messages.js";
import { DEFAULT_LINE_LIMIT } from "../../typescript/runtime/rpc/transports/lines.js";
import { withAdvice } from "./advice.js";
import { directionIn, timeIn } from "./direction.js";
import {
  findMessage,
  findOpen,
  interrupts,
  isWrapped,
  nestedIn,
  isValueAt,
  parseText,
  readBrackets,
  parseReason,
} from "./find-message.js";
import {
  isMessage,
  readEvent,
  readRecord,
  readBrokenLine,
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

const REASONS = {
  "not-utf8": "the line is not UTF-8 text",
  "too-long": "the line is longer than receivers accept",
} as const;

/** How long the lines before the first message may be together, in UTF-16 code units. */
const MOST_WAITING = 4 * 1024 * 1024;

/** How much of a line is passed on when it has no message, in UTF-16 code units. */
const LONGEST_TEXT = 2000;

/** A line that is not a log's: its message is cut, or not JSON. */
const LIKE_A_MESSAGE = /^\s*\{\s*["']|["']jsonrpc["']/;

/** The commands of a terminal for colors, whose first character JSON does not have. */
const COLORS = new RegExp("\u001b\\[[\\d;]*m", "g");

/** A value that goes on over several lines. */
interface Held {
  readonly number: number;
  readonly prefix: string;
  text: string;
  depth: number;
}

/** A place in a capture. */
interface Place {
  readonly number: number;
  readonly size: number;
}

/**
 * What a capture is: lines that are messages or records, or a log, which has them among other lines.
 */
type Format = "lines" | "log";

/**
 * Reads what people have: a message or a record for each line, or a log, in which messages follow
 * a time and an arrow, are texts in JSON, go on over several lines, follow each other on a line, or
 * stand in an array or a code fence. The first message decides whether the capture is a log: only in a
 * log, lines without a message are allowed.
 */
export class CaptureReader {
  readonly #take: (captured: Captured) => void;
  readonly #recorder: Side | undefined;
  /** The side that has written the capture, for arrows and directions. */
  #side: Side;
  #format: Format | undefined;
  #isInArray = false;
  #held: Held | undefined;
  /** What came before the format was known. */
  #waiting: ((format: Format) => Captured)[] = [];
  #waitingSize = 0;
  /** The last text without a message: a heading may have the direction of what follows. */
  #heading = "";

  /**
   * @param take gets what a line completes before `line` returns
   * @param recorder the side that wrote it, for arrows and directions; when absent, the side that
   *   sent or received `initialize`
   */
  constructor(take: (captured: Captured) => void, recorder?: Side) {
    this.#take = take;
    this.#recorder = recorder;
    this.#side = recorder ?? "client";
  }

  /** Takes a line, whose colors are ignored. */
  line(given: string, number: number): void {
    const text = given.replace(COLORS, "");
    if (this.#held !== undefined) return this.#continue(this.#held, text, number);
    const whole = parseText(text);
    const place = { number, size: text.length };
    if (whole.ok) this.#whole(whole.value, place);
    else if (this.#format === "lines" && !this.#isInArray) this.#skip(text, place, whole.reason);
    else this.#search(text, number, whole.reason);
  }

  /** Takes a line that cannot be read. */
  broken(reason: keyof typeof REASONS, number: number): void {
    this.#abandon();
    this.#give({ number, size: 0, broken: { rule: reason, message: REASONS[reason] } });
  }

  end(): void {
    this.#abandon();
    this.#decide("lines");
  }

  /** Takes a line that is JSON. */
  #whole(value: unknown, place: Place): void {
    if (typeof value === "string" && this.#format !== "lines" && value.includes("{"))
      for (const text of value.split("\n")) this.line(text, place.number);
    else if (Array.isArray(value) && (value.some(isWrapped) || isConversation(value)))
      for (const item of value) this.#value(item, "", place);
    else this.#value(value, "", place);
  }

  /** Takes a line that has JSON in it, or a part of a value. */
  #search(text: string, number: number, reason: string): void {
    const isFirst = this.#format === undefined && this.#waiting.length === 0;
    if (isFirst && !this.#isInArray && /^\s*\[\s*(\{|$)/.test(text)) {
      this.#isInArray = true;
      const inner = text.slice(text.indexOf("[") + 1);
      return inner.trim() === "" ? undefined : this.line(inner, number);
    }
    if (this.#isInArray && /^\s*[\],]*\s*$/.test(text)) return;
    if (/^\s*```/.test(text)) this.#decide("log");
    if (!this.#takeValues(text, number, 0, ""))
      this.#skip(text, { number, size: text.length }, reason);
  }

  /**
   * Takes the values of a line that follow each other.
   *
   * @param start where the first one is searched for
   * @param before the text before the values on the line, when the first one has none
   * @returns whether there is any
   */
  #takeValues(text: string, number: number, start: number, before: string): boolean {
    let from = start;
    let prefix = before;
    for (;;) {
      const found = findMessage(text, from);
      if (found === undefined) break;
      if (found.prefix.trim() !== "") prefix = found.prefix;
      this.#value(found.value, prefix, { number, size: found.end - from }, this.#mixed);
      from = found.end;
      if (!isValueAt(text, from)) return true;
    }
    const open = findOpen(text, from);
    if (open === undefined) return from > start;
    const own = text.slice(from, open.start);
    prefix = own.trim() === "" ? prefix : own;
    this.#held = { number, prefix, text: text.slice(open.start), depth: open.depth };
    return true;
  }

  /** Takes the next line of a value. */
  #continue(held: Held, text: string, number: number): void {
    const brackets = readBrackets(text, 0, held.depth);
    const isTooLong = held.text.length + text.length > DEFAULT_LINE_LIMIT;
    if (brackets === undefined || isTooLong || interrupts(text)) {
      this.#abandon();
      return this.line(text, number);
    }
    held.text += `\n${text.slice(0, brackets.end)}`;
    held.depth = brackets.depth;
    if (held.depth > 0) return;
    this.#held = undefined;
    const place = { number: held.number, size: held.text.length };
    const found = parseText(held.text);
    if (!found.ok) return this.#skip(held.prefix + held.text, place, found.reason);
    const prefix = held.prefix.trim() === "" ? this.#heading : held.prefix;
    this.#heading = "";
    this.#value(found.value, prefix, place, this.#mixed);
    if (isValueAt(text, brackets.end)) this.#takeValues(text, number, brackets.end, prefix);
  }

  /** Gives up a value that is not completed. */
  #abandon(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    const { prefix, text, number } = held;
    this.#skip(prefix + text, { number, size: text.length }, "the value is not complete");
  }

  /** The format of a capture with a message that is not a line. */
  get #mixed(): Format {
    return this.#isInArray ? "lines" : "log";
  }

  /**
   * Takes a JSON value.
   *
   * @param prefix the text before it
   * @param format that of the capture if the value is the first message
   */
  #value(value: unknown, prefix: string, place: Place, format: Format = "lines"): void {
    const time = timeOf(value);
    const common = { ...place, ...(time !== undefined && { time }) };
    const event = readEvent(value);
    if (event !== undefined) return this.#give({ ...common, event });
    const sent = readBrokenLine(value);
    if (sent !== undefined) {
      this.#decide(format);
      const { reason = "", ...broken } = sent;
      return this.#take({ ...common, broken: { ...explain(reason, sent.text), ...broken } });
    }
    const nested = nestedIn(value);
    if (nested !== undefined) {
      this.#decide("log");
      return this.#message(
        () => ({ message: nested.message }),
        `${prefix} ${nested.prefix}`,
        place,
      );
    }
    try {
      if (readRecord(value).message === value && !isMessage(value) && !Array.isArray(value))
        return this.#skip(JSON.stringify(value), place, "", value);
    } catch (error) {
      return this.#skip(JSON.stringify(value), place, parseReason(error));
    }
    this.#decide(format);
    this.#message((side) => readRecord(value, side), prefix, common);
  }

  /** @param read reads the message as a side has recorded it */
  #message(
    read: (side: Side) => Recorded,
    prefix: string,
    common: Place & { time?: number },
  ): void {
    const direction = directionIn(prefix);
    const as = (side: Side): Recorded => {
      const recorded = read(side);
      if (recorded.from !== undefined || direction === undefined) return recorded;
      const from =
        direction === "recorder" ? side : direction === "other" ? otherSide(side) : direction;
      return { ...recorded, from };
    };
    let recorded = as(this.#side);
    const isMisread =
      this.#recorder === undefined &&
      recorded.from === "agent" &&
      INITIALIZING.includes(textOf(at(recorded.message, "method"))) &&
      as(otherSide(this.#side)).from === "client";
    if (isMisread) {
      // An `initialize` that came in: the agent has written the capture.
      this.#side = otherSide(this.#side);
      recorded = as(this.#side);
    }
    const time = common.time ?? timeIn(prefix);
    this.#take({ ...common, recorded, ...(time !== undefined && { time }) });
  }

  /**
   * Takes a line without a message.
   *
   * @param other its value if it is JSON
   */
  #skip(text: string, place: Place, reason: string, ...other: unknown[]): void {
    this.#heading = text;
    const isFirst = this.#format === undefined && this.#waiting.length === 0;
    const start = text.slice(0, LONGEST_TEXT);
    const make = (format: Format): Captured => {
      if (other.length > 0) {
        if (isFirst && format === "lines" && isRecord(other[0]))
          return { ...place, event: { kind: "header" } };
        if (format !== "log") return { ...place, recorded: { message: other[0] } };
      } else if (format !== "log" || LIKE_A_MESSAGE.test(text)) {
        const message = withAdvice(reason.slice(0, 200), text);
        return { ...place, broken: { rule: "not-json", message, text: start } };
      }
      return { ...place, event: { kind: "text", text: start } };
    };
    if (this.#format !== undefined) return this.#take(make(this.#format));
    this.#waiting.push(make);
    this.#waitingSize += text.length + 1;
    if (this.#waitingSize > MOST_WAITING) this.#decide("lines");
  }

  /** Takes what does not decide about the format. */
  #give(captured: Captured): void {
    if (this.#waiting.length === 0) this.#take(captured);
    else this.#waiting.push(() => captured);
  }

  #decide(format: Format): void {
    if (this.#format !== undefined) return;
    this.#format = format;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const make of waiting) this.#take(make(format));
  }
}

/** Returns whether an array is a whole conversation: a batch has no answer to its own `initialize`. */
function isConversation([first, ...others]: readonly unknown[]): boolean {
  const isOpening = INITIALIZING.includes(textOf(at(first, "method")));
  return isOpening && others.some((item) => at(item, "method") === undefined);
}

/** Explains a line that was recorded as text. */
function explain(reason: string, text: string): Pick<Broken, "rule" | "message"> {
  if (Object.hasOwn(REASONS, reason))
    return { rule: reason, message: REASONS[reason as keyof typeof REASONS] };
  return { rule: "not-json", message: withAdvice("the line is not JSON", text) };
}
