import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Drift } from "../drift.js";
import { sha256 } from "../manifest.js";
import { codeOf, OutputError, toOutputError } from "../output-error.js";
import { parseJournal, printJournal, type Journal } from "./journal.js";
import { digest, move, moveOrUndo } from "./move.js";
import { refuseLinks, refuseObstacles } from "./obstacles.js";
import {
  clearStaging,
  JOURNAL,
  refuseLinkedStaging,
  STAGING,
  syncFolder,
  writeSynced,
} from "./staging.js";

/**
 * Returns the text of a file below the output folder; `undefined` when it does not exist.
 *
 * @throws OutputError for a symbolic link, or when something is there that cannot be read
 */
export function readOutput(folder: string, path: string): string | undefined {
  try {
    refuseLinks(folder, path);
    return readFileSync(join(folder, path), "utf8");
  } catch (error) {
    if (error instanceof OutputError) throw error;
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return undefined;
    throw new OutputError(`${join(folder, path)} cannot be read (${codeOf(error)})`, {
      cause: error,
    });
  }
}

/**
 * Brings the output folder up to date. All new texts are staged and synced
 * first, then moved into place, the manifest last. If a move fails, those
 * before it are undone; if the process dies in between, the next run completes
 * them. Files that are up to date are not touched.
 *
 * @param folder the output folder; created when it does not exist
 * @param manifest path and text of the manifest
 * @param onFile called for each file that is staged
 * @throws OutputError naming the file; the output folder is then unchanged
 */
export function writeOutput(
  folder: string,
  drift: Pick<Drift, "write" | "remove">,
  manifest: { readonly path: string; readonly text: string },
  onFile: (done: number, total: number) => void = () => {},
): void {
  const staging = join(folder, STAGING);
  const texts = new Map(drift.write.map(({ file }) => [file.path, file.text]));
  if (readOutput(folder, manifest.path) !== manifest.text) texts.set(manifest.path, manifest.text);
  if (texts.size === 0 && drift.remove.length === 0) return;
  let journal: Journal;
  try {
    for (const path of [...texts.keys(), ...drift.remove]) refuseObstacles(folder, path);
    journal = journalOf(folder, texts, drift.remove);
    refuseLinkedStaging(folder);
    rmSync(staging, { recursive: true, force: true });
    for (const [index, [path, text]] of [...texts].entries()) {
      onFile(index, texts.size);
      writeSynced(join(staging, "files", path), text);
    }
    writeSynced(join(staging, JOURNAL), printJournal(folder, journal));
    syncFolder(staging);
  } catch (error) {
    clearStaging(folder);
    throw toOutputError(error, folder);
  }
  moveOrUndo(folder, journal);
}

function journalOf(
  folder: string,
  texts: ReadonlyMap<string, string>,
  remove: readonly string[],
): Journal {
  const digestOf = (path: string): string | undefined => digest(join(folder, path));
  return {
    write: [...texts].map(([path, text]) => {
      const replaces = digestOf(path);
      return { path, sha256: sha256(text), ...(replaces !== undefined && { replaces }) };
    }),
    remove: remove.flatMap((path) => {
      const found = digestOf(path);
      return found === undefined ? [] : [{ path, sha256: found }];
    }),
  };
}

/**
 * Completes or clears what a run that was killed left behind. The folder may have come with a
 * repository, so only a journal that this machine has signed counts, and of its steps only those
 * whose files are as that run saw them.
 *
 * @throws OutputError when that is not possible; the next run tries again
 */
export function recoverOutput(folder: string): void {
  refuseLinkedStaging(folder);
  const staging = join(folder, STAGING);
  if (!existsSync(staging)) return;
  const journal = readJournal(folder);
  try {
    // There is no way back from here: what the killed run has moved is not known.
    if (journal !== undefined) move(folder, journal, []);
  } catch (error) {
    throw toOutputError(error, folder);
  }
  clearStaging(folder);
}

/** Checks whether a run was killed while it moved files: the tree is a mix of two until the next run. */
export function isInterrupted(folder: string): boolean {
  return existsSync(join(folder, STAGING, JOURNAL));
}

function readJournal(folder: string): Journal | undefined {
  try {
    refuseLinks(folder, `${STAGING}/${JOURNAL}`);
    return parseJournal(folder, readFileSync(join(folder, STAGING, JOURNAL), "utf8"));
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}
