import { randomUUID } from "node:crypto";
import {
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isMissing, makeFolder } from "../../output/disk/folders.js";
import { succeeds } from "../../output/disk/staging.js";
import type { HeldLock } from "../options.js";
import { codeOf, OutputError, toOutputError } from "../../output/output-error.js";

/** Stands in the output folder while a run writes there. */
const LOCK = ".acp-codegen.lock";
const POLL_MS = 50;

/** The locks of this process, by run. */
const held = new Set<string>();

/** The run that holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly run: string;
}

export interface LockOptions {
  /** How long to wait for another run. */
  readonly timeoutMs: number;
  /** Called once, when another run holds the lock. */
  readonly onWait?: (lock: HeldLock) => void;
}

/**
 * Waits until no other run writes to a folder, and locks it. The lock of a run
 * that was killed is taken over.
 *
 * @param folder the output folder; created when it does not exist
 * @returns a function that unlocks, and removes folders that were created and are empty
 * @throws OutputError when the folder cannot be created or written to, or after the timeout
 */
export async function acquireLock(
  folder: string,
  { timeoutMs, onWait }: LockOptions,
): Promise<() => void> {
  const file = join(folder, LOCK);
  const own: Holder = { pid: process.pid, host: hostname(), run: randomUUID() };
  const deadline = performance.now() + timeoutMs;
  const created = new Set<string>();
  let isReported = false;
  for (;;) {
    for (const path of createFolder(folder)) created.add(path);
    if (tryLock(file, own, folder)) break;
    const holder = readHolder(file);
    if (holder === undefined) {
      if (isMissing(file)) continue;
      throw new OutputError(
        `${file} names no run that holds it. Remove it, unless another program has made it.`,
      );
    }
    if (isDead(holder)) {
      takeOver(file, holder);
      continue;
    }
    if (performance.now() > deadline) {
      throw new OutputError(
        `${file} is held by process ${holder.pid} on ${holder.host}. ` +
          "Wait for it, or remove the file if that run has ended.",
      );
    }
    if (!isReported) onWait?.(heldLock(file, holder));
    isReported = true;
    await sleep(POLL_MS);
  }
  held.add(own.run);
  return () => {
    held.delete(own.run);
    if (readHolder(file)?.run === own.run) rmSync(file, { force: true });
    for (const path of created) if (!succeeds(() => rmdirSync(path))) return;
  };
}

function heldLock(file: string, { pid, host }: Holder): HeldLock {
  return host === hostname() ? { pid, file } : { pid, host, file };
}

/**
 * Creates the output folder.
 *
 * @returns the folders that were created, innermost first
 * @throws OutputError naming the path that failed
 */
function createFolder(folder: string): string[] {
  try {
    // Fails for a file of that name.
    if (!isMissing(folder)) readdirSync(folder);
    return makeFolder(folder);
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

/** Writes the lock to a draft and links it into place, so that it is never seen without its text. */
function tryLock(file: string, own: Holder, folder: string): boolean {
  const draft = `${file}.${own.run}`;
  try {
    writeFileSync(draft, JSON.stringify(own));
    linkSync(draft, file);
    removeDrafts(folder);
    return true;
  } catch (error) {
    // ENOENT: a run that has ended has removed the draft or the empty folder.
    if (["EEXIST", "ENOENT"].includes(codeOf(error))) return false;
    throw toOutputError(error, folder);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes drafts, most of all those of runs that were killed. A folder of that name is not ours. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${LOCK}.`)) succeeds(() => rmSync(join(folder, name)));
  }
}

/**
 * Removes the lock of a dead run. When two runs find the same dead lock, the
 * slower one moves the new lock of the faster one, sees that, and puts it back.
 */
function takeOver(file: string, dead: Holder): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readHolder(aside)?.run !== dead.run) linkSync(aside, file);
  } catch {
    // Another run was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    // A link that came with a repository could lead to a device, where reading never ends.
    if (!lstatSync(file).isFile()) return undefined;
    const value = JSON.parse(readFileSync(file, "utf8")) as Partial<Holder>;
    const { pid, host, run } = value;
    const isHolder = Number.isInteger(pid) && typeof host === "string" && typeof run === "string";
    return isHolder ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a run has ended. Runs on other hosts count as alive. */
function isDead(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  // Process ids are reused, most of all in containers.
  if (holder.pid === process.pid) return !held.has(holder.run);
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}
