import { AcpError } from "../acp-error.js";
import { ErrorCodes } from "./errors.js";
import * as sentences from "../sentences.js";
import { claimsToBeMessage, type RequestId } from "./messages.js";

/** The text of the error for a line that was skipped because of its length. */
export const LINE_TOO_LONG = "Line too long";

/** The longest beginning of malformed input in a report, in characters. */
const SHOWN = 200;

/** The reaction to malformed input. */
export interface MalformedInputActions {
  /** Sends an error response. */
  readonly answer: (id: RequestId, code: number, text: string) => void;
  /** Rejects the call with an id, or all calls without one; returns whether there was any. */
  readonly settle: (id: RequestId | undefined, problem: string) => boolean;
  /** Receives a message that was found behind text in its line. */
  readonly receive: (message: unknown) => void;
  readonly report: (error: AcpError) => void;
  readonly end: (reason: AcpError) => void;
}

/** Counts, answers and reports input that is not a message. */
export class MalformedInput {
  /** The number of malformed lines and messages so far. */
  count = 0;
  readonly #maxInRow: number;
  readonly #answersNoise: boolean;
  readonly #actions: MalformedInputActions;
  #inRow = 0;
  #isReported = false;

  /**
   * @param maxInRow after this many malformed messages in a row the connection ends
   * @param answersNoise whether noise is answered and counts in the row: lines that are not JSON,
   *   and values that do not claim to be messages. It does not for a client: an agent's logger may
   *   write any amount of it, and log the answers.
   */
  constructor(maxInRow: number, answersNoise: boolean, actions: MalformedInputActions) {
    this.#maxInRow = maxInRow;
    this.#answersNoise = answersNoise;
    this.#actions = actions;
  }

  /** Starts a new row, because a well-formed message was received. */
  reset(): void {
    this.#inRow = 0;
  }

  /**
   * Returns whether a value is the output of a logger rather than a message: it does not claim to
   * be one, and noise is not answered.
   */
  isNoise(value: unknown): boolean {
    return !this.#answersNoise && !claimsToBeMessage(value);
  }

  /**
   * Receives a JSON value that is not a message.
   *
   * @param id the id of the answer
   */
  receiveMessage(value: unknown, id: RequestId): void {
    this.#reportFirst("a message", textOf(value));
    if (this.isNoise(value)) return void this.count++;
    this.#actions.answer(id, ErrorCodes.InvalidRequest, "Invalid request");
    this.#add();
  }

  /**
   * Receives a line that is not JSON or was skipped because of its length.
   *
   * @param start the beginning of the line
   * @param message the message at its end, which noise may precede
   */
  receiveLine(code: number, text: string, start = "", message?: unknown): void {
    const { answer, settle, report, receive } = this.#actions;
    if (message !== undefined && !this.#answersNoise) {
      this.count++;
      this.#reportFirst("JSON", start);
      return receive(message);
    }
    const isLong = text === LINE_TOO_LONG;
    const { id, isCall, isResponse } = readStart(start);
    const problem = isLong ? sentences.lineWasSkipped : sentences.lineIsNotJson;
    if (isResponse && settle(id, id === undefined ? sentences.idTooLate(problem) : problem))
      return this.#add();
    if (isLong) report(new AcpError(sentences.skippedLine(shorten(start))));
    else this.#reportFirst("JSON", start);
    const isOwnCall = isCall && id !== undefined;
    if (!this.#answersNoise && !isOwnCall) return void this.count++;
    // The id of the answer to invalid JSON is null (JSON-RPC 2.0 section 5), which helps no caller.
    const isNull = this.#answersNoise && !isLong;
    if (!isResponse) answer(isNull ? null : (id ?? null), code, text);
    this.#add();
  }

  #reportFirst(missing: string, start: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#actions.report(new AcpError(sentences.receivedNoise(missing, shorten(start))));
  }

  #add(): void {
    this.count++;
    if (++this.#inRow >= this.#maxInRow)
      this.#actions.end(new AcpError(sentences.malformedInRow(`${this.#inRow}`)));
  }
}

/** The facts about a message that the beginning of its unusable line shows. */
interface MessageStart {
  readonly id?: RequestId;
  readonly isCall: boolean;
  readonly isResponse: boolean;
}

/** A member of an object: its key and, if it is a whole scalar, its value. */
const MEMBER = /\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null)\s*,)?/y;

/** The members of messages. Other lines, such as those of a logger, are neither calls nor responses. */
const OF_CALL = ["jsonrpc", "id", "method", "params"];
const OF_RESPONSE = ["jsonrpc", "id", "result", "error"];

/** Reads the members at the beginning of a message, up to the first that is not a scalar. */
export function readStart(start: string): MessageStart {
  const keys = new Set<string>();
  let id: RequestId | undefined;
  MEMBER.lastIndex = /^\s*\{/.exec(start)?.[0].length ?? start.length;
  for (;;) {
    const [, key, value] = MEMBER.exec(start) ?? [];
    if (key === undefined) break;
    keys.add(key);
    if (value === undefined) break;
    if (key === "id") id = parseId(value);
  }
  const has = (own: readonly string[]): boolean =>
    [...keys].every((key) => own.includes(key)) && own.slice(2).some((key) => keys.has(key));
  return { ...(id !== undefined && { id }), isCall: has(OF_CALL), isResponse: has(OF_RESPONSE) };
}

function parseId(text: string): RequestId | undefined {
  try {
    return JSON.parse(text) as RequestId;
  } catch {
    return undefined;
  }
}

/** Returns the JSON of a value; a stream of messages may deliver one that has none. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return Array.isArray(value) ? "an array" : typeof value;
  }
}

/** Renders the beginning of a line for a report. */
function shorten(start: string): string {
  return JSON.stringify(start.length > SHOWN ? `${start.slice(0, SHOWN)}…` : start);
}
