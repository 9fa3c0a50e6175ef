import { isRecord } from "../../typescript/runtime/rpc/messages.js";
import { isMessage, readRecord } from "./record.js";

export type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** Parses a text as JSON. */
export function parseText(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: parseReason(error) };
  }
}

export function parseReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A value in a line of a log, with the text before it. */
export interface FoundMessage {
  readonly prefix: string;
  readonly value: unknown;
  readonly end: number;
}

/** How many braces in a line may be the beginning of its message. */
const MOST_TRIED = 5;

/**
 * Finds the first message or record behind a position in a line of a log: JSON behind other text, or
 * as the text of a field, with its quotes escaped.
 */
export function findMessage(text: string, from: number): FoundMessage | undefined {
  for (const start of bracesIn(text, from)) {
    const brackets = readBrackets(text, start, 0);
    if (brackets?.depth !== 0) continue;
    const parsed = parseText(text.slice(start, brackets.end));
    if (parsed.ok && hasMessage(parsed.value))
      return { prefix: text.slice(from, start), value: parsed.value, end: brackets.end };
  }
  const start = text.indexOf('{\\"', from);
  if (start < 0) return undefined;
  const unescaped = parseText(`"${text.slice(start, text.lastIndexOf("}") + 1)}"`);
  const parsed = unescaped.ok ? parseText(unescaped.value as string) : unescaped;
  return parsed.ok && hasMessage(parsed.value)
    ? { prefix: text.slice(from, start), value: parsed.value, end: text.length }
    : undefined;
}

/** Finds the beginning of a value behind a position that goes on in the next line. */
export function findOpen(
  text: string,
  from: number,
): { readonly start: number; readonly depth: number } | undefined {
  for (const start of bracesIn(text, from)) {
    const depth = readBrackets(text, start, 0)?.depth ?? 0;
    if (depth > 0) return { start, depth };
  }
  return undefined;
}

/** Returns whether another value follows at a position, perhaps after a comma. */
export function isValueAt(text: string, position: number): boolean {
  const next = /[\s,]*\{/y;
  next.lastIndex = position;
  return next.test(text);
}

/** Returns whether a line has a whole message that is not the value of a member. */
export function interrupts(text: string): boolean {
  const start = text.indexOf("{");
  if (start < 0 || /^\s*[}\]]|":\s*$/.test(text.slice(0, start))) return false;
  const parsed = parseText(text.slice(start, text.lastIndexOf("}") + 1));
  return parsed.ok && (isMessage(parsed.value) || isWrapped(parsed.value));
}

/** Returns whether a value is a message, or a record with one. */
function hasMessage(value: unknown): boolean {
  return isMessage(value) || isWrapped(value) || nestedIn(value) !== undefined;
}

/** Returns whether a value is a record around a message. */
export function isWrapped(value: unknown): boolean {
  try {
    return isRecord(value) && !isMessage(value) && readRecord(value).message !== value;
  } catch {
    return false;
  }
}

/** A message in a record, with the texts beside it. */
export interface Nested {
  readonly message: object;
  readonly prefix: string;
}

/** How far below a record of a structured log its message may be. */
const DEEPEST = 3;

/** Finds the message in a record of a structured log; undefined for records that name their message. */
export function nestedIn(value: unknown): Nested | undefined {
  return isMessage(value) || isWrapped(value) ? undefined : nestedBelow(value, 0);
}

function nestedBelow(value: unknown, depth: number): Nested | undefined {
  if (!isRecord(value) || depth > DEEPEST) return undefined;
  const members = Object.values(value);
  const texts = members.filter((member) => typeof member === "string");
  const beside = (own: string): string =>
    [...texts.filter((text) => !text.includes("{")), own].join(" ");
  for (const member of members) {
    if (isMessage(member)) return { message: member as object, prefix: beside("") };
    if (typeof member === "string" && member.includes("{")) {
      const start = member.indexOf("{");
      const parsed = parseText(member.slice(start, member.lastIndexOf("}") + 1));
      if (parsed.ok && isMessage(parsed.value))
        return { message: parsed.value as object, prefix: beside(member.slice(0, start)) };
    }
    const inner = nestedBelow(member, depth + 1);
    if (inner !== undefined) return { ...inner, prefix: beside(inner.prefix) };
  }
  return undefined;
}

function* bracesIn(text: string, from: number): Generator<number> {
  let start = from - 1;
  for (let left = MOST_TRIED; left > 0; left--) {
    start = text.indexOf("{", start + 1);
    if (start < 0) return;
    yield start;
  }
}

/** Objects and lists that a text has opened. */
export interface Brackets {
  /** How many are still open. */
  readonly depth: number;
  /** Where the last one was closed, otherwise the end of the text. */
  readonly end: number;
}

/**
 * Reads a text until all objects and lists are closed; undefined where it ends in the middle of a
 * string, which no line does.
 *
 * @param before how many are open at the start
 */
export function readBrackets(text: string, start: number, before: number): Brackets | undefined {
  let depth = before;
  let isInString = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index]!;
    if (isInString) {
      if (char === "\\") index++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return { depth, end: index + 1 };
  }
  return isInString ? undefined : { depth, end: text.length };
}
