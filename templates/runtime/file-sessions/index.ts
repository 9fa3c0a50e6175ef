import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  entryOf,
  StaleSessionError,
  type LoadedSession,
  type SessionBackend,
  type SessionEntry,
  type SessionKey,
  type StoredSession,
} from "../agent/session-backend.js";

/** The maximum number of sessions in a list. */
const MOST_LISTED = 200;

/** A stored session as a file has it. */
interface SessionFile extends StoredSession, SessionKey {}

/**
 * Returns a backend that keeps sessions in files, for processes that share a folder.
 *
 * A session is a folder, and each save a file whose name is the next number. The file is linked to
 * its name when it is complete, which fails when another process has taken the number. Principals and
 * ids are hashed, since they may be no file names. Lists have the 200 newest sessions.
 *
 * @param folder created when it does not exist; only its owner can read it
 */
export function fileSessions(folder: string): SessionBackend {
  const folderOf = ({ principal, sessionId }: SessionKey): string =>
    join(folder, hash(principal), hash(sessionId));
  return {
    load: async (key) => {
      const found = await readNewest(folderOf(key));
      if (found === undefined) return undefined;
      const { principal: _, sessionId: __, ...session } = found;
      return session;
    },
    save: (key, session, revision) =>
      writeNext(folderOf(key), { ...key, ...session }, Number(revision ?? 0)),
    delete: (key) => removeFolder(folderOf(key)),
    list: async (principal, { cwd }) => {
      const parent = join(folder, hash(principal));
      const sessions: SessionEntry[] = [];
      for (const name of await newestFirst(parent)) {
        if (sessions.length === MOST_LISTED) break;
        const found = await readNewest(join(parent, name));
        if (found !== undefined && (cwd ?? found.cwd) === found.cwd)
          sessions.push(entryOf(found.sessionId, found));
      }
      return { sessions };
    },
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the numbers of the saves that a folder has; an empty list for one that does not exist. */
async function revisionsIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(unlessMissing<string[]>([]));
  return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
}

function fileOf(folder: string, revision: number): string {
  return join(folder, `${revision}.json`);
}

/** Reads the last save of a session; undefined if there is none. */
async function readNewest(folder: string): Promise<(SessionFile & LoadedSession) | undefined> {
  for (;;) {
    const revision = Math.max(0, ...(await revisionsIn(folder)));
    if (revision === 0) return undefined;
    const text = await readFile(fileOf(folder, revision), "utf8").catch(unlessMissing(undefined));
    // A later save has replaced the file in the meantime, or the session was deleted.
    if (text === undefined) continue;
    return { ...(JSON.parse(text) as SessionFile), revision: String(revision) };
  }
}

async function writeNext(folder: string, file: SessionFile, revision: number): Promise<string> {
  if (revision === 0) await mkdir(folder, { recursive: true, mode: 0o700 });
  const next = revision + 1;
  const draft = join(folder, `${randomUUID()}.draft`);
  const stale = (): never => {
    throw new StaleSessionError(file.sessionId);
  };
  try {
    await writeThrough(draft, JSON.stringify(file)).catch(unlessMissing(undefined, stale));
    await link(draft, fileOf(folder, next)).catch((error: unknown) => {
      if (hasCode(error, "EEXIST")) stale();
      throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const others = (await revisionsIn(folder)).filter((number) => number !== next);
  // The number was free because others have saved more than once since.
  const isLast = others.every((number) => number < next);
  const obsolete = isLast ? others : [next];
  await Promise.all(obsolete.map((number) => rm(fileOf(folder, number), { force: true })));
  return isLast ? String(next) : stale();
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

/** Removes a folder from its name at once, and then from the disk. */
async function removeFolder(folder: string): Promise<void> {
  const removed = `${folder}.${randomUUID()}.deleted`;
  const exists = await rename(folder, removed).then(() => true, unlessMissing(false));
  if (exists) await rm(removed, { recursive: true, force: true });
}

/** Returns the names of the folders of sessions, the one that was changed last first. */
async function newestFirst(parent: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch(unlessMissing<string[]>([]));
  const dated = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
      .map(async (name) => {
        const found = await stat(join(parent, name)).catch(unlessMissing(undefined));
        return { name, time: found?.mtimeMs ?? 0 };
      }),
  );
  return dated.sort((a, b) => b.time - a.time).map(({ name }) => name);
}

/** Returns a handler of errors that gives a value for a file that does not exist, and throws all others. */
function unlessMissing<Value>(value: Value, otherwise?: () => never) {
  return (error: unknown): Value => {
    if (!hasCode(error, "ENOENT")) throw error;
    return otherwise === undefined ? value : otherwise();
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
