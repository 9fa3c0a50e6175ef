import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { InputError } from "../problem.js";
import { DOCUMENT_LIMITS } from "./parse-json.js";

/** More than nearly every module has. */
const CHUNK_BYTES = 64 * 1024;

/** How long a pipe may be silent, in milliseconds. Signals are not handled meanwhile. */
const SILENCE_MS = 5000;
const PAUSE_MS = 20;

/**
 * Returns the bytes of a file, which may be a pipe or a device: of more than may be, only so many
 * that it shows.
 *
 * @param display how problems name the file
 * @throws InputError when it cannot be read, or is a pipe to which nobody writes
 */
export function readBytes(file: string, display: string): Uint8Array {
  let handle: number | undefined;
  try {
    // Without this flag, a pipe without a writer would block for ever, deaf to signals.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const isPipe = fstatSync(handle).isFIFO();
    const parts: Uint8Array[] = [];
    for (let length = 0, count = 1; count > 0 && length <= DOCUMENT_LIMITS.bytes; length += count) {
      const part = Buffer.allocUnsafe(CHUNK_BYTES);
      count = readSome(handle, part, isPipe && length === 0);
      parts.push(part.subarray(0, count));
    }
    return Buffer.concat(parts);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isSilent = code === "EAGAIN";
    const message = isSilent
      ? `is a pipe or a device that has sent nothing for ${SILENCE_MS / 1000} seconds`
      : `cannot be read (${code})`;
    const hint = isSilent
      ? "Start the program that writes to it."
      : "Check the path and its permissions.";
    throw new InputError([{ file: display, message, hint }]);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Reads the next bytes, for which pipes may need some time.
 *
 * @param isAwaited whether an end means that no writer has opened the pipe yet
 * @throws Error with the code `EAGAIN` when there are none for too long
 */
function readSome(handle: number, part: Buffer, isAwaited: boolean): number {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      const count = readSync(handle, part);
      if (count > 0 || !isAwaited) return count;
      if (waited >= SILENCE_MS) throw Object.assign(new Error("no writer"), { code: "EAGAIN" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || waited >= SILENCE_MS) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}
