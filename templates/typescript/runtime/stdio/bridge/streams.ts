import type { Readable, Writable } from "node:stream";
import { createLineReader, type LineReceiver } from "../../rpc/transports/lines.js";
import { createLineWriter, type LineWriter } from "../line-writer.js";

/** Reading from one side pauses while more bytes than this are unwritten to the other. */
const MOST_UNWRITTEN = 1024 * 1024;

/** An output for messages, which pauses the input that fills it. */
export function createSink(
  output: Writable,
  input: Readable,
): {
  readonly send: (message: object) => void;
  readonly line: (text: string) => void;
  readonly flush: LineWriter["flush"];
} {
  output.on("error", () => {});
  const writer = createLineWriter(output);
  const resume = (): void => void input.resume();
  const line = (text: string): void => {
    const sent = writer.write(`${text}\n`);
    if (writer.unsent() <= MOST_UNWRITTEN) return void sent.catch(() => {});
    input.pause();
    sent.then(resume, resume);
  };
  return { send: (message) => line(JSON.stringify(message)), line, flush: () => writer.flush() };
}

/** Reads the lines of one side until it ends. */
export function readLines(
  input: Readable,
  {
    line,
    broken,
    end,
  }: {
    readonly line: (text: string) => void;
    readonly broken: LineReceiver["broken"];
    readonly end: () => void;
  },
): void {
  const reader = createLineReader({ line, broken });
  input.on("data", (chunk: Buffer) => reader.push(chunk));
  input.on("error", end);
  input.once("end", () => {
    reader.end();
    end();
  });
}

/** Waits until everything is written, or nothing more can be. */
export function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.writableLength === 0 || output.destroyed) resolve();
    else output.once("drain", resolve).once("close", resolve);
  });
}

/** Why a line cannot be used. */
export type Unusable = Parameters<LineReceiver["broken"]>[0] | "not-json";

/** Gives the message of a line to `take`, or a line that is not JSON to `broken`. */
export function parse(
  text: string,
  take: (message: unknown) => void,
  broken: (reason: Unusable, start: string) => void,
): void {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return broken("not-json", text);
  }
  take(message);
}
