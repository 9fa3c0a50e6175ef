import { closeSync, lstatSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { toOutputError } from "../output/output-error.js";

/** A file that a command writes results to, in parts. */
export interface ResultFile {
  readonly write: (text: string) => void;
  readonly close: () => void;
  /** Closes the file, and removes it unless it is a device or a link. */
  readonly discard: () => void;
}

/**
 * Creates a file and the folders above it, or empties the file.
 *
 * @param mode who may read a file that is created; by default what the system gives
 * @throws OutputError when it cannot be written
 */
export function openResultFile(path: string, mode?: number): ResultFile {
  const attempt = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw toOutputError(error, path);
    }
  };
  const file = attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "w", mode);
  });
  return {
    write: (text) => void attempt(() => writeSync(file, text)),
    close: () => closeSync(file),
    discard: () => {
      closeSync(file);
      // Not a device, nor a link to one.
      if (lstatSync(path).isFile()) rmSync(path);
    },
  };
}
