import type { Readable, Writable } from "node:stream";
import { DRAIN_TIME, type Transport, type TransportReceiver } from "../rpc/transports/transport.js";
import { ErrorCodes } from "../rpc/errors.js";
import { claimsToBeMessage } from "../rpc/messages.js";
import { LINE_TOO_LONG } from "../rpc/malformed-input.js";
import { startTimer } from "../rpc/timer.js";
import { createLineReader, type LineReader } from "../rpc/transports/lines.js";
import { createLineWriter } from "./line-writer.js";

/** Options of a transport over byte streams. */
export interface StdioOptions {
  /** The longest accepted line, in bytes; 32 MiB by default. */
  readonly maxLineBytes?: number;
}

/** Creates a transport from a pair of Node.js byte streams. */
export function byteTransport(
  input: Readable,
  output: Writable,
  { maxLineBytes }: StdioOptions = {},
): Transport {
  // A stream may fail before the transport is started; `start` handles that error.
  input.on("error", () => {});
  output.on("error", () => {});

  const writer = createLineWriter(output);

  const start = (receiver: TransportReceiver): void => {
    const reader = createMessageReader(receiver, maxLineBytes);
    let isOpen = true;
    const close = (error?: unknown): void => {
      if (isOpen) receiver.close(error);
      isOpen = false;
    };
    input.on("data", (chunk: Buffer) => reader.push(chunk));
    input.once("end", () => reader.end());
    input.on("error", close);
    // One turn later, so that the last message can be answered in its turn.
    const ended = (): void => void setImmediate(() => close(input.errored ?? undefined));
    if (input.closed) ended();
    else input.once("end", ended).once("close", ended);
    // A peer that closes also ends the input; what it sent before is read first.
    const failed = (error: Error): void => void setTimeout(close, DRAIN_TIME, error).unref();
    if (output.errored) failed(output.errored);
    else output.on("error", failed);
  };

  return {
    start,
    send: (message) => writer.write(`${JSON.stringify(message)}\n`),
    unsent: writer.unsent,
    close: () => {
      writer.flush();
      output.end();
      input.destroy();
      dropUnread(output);
    },
  };
}

/** Drops what an output still has when it takes nothing any more, since that would keep the process. */
function dropUnread(output: Writable, before?: number): void {
  if (output.writableLength === 0) return;
  const { _handle: handle } = output as { readonly _handle?: Handle | null };
  const left = handle?.writeQueueSize ?? output.writableLength;
  if (left !== before) return void startTimer(DRAIN_TIME, () => dropUnread(output, left));
  output.destroy();
  // `destroy` does not close standard output.
  handle?.close();
}

/** What Node.js writes to. */
interface Handle {
  /** How many bytes are not written yet. */
  readonly writeQueueSize: number;
  close(): void;
}

/** Creates a reader that parses lines; malformed lines are reported without their content. */
function createMessageReader(receiver: TransportReceiver, maxLineBytes?: number): LineReader {
  /** Whether the line is the last one, which has no end: the rest of it was never sent. */
  let isCut = false;
  const refuse = (code: number, text: string, start: string, message?: unknown): void => {
    if (!isCut || message !== undefined) receiver.invalid(code, text, start.slice(0, 512), message);
  };
  const reader = createLineReader(
    {
      line: (text) => {
        const value = parse(text);
        if (value !== undefined) return receiver.message(value);
        const found = findMessage(text);
        refuse(ErrorCodes.ParseError, "Parse error", text.slice(0, found?.begin), found?.message);
      },
      broken: (reason, start) =>
        reason === "not-utf8"
          ? refuse(ErrorCodes.ParseError, "Parse error", start)
          : refuse(ErrorCodes.InvalidRequest, LINE_TOO_LONG, start),
    },
    maxLineBytes,
  );
  return {
    push: reader.push,
    end: () => {
      isCut = true;
      reader.end();
    },
  };
}

/** Returns the value of a line; undefined when it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How many objects in a line are tried, since each costs reading the rest of the line. */
const MOST_TRIED = 8;

/** Returns the message behind text, such as that of a logger without a line end, and its place. */
function findMessage(
  text: string,
): { readonly begin: number; readonly message: unknown } | undefined {
  for (const begin of objectsIn(text)) {
    const message = parse(text.slice(begin));
    if (claimsToBeMessage(message)) return { begin, message };
  }
  return undefined;
}

/** Returns where objects begin behind the beginning of a text, and first the one that is likely a message. */
function* objectsIn(text: string): Generator<number> {
  const likely = text.indexOf('{"jsonrpc"', 1);
  if (likely > 0) yield likely;
  let begin = text.indexOf('{"', 1);
  for (let tried = 0; begin > 0 && tried < MOST_TRIED; tried++) {
    yield begin;
    begin = text.indexOf('{"', begin + 1);
  }
}
