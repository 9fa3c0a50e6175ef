import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { toOutputError } from "../output/output-error.js";

/** A file that a command writes results to, in parts. */
export interface ResultFile {
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Creates a file, or empties it.
 *
 * @throws OutputError when it cannot be written
 */
export function openResultFile(path: string): ResultFile {
  const attempt = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw toOutputError(error, path);
    }
  };
  const file = attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "w");
  });
  return {
    write: (text) => void attempt(() => writeSync(file, text)),
    close: () => closeSync(file),
  };
}

/** Writes a file with all of its text. */
export function writeResultFile(path: string, text: string): void {
  const file = openResultFile(path);
  file.write(text);
  file.close();
}
