import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { keyValueSessions } from "../agent/key-value-sessions.js";
import type { SessionBackend } from "../agent/session-backend.js";

/** Codes of a folder that cannot be renamed because there is one of this name; the last one is that of Windows. */
const TAKEN = ["EEXIST", "ENOTEMPTY", "EPERM"];

/**
 * Returns a backend that keeps sessions in files, for processes that share a folder.
 *
 * A session is a folder, with a folder of a random name, its life, so that what was read before a
 * deletion is not a revision of what is created afterwards. In it, each save is a file whose name is
 * the next number. The file is linked to its name when it is complete, which fails when another process
 * has taken the number.
 *
 * @param folder created when it does not exist; only its owner can read it
 */
export function fileSessions(folder: string): SessionBackend {
  return keyValueSessions({
    get: (owner, name) => readNewest(join(folder, owner, name)),
    set: (owner, name, value, revision) => {
      const place = join(folder, owner, name);
      return revision === undefined ? writeFirst(place, value) : writeNext(place, value, revision);
    },
    delete: (owner, name) => removeFolder(join(folder, owner, name)),
    names: (owner) => newestFirst(join(folder, owner)),
  });
}

/** Returns the names in a folder; an empty list for one that does not exist. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(unlessMissing<string[]>([]));
}

/** Returns the numbers of the saves in a life. */
async function numbersIn(life: string): Promise<readonly number[]> {
  const names = await namesIn(life);
  return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
}

/** Reads the last save of a session; undefined if there is none. */
async function readNewest(
  folder: string,
): Promise<{ value: string; revision: string } | undefined> {
  for (;;) {
    const life = (await namesIn(folder)).find((name) => !name.endsWith(".draft"));
    if (life === undefined) return undefined;
    const number = Math.max(0, ...(await numbersIn(join(folder, life))));
    if (number === 0) return undefined;
    const revision = `${life}/${number}`;
    const path = join(folder, `${revision}.json`);
    const value = await readFile(path, "utf8").catch(unlessMissing(undefined));
    // A later save has replaced the file in the meantime, or the session was deleted.
    if (value !== undefined) return { value, revision };
  }
}

/** Begins the life of a session; returns undefined when there is one. */
async function writeFirst(folder: string, value: string): Promise<string | undefined> {
  const life = randomUUID();
  const draft = `${folder}.${life}.draft`;
  await mkdir(join(draft, life), { recursive: true, mode: 0o700 });
  try {
    await writeThrough(join(draft, life, "1.json"), value);
    await rename(draft, folder);
    return `${life}/1`;
  } catch (error) {
    if (TAKEN.some((code) => hasCode(error, code))) return undefined;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Writes the save behind a revision; returns undefined when there is one already. */
async function writeNext(
  folder: string,
  value: string,
  revision: string,
): Promise<string | undefined> {
  const [life, number] = revision.split("/") as [string, string];
  const next = Number(number) + 1;
  const fileOf = (number: number): string => join(folder, life, `${number}.json`);
  const draft = join(folder, `${randomUUID()}.draft`);
  try {
    await writeThrough(draft, value);
    await link(draft, fileOf(next));
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "EEXIST")) return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const others = (await numbersIn(join(folder, life))).filter((number) => number !== next);
  // The number was free because others have saved more than once since.
  const isLast = others.every((number) => number < next);
  const obsolete = isLast ? others : [next];
  await Promise.all(obsolete.map((number) => rm(fileOf(number), { force: true })));
  return isLast ? `${life}/${next}` : undefined;
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
  const dated = await Promise.all(
    (await namesIn(parent))
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
      .map(async (name) => {
        // Each save has created its draft here, which changes the time.
        const found = await stat(join(parent, name)).catch(unlessMissing(undefined));
        return { name, time: found?.mtimeMs ?? 0 };
      }),
  );
  return dated.sort((a, b) => b.time - a.time).map(({ name }) => name);
}

/** Returns a handler of errors that gives a value for a file that does not exist, and throws all others. */
function unlessMissing<Value>(value: Value) {
  return (error: unknown): Value => {
    if (!hasCode(error, "ENOENT")) throw error;
    return value;
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
