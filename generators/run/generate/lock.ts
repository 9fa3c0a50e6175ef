import { randomUUID } from "node:crypto";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OutputError, toOutputError } from "../../output/output-error.js";

/** Stands in the output folder while a run writes there. */
const LOCK = ".acp-codegen.lock";
const POLL_MS = 50;

/** The locks that this process holds, by their run. */
const held = new Set<string>();

/** Who holds a lock: enough to see whether they are still alive, and to tell two runs apart. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly run: string;
}

export interface LockOptions {
  /** How long to wait for another run, in milliseconds. */
  readonly patience: number;
  /** Told once, when another run is in the way. */
  readonly onWait?: (pid: number) => void;
}

/**
 * Waits until no other run writes into a folder, and keeps others out. The lock
 * of a run that was killed is taken over.
 *
 * @param folder the output folder; made when it does not exist
 * @returns ends the lock; a folder that was made and is still empty goes as well
 * @throws OutputError when the folder cannot be made or written to, or the other run takes too long
 */
export async function acquireLock(
  folder: string,
  { patience, onWait }: LockOptions,
): Promise<() => void> {
  const made = makeFolder(folder);
  const file = join(folder, LOCK);
  const own: Holder = { pid: process.pid, host: hostname(), run: randomUUID() };
  const text = JSON.stringify(own);
  const deadline = performance.now() + patience;
  let told = false;
  while (!tryLock(file, text, folder)) {
    const holder = readHolder(file);
    if (holder !== undefined && isDead(holder)) {
      takeAway(file, holder);
      continue;
    }
    if (performance.now() > deadline) {
      const who = holder === undefined ? "another run" : `process ${holder.pid} on ${holder.host}`;
      throw new OutputError(
        `${file} is held by ${who}. Wait for it, or remove the file if there is no such run.`,
      );
    }
    if (!told && holder !== undefined) onWait?.(holder.pid);
    told ||= holder !== undefined;
    await sleep(POLL_MS);
  }
  held.add(own.run);
  return () => {
    held.delete(own.run);
    if (readHolder(file)?.run === own.run) rmSync(file, { force: true });
    for (const path of made) if (!removeEmpty(path)) return;
  };
}

/**
 * Makes a folder and those above it, one after the other: where a file system
 * refuses (`/proc/x`), Node's own recursion never ends.
 *
 * @returns the folders that had to be made, innermost first
 * @throws OutputError naming the one that cannot be
 */
function makeFolder(folder: string): string[] {
  const missing: string[] = [];
  try {
    for (let path = folder; isMissing(path); path = dirname(path)) missing.push(path);
    for (const path of missing.toReversed()) mkdirSync(path);
    // A file of that name is told here, by its own error.
    readdirSync(folder);
  } catch (error) {
    throw toOutputError(error, folder);
  }
  return missing;
}

function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** A lock appears with its text or not at all: it is written elsewhere and linked into place. */
function tryLock(file: string, text: string, folder: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  try {
    if (isMissing(folder)) mkdirSync(folder);
    writeFileSync(draft, text, { flag: "wx" });
    linkSync(draft, file);
    removeDrafts(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A run that ends may take a draft, or the folder while it is empty, along.
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw toOutputError(error, folder);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Drafts of runs that were killed. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${LOCK}.`)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Removes the lock of a dead run. Two runs may find the same dead lock: the
 * slower one would take away the quicker one's, sees that by its text, and puts it back.
 */
function takeAway(file: string, dead: Holder): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readHolder(aside)?.run !== dead.run) linkSync(aside, file);
  } catch {
    // Someone else was quicker; the next attempt tells.
  } finally {
    rmSync(aside, { force: true });
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const value = JSON.parse(readFileSync(file, "utf8")) as Partial<Holder>;
    const { pid, host, run } = value;
    const isHolder = Number.isInteger(pid) && typeof host === "string" && typeof run === "string";
    return isHolder ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Of another machine nobody knows: its runs count as alive. */
function isDead({ pid, host, run }: Holder): boolean {
  if (host !== hostname()) return false;
  // Process numbers come again, most of all in containers.
  if (pid === process.pid) return !held.has(run);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
