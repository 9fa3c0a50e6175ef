import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { makeFolder, userFolder } from "../../output/disk/folders.js";
import { usageError } from "../../run/messages.js";

/** How long the folder keeps recordings, in days. */
export const KEPT_DAYS = 14;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The name of a recording: when it began, of what, and in which process. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z-.*-\d+\.ndjson$/;

/**
 * Returns the folder of the recordings: `ACP_CODEGEN_RECORDINGS`, or a folder below the home of the
 * user.
 *
 * @throws InputError when there is none, or `ACP_CODEGEN_RECORDINGS` is a relative path
 */
export function recordingsFolder(): string {
  const hint = "Set ACP_CODEGEN_RECORDINGS to an absolute path.";
  const chosen = process.env["ACP_CODEGEN_RECORDINGS"];
  // Editors start agents in folders of their own choice.
  if (chosen !== undefined && !isAbsolute(chosen))
    throw usageError(`ACP_CODEGEN_RECORDINGS is ${JSON.stringify(chosen)}, a relative path`, hint);
  const folder = chosen ?? userFolder();
  if (folder === undefined) throw usageError("there is no folder for recordings", hint);
  return chosen ?? join(folder, "recordings");
}

/**
 * Returns the path of a new recording, and creates its folder.
 *
 * @throws InputError when there is no folder for it; the error of the system when it cannot be created
 */
export function newRecording(command: string, time: Date = new Date()): string {
  const folder = recordingsFolder();
  makeFolder(folder, 0o700);
  const began = time.toISOString().replace(/[:.]/g, "-");
  const program = basename(command.replaceAll("\\", "/")).replace(/[^\w.]+/g, "_");
  return join(folder, `${began}-${program.slice(0, 40)}-${process.pid}.ndjson`);
}

/**
 * Returns the recordings in the folder, the newest first.
 *
 * @throws InputError when there is no folder for them
 */
export function recordings(): string[] {
  const folder = recordingsFolder();
  return listNames(folder).map((name) => join(folder, name));
}

/** Removes the recordings that have not been written to for a time; others may remove them as well. */
export function pruneRecordings(now: number = Date.now()): void {
  for (const path of recordings()) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && now - stat.mtimeMs > KEPT_DAYS * DAY_MS)
      rmSync(path, { force: true });
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort()
      .toReversed();
  } catch {
    // Nothing has been recorded yet.
    return [];
  }
}
