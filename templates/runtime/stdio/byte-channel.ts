import type { Readable, Writable } from "node:stream";
import { LAST_WORDS, type Channel, type ChannelReceiver } from "../rpc/channel.js";
import { ErrorCodes } from "../rpc/errors.js";
import { createLineReader, type LineReader } from "../rpc/lines.js";
import { createThrottle } from "../rpc/throttle.js";
import { createLineWriter } from "./line-writer.js";

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

/** Makes a channel from a pair of Node.js byte streams. */
export function byteChannel(
  input: Readable,
  output: Writable,
  { lineLimit, outputLimit = DEFAULT_OUTPUT_LIMIT }: StdioOptions = {},
): Channel {
  // A stream may fail before the channel is started; that is looked at then.
  input.on("error", () => {});
  output.on("error", () => {});

  const writer = createLineWriter(output, () => throttle.update());
  const throttle = createThrottle({
    limit: outputLimit,
    // Only an output that will tell when it has drained may hold back the input.
    unsent: () => writer.unsent(),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
  });

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

  return {
    start,
    send: (message) => {
      const sent = writer.write(`${JSON.stringify(message)}\n`);
      throttle.update();
      return sent;
    },
    close: () => {
      writer.flush();
      output.end();
      input.destroy();
      throttle.update();
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
