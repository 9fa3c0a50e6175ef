import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OutputError } from "../output-error.js";
import { makeFolder } from "./folders.js";

/** Holds new files until all of them are written; never left behind by a run that ends. */
export const STAGING = ".acp-codegen";
export const JOURNAL = "journal.json";

/** Returns whether another run is under way, or was killed and has left something behind. */
export function hasLeftOvers(folder: string): boolean {
  return readdirSync(folder).some((name) => name.startsWith(STAGING));
}

/** Removes what was staged; the error that led here is the one to report. */
export function clearStaging(folder: string): void {
  // If it fails, the next run tries again.
  succeeds(() => {
    refuseLinkedStaging(folder);
    const staging = join(folder, STAGING);
    // Remove the journal first: otherwise a kill here could be taken for an unfinished move.
    rmSync(join(staging, JOURNAL), { force: true });
    rmSync(staging, { recursive: true, force: true });
  });
}

/** A link in place of the staging folder would lead what is staged and cleared out of the folder. */
export function refuseLinkedStaging(folder: string): void {
  const staging = join(folder, STAGING);
  const stat = lstatSync(staging, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return;
  throw new OutputError(
    `${staging} is not a folder. Remove it: acp-codegen keeps new files there.`,
  );
}

/** Returns whether a function has returned without an error. */
export function succeeds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Writes a file whose bytes are on the disk when the function returns. */
export function writeSynced(file: string, text: string): void {
  makeFolder(dirname(file));
  const descriptor = openSync(file, "w", 0o644);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Renames last only once their folder is synced; not every system can open one. */
export function syncFolder(folder: string): void {
  succeeds(() => {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}
