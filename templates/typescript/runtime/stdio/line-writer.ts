import type { Writable } from "node:stream";
import { rejected, SENT } from "../rpc/transports/transport.js";
import { writeToOutput } from "./stdout-guard.js";

/** The longest write while more is waiting, in bytes. */
const PIECE = 64 * 1024;

/** Writes lines to an output, with as few writes as possible. */
export interface LineWriter {
  /**
   * Resolves when more can be written; rejects when the output is closed. Callers need not handle
   * the rejection.
   */
  write(line: string): Promise<void>;
  /** Returns how many bytes are buffered while the output is blocked; 0 when it is not blocked. */
  unsent(): number;
  /** Writes the buffered lines, also to an output that is blocked. */
  flush(): void;
}

/**
 * Creates the writer of an output. The first line of a turn is written immediately, so that
 * single lines are not delayed; the following lines of the turn share one write at its end, since
 * a write costs more than everything else that is done for a message. A blocked output gets what
 * waits for it a piece at a time, so that `unsent` shows its progress.
 */
export function createLineWriter(output: Writable): LineWriter {
  let held = "";
  /** Encoded lines that are written in pieces; they precede the held ones. */
  let rest: Buffer | undefined;
  let isInTurn = false;
  let drained: Promise<void> | undefined;
  const isClosed = (): boolean => output.destroyed || output.writableEnded;

  const put = (lines: string | Buffer): void => {
    if (isClosed()) return;
    try {
      writeToOutput(output, lines);
    } catch (error) {
      output.destroy(error as Error);
    }
  };
  const flush = (): void => {
    const lines = held;
    held = "";
    if (rest !== undefined) put(rest);
    rest = undefined;
    if (lines !== "") put(lines);
  };
  /** Writes as much as the output takes. */
  const advance = (): void => {
    while (!isClosed() && !output.writableNeedDrain) {
      if (rest === undefined) {
        if (held.length <= PIECE) return flush();
        rest = Buffer.from(held);
        held = "";
      }
      put(rest.subarray(0, PIECE));
      rest = rest.length > PIECE ? rest.subarray(PIECE) : undefined;
    }
  };
  const endTurn = (): void => {
    isInTurn = false;
    advance();
  };
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
  // Registered first, so that other listeners of `drain` run after the buffered lines were
  // written.
  output.on("drain", advance);
  // The process may exit within a turn. Other outputs could not transmit the lines any more.
  if (output === process.stdout) process.once("exit", flush);

  return {
    write: (line) => {
      if (isClosed())
        return rejected(new Error("the output is closed", { cause: output.errored ?? undefined }));
      held += line;
      if (output.writableNeedDrain) return waitForDrain();
      if (isInTurn && output.writableLength + held.length < output.writableHighWaterMark)
        return SENT;
      if (!isInTurn) {
        isInTurn = true;
        process.nextTick(endTurn);
      }
      advance();
      if (output.errored) return rejected(output.errored);
      return output.writableNeedDrain ? waitForDrain() : SENT;
    },
    unsent: () =>
      output.writableNeedDrain && !isClosed()
        ? output.writableLength + (rest?.length ?? 0) + held.length
        : 0,
    flush,
  };
}
