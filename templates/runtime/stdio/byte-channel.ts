import type { Readable, Writable } from "node:stream";
import { LAST_WORDS, rejected, SENT, type Channel, type ChannelReceiver } from "../channel.js";
import { ErrorCodes } from "../errors.js";
import { createLineReader, type LineReader } from "../lines.js";
import { createThrottle } from "../throttle.js";

/** How messages travel over a pair of byte streams. */
export interface StdioOptions {
  /** The longest line that is accepted, in bytes; 32 MiB when absent. */
  readonly lineLimit?: number;
  /**
   * Reading pauses while more bytes than these are unsent; 1 MiB when absent, and
   * never less than the output's own high water mark. While the output stays stuck,
   * the mark rises by as much every second, up to 32 times of it: two peers that
   * both have much to say would wait for each other for ever.
   */
  readonly outputLimit?: number;
}

const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;

/** How much is written at once while the output is blocked, in characters. */
const PIECE = 64 * 1024;

/** Makes a channel from a pair of Node.js byte streams. */
export function byteChannel(
  input: Readable,
  output: Writable,
  { lineLimit, outputLimit = DEFAULT_OUTPUT_LIMIT }: StdioOptions = {},
): Channel {
  // A stream may fail before the channel is started; that is looked at then.
  input.on("error", () => {});
  output.on("error", () => {});

  // What is sent while the output is blocked is written in large pieces: each write that
  // waits costs about a kilobyte of memory.
  let held = "";
  const throttle = createThrottle({
    limit: outputLimit,
    // Only an output that will tell when it has drained may hold back the input.
    unsent: () => (output.writableNeedDrain ? output.writableLength + held.length : 0),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
  });
  const isClosed = (): boolean => output.destroyed || output.writableEnded;
  const release = (): void => {
    const lines = held;
    held = "";
    if (lines !== "" && !isClosed()) output.write(lines);
  };
  // The first listener: who waits for the drain looks after what was held has been written.
  output
    .on("drain", () => {
      release();
      throttle.look();
    })
    .on("close", throttle.look);

  const start = (receiver: ChannelReceiver): void => {
    const reader = createMessageReader(receiver, lineLimit);
    let isOpen = true;
    const close = (error?: unknown): void => {
      if (isOpen) receiver.close(error);
      isOpen = false;
    };
    input.on("data", (chunk: Buffer) => reader.push(chunk));
    input.once("end", () => reader.end());
    input.on("error", close);
    // A turn later: what came last may be answered in this one.
    const ended = (): void => void setImmediate(() => close(input.errored ?? undefined));
    if (input.closed) ended();
    else input.once("end", ended).once("close", ended);
    // A peer that is gone ends the input, too: what it said before is read first.
    const failed = (error: Error): void => void setTimeout(close, LAST_WORDS, error).unref();
    if (output.errored) failed(output.errored);
    else output.on("error", failed);
  };

  let drained: Promise<void> | undefined;
  const waitForDrain = (): Promise<void> =>
    (drained ??= new Promise((resolve) => {
      const done = (): void => {
        if (output.writableNeedDrain && !isClosed()) return;
        output.off("drain", done);
        output.off("close", done);
        drained = undefined;
        resolve();
      };
      output.on("drain", done);
      output.on("close", done);
    }));
  return {
    start,
    send: (message) => {
      const line = `${JSON.stringify(message)}\n`;
      if (isClosed())
        return rejected(new Error("the output is closed", { cause: output.errored ?? undefined }));
      if (output.writableNeedDrain) {
        held += line;
        if (held.length >= PIECE) release();
        throttle.look();
        return waitForDrain();
      }
      let takesMore: boolean;
      try {
        takesMore = output.write(line);
      } catch (error) {
        return rejected(error);
      }
      throttle.look();
      return takesMore ? SENT : waitForDrain();
    },
    close: () => {
      release();
      output.end();
      input.destroy();
      throttle.look();
    },
  };
}

/** Parses lines; what is no JSON is reported without a word of it. */
function createMessageReader(receiver: ChannelReceiver, lineLimit?: number): LineReader {
  return createLineReader(
    {
      line: (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          return receiver.invalid(ErrorCodes.ParseError, "Parse error");
        }
        receiver.message(value);
      },
      broken: (reason) =>
        reason === "not-utf8"
          ? receiver.invalid(ErrorCodes.ParseError, "Parse error")
          : receiver.invalid(ErrorCodes.InvalidRequest, "Line too long"),
    },
    lineLimit,
  );
}
