import { positionAt, scanJson, syntaxProblem } from "./json-text.js";
import { InputError, jsonPointer, type Problem } from "../problem.js";

/**
 * The limits of a document, so that later steps end soon whatever it contains.
 * The largest profile, written as one document, has 0.5 MB, 10,000
 * values, 329 of them in one object, and 14 levels; 478 characters are its longest text.
 */
export const DOCUMENT_LIMITS = {
  bytes: 16 * 1024 * 1024,
  values: 200_000,
  /** The entries of one list or object. */
  entries: 6_000,
  depth: 64,
  /** UTF-16 code units. */
  text: 20_000,
} as const;

/**
 * Parses an untrusted document.
 *
 * @param file the name of the document in problems
 * @throws InputError if it is not UTF-8 JSON or exceeds the limits of size or depth
 */
export function parseJson(bytes: Uint8Array, file: string): unknown {
  const refuse = (problem: Problem): InputError => new InputError([{ file, ...problem }]);
  const excess = findTooMuch(bytes);
  if (excess !== undefined) throw refuse(excess);
  const text = decodeText(bytes, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(syntaxProblem(text, error as SyntaxError));
  }
  const problem = findUnusable(value);
  if (problem !== undefined) throw refuse(problem);
  const duplicates = scanJson(text).duplicates.map(({ pointer, offset }): Problem => ({
    file,
    pointer,
    position: positionAt(text, offset),
    message: "the name occurs twice in the object",
    hint: "Remove or rename one of them.",
  }));
  if (duplicates.length > 0) throw new InputError(duplicates);
  return value;
}

/**
 * Decodes the text of an untrusted document.
 *
 * @param file the name of the document in problems
 * @throws InputError if it is not UTF-8 or exceeds the limit of size, behind which nothing was read
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  if (bytes.length > DOCUMENT_LIMITS.bytes) throw new InputError([{ file, ...TOO_LARGE }]);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const message = "cannot be read (it is not UTF-8 text)";
    throw new InputError([{ file, message, hint: "Save it as UTF-8." }]);
  }
}

const TOO_MUCH = "Split it, or leave out what no message has.";
const TOO_LARGE: Problem = {
  message: `is larger than ${DOCUMENT_LIMITS.bytes / 1024 / 1024} MB`,
  hint: TOO_MUCH,
};

/** Before anything is parsed: a million values take hundreds of megabytes. */
function findTooMuch(bytes: Uint8Array): Problem | undefined {
  if (bytes.length > DOCUMENT_LIMITS.bytes) return TOO_LARGE;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values++;
    if (values > DOCUMENT_LIMITS.values) {
      return { message: `has more than ${DOCUMENT_LIMITS.values} values`, hint: TOO_MUCH };
    }
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0));

/** A value, how deep it stands, and what leads there. */
interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Finds what makes a parsed document unfit for everything that comes later:
 * too much in one place, text that is not Unicode. Works without recursion.
 */
function findUnusable(value: unknown): Problem | undefined {
  const open: Place[] = [{ value, depth: 0, key: "", parent: undefined }];
  while (open.length > 0) {
    const place = open.pop()!;
    const problem = problemOf(place);
    if (problem !== undefined) return { pointer: pointerOf(place), ...problem };
    for (const [key, part] of entriesOf(place.value).reverse())
      open.push({ value: part, depth: place.depth + 1, key, parent: place });
  }
  return undefined;
}

function problemOf({ value, key, depth }: Place): Problem | undefined {
  const texts = [key, value].filter((text) => typeof text === "string");
  const broken = texts.find((text) => /\p{Surrogate}/u.test(text));
  if (broken !== undefined) {
    return {
      message: `has text that is not Unicode: ${JSON.stringify(broken.slice(0, SHOWN))}`,
      hint: "Remove the lone surrogate.",
    };
  }
  if (texts.some(({ length }) => length > DOCUMENT_LIMITS.text))
    return {
      message: `has a text of more than ${DOCUMENT_LIMITS.text} characters`,
      hint: "Shorten it.",
    };
  if (entriesOf(value).length > DOCUMENT_LIMITS.entries)
    return { message: `has more than ${DOCUMENT_LIMITS.entries} entries`, hint: "Split it." };
  if (typeof value === "number" && !Number.isFinite(value)) {
    return {
      message: "has a number that is too large for a double",
      hint: "Write a number below 1.8e308.",
    };
  }
  if (depth > DOCUMENT_LIMITS.depth) {
    return {
      message: `is nested deeper than ${DOCUMENT_LIMITS.depth} levels`,
      hint: "Give the inner parts definitions of their own.",
    };
  }
  return undefined;
}

/** The maximum length of a text that is shown. */
const SHOWN = 60;

function entriesOf(value: unknown): [key: string, value: unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function pointerOf(place: Place): string {
  const tokens: string[] = [];
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent)
    tokens.unshift(at.key);
  return jsonPointer(tokens);
}
