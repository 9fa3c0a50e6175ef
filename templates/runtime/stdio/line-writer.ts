import type { Writable } from "node:stream";
import { rejected, SENT } from "../rpc/channel.js";
import { writeToOutput } from "./stdout-guard.js";

/** How much is written at once while the output is blocked, in characters. */
const PIECE = 64 * 1024;

/** Writes lines to an output, in as few writes as possible. */
export interface LineWriter {
  /** Resolves when more can be written; rejects when the output is closed. Nobody has to catch that. */
  write(line: string): Promise<void>;
  /** How many bytes wait for an output that is blocked; 0 when it is not, or will never tell. */
  unsent(): number;
  /** Hands over what is held back. */
  flush(): void;
}

/**
 * Makes the writer of an output. The first line of a turn is written at once, so that a
 * single one never waits; those that follow in the same turn share a write at its end,
 * since a write costs more than all the rest of a message. While the output is blocked,
 * lines are written in large pieces: each write that waits takes about a kilobyte.
 *
 * @param onDrain called when the output was blocked and no longer is
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
  // The first listener: who waits for the drain looks after what was held has been written.
  output.on("drain", () => {
    flush();
    onDrain();
  });
  output.on("close", onDrain);
  // A process may end in the middle of a turn. What goes to others would not arrive any more.
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
