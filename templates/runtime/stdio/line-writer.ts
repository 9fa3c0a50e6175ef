import type { Writable } from "node:stream";
import { rejected, SENT } from "../rpc/transport.js";
import { writeToOutput } from "./stdout-guard.js";

/** The size of a write while the output is blocked, in characters. */
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
  /** Writes the buffered lines. */
  flush(): void;
}

/**
 * Creates the writer of an output. The first line of a turn is written immediately, so that
 * single lines are not delayed; the following lines of the turn share one write at its end, since
 * a write costs more than everything else that is done for a message. While the output is
 * blocked, lines are written in large pieces, since each pending write takes about a kilobyte.
 *
 * @param onDrain called when the output is no longer blocked
 */
export function createLineWriter(output: Writable, onDrain: () => void): LineWriter {
  let held = "";
  let isInTurn = false;
  let drained: Promise<void> | undefined;
  const isClosed = (): boolean => output.destroyed || output.writableEnded;

  const flush = (): void => {
    const lines = held;
    held = "";
    if (lines === "" || isClosed()) return;
    try {
      writeToOutput(output, lines);
    } catch (error) {
      output.destroy(error as Error);
    }
  };
  const endTurn = (): void => {
    isInTurn = false;
    if (!output.writableNeedDrain) flush();
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
  output.on("drain", () => {
    flush();
    onDrain();
  });
  output.on("close", onDrain);
  // The process may exit within a turn. Other outputs could not transmit the lines any more.
  if (output === process.stdout) process.once("exit", flush);

  return {
    write: (line) => {
      if (isClosed())
        return rejected(new Error("the output is closed", { cause: output.errored ?? undefined }));
      held += line;
      if (output.writableNeedDrain) {
        if (held.length >= PIECE) flush();
        return waitForDrain();
      }
      if (isInTurn && output.writableLength + held.length < output.writableHighWaterMark)
        return SENT;
      if (!isInTurn) {
        isInTurn = true;
        process.nextTick(endTurn);
      }
      flush();
      if (output.errored) return rejected(output.errored);
      return output.writableNeedDrain ? waitForDrain() : SENT;
    },
    unsent: () => (output.writableNeedDrain ? output.writableLength + held.length : 0),
    flush,
  };
}
