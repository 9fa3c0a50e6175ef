import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keyValueSessions } from "../agent/key-value-sessions.js";
import { UnreadableSessionError, type SessionBackend } from "../agent/session-backend.js";
import * as sentences from "../sentences.js";

/** Codes of a folder that cannot be renamed because there is one of this name; the last one is that of Windows. */
const TAKEN = ["EEXIST", "ENOTEMPTY", "EPERM"];

/** Error codes that concern one session only: a file in place of a folder, or a missing permission. */
const UNREADABLE = ["ENOTDIR", "EISDIR", "EACCES", "EPERM"];

/** Matches the names of drafts of saves and sessions, and of sessions that are being deleted. */
const DRAFT = /^[0-9a-f]{32,64}\..*(json|draft|deleted)$/;

/** A draft that is older than a new save by this many nanoseconds was left by a process that died. */
const ABANDONED = 3_600_000_000_000n;

/**
 * Returns a backend that keeps sessions in files, for processes that share a folder.
 *
 * A session is a folder. An empty file, `<revision>.current`, names its last save, which is the file
 * `saves/<revision>.json`. A save writes its own file first, then renames the empty file from the revision
 * that it is based on to its own. Of several processes, only one can do so, and only while that revision
 * is the last one. Revisions are random, so that one that was read before a deletion never fits a session
 * that was created afterwards. Other files, such as those of a file manager, are ignored.
 *
 * @param folder created when it does not exist; only its owner can read it
 */
export function fileSessions(folder: string): SessionBackend {
  return keyValueSessions({
    get: (owner, name) =>
      readCurrent(join(folder, owner, name)).catch((error: unknown) => {
        if (!hasCode(error, ...UNREADABLE)) throw error;
        throw new UnreadableSessionError(join(folder, owner, name), error);
      }),
    set: (owner, name, value, revision) => {
      const place = join(folder, owner, name);
      return revision === undefined ? writeFirst(place, value) : writeNext(place, value, revision);
    },
    delete: (owner, name) => removeFolder(join(folder, owner, name)),
    names: (owner) => newestFirst(join(folder, owner)),
  });
}

const currentIn = (folder: string, revision: string): string => join(folder, `${revision}.current`);
const saveIn = (folder: string, revision: string): string =>
  join(folder, "saves", `${revision}.json`);

/** Returns a new revision, which is also the name of a draft. */
function createRevision(): string {
  return randomUUID().replaceAll("-", "");
}

/** Reads the last save of a session; undefined if there is none. */
async function readCurrent(
  folder: string,
): Promise<{ value: string; revision: string } | undefined> {
  let last: string | undefined = "";
  for (;;) {
    const names = await readdir(folder).catch(unlessMissing(undefined));
    if (names === undefined) return undefined;
    const revision = names.flatMap((name) => /^([0-9a-f]{32})\.current$/.exec(name)?.[1] ?? [])[0];
    if (revision !== undefined) {
      const path = saveIn(folder, revision);
      const found = await stat(path).catch(unlessMissing(undefined));
      // Reading a pipe would wait for a writer.
      if (found?.isFile() === false)
        throw new UnreadableSessionError(folder, sentences.saveIsNoFile);
      const value = await readFile(path, "utf8").catch(unlessMissing(undefined));
      if (value !== undefined) return { value, revision };
    }
    // A later save has renamed or replaced the file in the meantime, or the session was deleted.
    if (revision === last) throw new UnreadableSessionError(folder, sentences.saveMissing);
    last = revision;
  }
}

/** Creates the folder of a session; returns undefined when there is one. */
async function writeFirst(folder: string, value: string): Promise<string | undefined> {
  const revision = createRevision();
  const draft = `${folder}.${revision}.draft`;
  await mkdir(join(draft, "saves"), { recursive: true, mode: 0o700 });
  try {
    await writeThrough(saveIn(draft, revision), value);
    await writeThrough(currentIn(draft, revision), "");
    await rename(draft, folder);
  } catch (error) {
    if (hasCode(error, ...TAKEN)) return undefined;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeAbandoned(folder);
  return revision;
}

/** Writes the save behind a revision; returns undefined when there is one already. */
async function writeNext(
  folder: string,
  value: string,
  revision: string,
): Promise<string | undefined> {
  const next = createRevision();
  const draft = saveIn(folder, next);
  try {
    await writeThrough(draft, value);
    await rename(currentIn(folder, revision), currentIn(folder, next));
  } catch (error) {
    await rm(draft, { force: true });
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  await rm(saveIn(folder, revision), { force: true }).catch(() => {});
  await removeAbandoned(draft);
  return next;
}

/**
 * Removes what processes that died have left beside a new save, if it is an hour older than that. Such a
 * draft is based on an earlier save, so it can no longer succeed. The new save does not fail with this.
 */
async function removeAbandoned(save: string): Promise<void> {
  try {
    const parent = dirname(save);
    const { mtimeNs } = await stat(save, { bigint: true });
    for (const name of (await readdir(parent)).filter((name) => DRAFT.test(name))) {
      const found = await stat(join(parent, name), { bigint: true });
      if (found.mtimeNs < mtimeNs - ABANDONED) await removeFolder(join(parent, name));
    }
  } catch {
    // A later save finds it again.
  }
}

/** Writes a file that is on the disk when this returns. */
async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes a folder or a file from its name at once, and then from the disk. */
async function removeFolder(path: string): Promise<void> {
  const removed = `${path}.${createRevision()}.deleted`;
  const exists = await rename(path, removed).then(() => true, unlessMissing(false));
  if (exists) await rm(removed, { recursive: true, force: true });
}

/** Returns the names in the folder of an owner, that of the session that was saved last first. */
async function newestFirst(parent: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch(unlessMissing<string[]>([]));
  const dated = await Promise.all(
    names.map(async (name) => {
      // Each save has renamed a file in the folder of its session, which changes the time; drafts do not.
      const found = await stat(join(parent, name), { bigint: true }).catch(
        unlessMissing(undefined),
      );
      return { name, time: found?.mtimeNs ?? 0n };
    }),
  );
  const isNewer = (a: (typeof dated)[number], b: typeof a): boolean =>
    a.time === b.time ? a.name > b.name : a.time > b.time;
  return dated.sort((a, b) => (isNewer(a, b) ? -1 : 1)).map(({ name }) => name);
}

/** Returns a handler of errors that gives a value for a file that does not exist, and throws all others. */
function unlessMissing<Value>(value: Value) {
  return (error: unknown): Value => {
    if (!hasCode(error, "ENOENT")) throw error;
    return value;
  };
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
