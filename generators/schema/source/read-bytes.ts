import { closeSync, openSync, readSync } from "node:fs";
import { InputError } from "../problem.js";
import { LIMITS } from "./parse-json.js";

/** More than nearly every module has. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file, which may be a pipe or a device: of more than may be, only so many that it shows. */
export function readBytes(file: string, display: string): Uint8Array {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const parts: Uint8Array[] = [];
    for (let length = 0, count = 1; count > 0 && length <= LIMITS.bytes; length += count) {
      const part = Buffer.allocUnsafe(CHUNK_BYTES);
      count = readSync(handle, part);
      parts.push(part.subarray(0, count));
    }
    return Buffer.concat(parts);
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    const hint = "Check the path and its permissions.";
    throw new InputError([{ file: display, message, hint }]);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
