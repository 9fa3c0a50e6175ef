import { realpathSync } from "node:fs";
import { isOutputPath } from "../file.js";
import { parseSigned, printSigned } from "./signature.js";

/** The remaining steps of a run once all files are staged. */
export interface Journal {
  readonly write: readonly WriteStep[];
  readonly remove: readonly RemoveStep[];
}

/** Moves a staged file into place. */
export interface WriteStep {
  readonly path: string;
  /** Digest of the staged text. */
  readonly sha256: string;
  /** Digest of the file that is replaced; absent when there is none. */
  readonly replaces?: string;
}

/** Removes a file. */
export interface RemoveStep {
  readonly path: string;
  /** Digest of the file. */
  readonly sha256: string;
}

/**
 * Prints a journal. It is signed together with the path of the output folder, since a later run
 * trusts it with what it moves and removes.
 */
export function printJournal(folder: string, { write, remove }: Journal): string {
  return printSigned(realpathSync(folder), JSON.stringify({ write, remove }));
}

/**
 * Parses a journal.
 *
 * @returns undefined for a text that this machine has not written for this folder
 */
export function parseJournal(folder: string, text: string): Journal | undefined {
  const steps = parseSigned(realpathSync(folder), text);
  if (steps === undefined) return undefined;
  const { write, remove } = JSON.parse(steps) as Journal;
  return [...write, ...remove].every(({ path }) => isOutputPath(path))
    ? { write, remove }
    : undefined;
}
