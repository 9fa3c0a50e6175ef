import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Drift } from "./drift.js";
import { isOutputPath } from "./file.js";
import { isObject } from "../schema/json.js";

/** The disk or its permissions are in the way; exit code 3. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** Holds new files until all of them are written; never left behind by a run that ends. */
const STAGING = ".acp-codegen";
const JOURNAL = "journal.json";

/** What is left to do once everything is staged. */
interface Journal {
  readonly write: readonly string[];
  readonly remove: readonly string[];
}

/**
 * The text of a file below the output folder; nothing when there is none.
 *
 * @throws OutputError when something is there that cannot be read
 */
export function readOutput(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return undefined;
    throw new OutputError(`${join(folder, path)} cannot be read (${codeOf(error)})`, {
      cause: error,
    });
  }
}

/**
 * Makes the output folder as it should be. All new texts are staged and synced
 * first, then moved into place; if the process dies in between, the next run
 * completes the move. Files that are as they should be are not touched.
 *
 * @param folder the output folder; made when it does not exist
 * @param manifest path and text of the manifest, moved last
 * @throws OutputError naming the file; until everything is staged nothing has changed
 */
export function writeOutput(
  folder: string,
  drift: Drift,
  manifest: { readonly path: string; readonly text: string },
): void {
  const staging = join(folder, STAGING);
  const texts = new Map(drift.write.map(({ file }) => [file.path, file.text]));
  if (readOutput(folder, manifest.path) !== manifest.text) texts.set(manifest.path, manifest.text);
  if (texts.size === 0 && drift.remove.length === 0) return;
  const journal: Journal = { write: [...texts.keys()], remove: drift.remove };
  try {
    for (const path of [...journal.write, ...journal.remove]) refuseLinks(folder, path);
    for (const [path, text] of texts) writeSynced(join(staging, "files", path), text);
    writeSynced(join(staging, JOURNAL), JSON.stringify(journal));
  } catch (error) {
    clear(staging);
    throw toOutputError(error, folder);
  }
  finishMove(folder, journal);
}

/** Completes or clears what a run that was killed left behind. */
export function recoverOutput(folder: string): void {
  const staging = join(folder, STAGING);
  if (!existsSync(staging)) return;
  const journal = readJournal(join(staging, JOURNAL));
  if (journal !== undefined) finishMove(folder, journal);
  else rmSync(staging, { recursive: true, force: true });
}

/** Removes what was staged; the error that led here is the one to report. */
function clear(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch {
    // The next run tries again.
  }
}

function finishMove(folder: string, journal: Journal): void {
  const staging = join(folder, STAGING);
  try {
    for (const path of journal.write) {
      const from = join(staging, "files", path);
      if (!existsSync(from)) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      renameSync(from, join(folder, path));
    }
    for (const path of journal.remove) rmSync(join(folder, path), { force: true });
    rmSync(staging, { recursive: true, force: true });
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

function readJournal(file: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(value)) return undefined;
    const lists = [value["write"], value["remove"]];
    const isOurs = lists.every((list) => Array.isArray(list) && list.every(isOutputPath));
    return isOurs ? (value as unknown as Journal) : undefined;
  } catch {
    return undefined;
  }
}

function writeSynced(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "w", 0o644);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A link below the output folder could lead out of it. */
function refuseLinks(folder: string, path: string): void {
  const segments = path.split("/");
  for (let count = 1; count < segments.length; count++) {
    const parent = join(folder, ...segments.slice(0, count));
    const stat = lstatSync(parent, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isSymbolicLink()) {
      throw new OutputError(
        `${parent} is a symbolic link. Remove it, or choose another output folder.`,
      );
    }
    if (!stat.isDirectory()) {
      throw new OutputError(
        `${parent} is not a folder. Remove it, or choose another output folder.`,
      );
    }
  }
}

function toOutputError(error: unknown, folder: string): OutputError {
  if (error instanceof OutputError) return error;
  const path = (error as NodeJS.ErrnoException).path ?? folder;
  const shown = path.replace(`${STAGING}/files/`, "");
  return new OutputError(
    `${shown} cannot be written (${codeOf(error)}). Check the disk and the permissions.`,
    {
      cause: error,
    },
  );
}

function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
