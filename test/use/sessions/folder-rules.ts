import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { SessionBackend } from "acp-bindings";
import { expect, test, vi } from "vitest";

const session = { cwd: "/a", updatedAt: new Date().toISOString(), state: "x" };
const key = (sessionId: string) => ({ principal: "ana", sessionId });

/** Returns the paths of the files in a folder, and of the folders that these are in. */
function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .toSorted();
}

const savesIn = (folder: string): string[] =>
  pathsIn(folder).filter((path) => path.endsWith(".json"));

/** Replaces the values of all sessions in a folder. */
export function damageFiles(folder: string, text: string): void {
  for (const path of savesIn(folder)) writeFileSync(path, text);
}

/**
 * Defines the tests that every backend of files has to pass.
 *
 * @param createFolder returns an empty folder
 */
export function testFolder(
  createFolder: () => string,
  create: (folder: string) => SessionBackend,
): void {
  test("ignores the files and folders of others", async () => {
    const folder = createFolder();
    const backend = create(folder);
    const revision = await backend.save(key("s"), session, undefined);
    const place = dirname(dirname(savesIn(folder)[0]!));
    for (const parent of [folder, dirname(place), place, join(place, "saves")]) {
      for (const name of [".DS_Store", "Thumbs.db", "0.json"])
        writeFileSync(join(parent, name), "x");
      for (const name of ["@eaDir", ".AppleDouble"]) mkdirSync(join(parent, name));
    }
    expect(await backend.load(key("s"))).toMatchObject({ revision });
    expect((await backend.list("ana", {})).sessions).toHaveLength(1);
    const next = await backend.save(key("s"), session, revision);
    expect(await backend.load(key("s"))).toMatchObject({ revision: next });
    await backend.delete(key("s"));
    expect(await backend.load(key("s"))).toBeUndefined();
  });

  test("names the folder of a session without a save", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => {});
    const folder = createFolder();
    const backend = create(folder);
    const ids = ["file", "empty", "lost", ...(process.platform === "win32" ? [] : ["pipe"])];
    for (const id of [...ids, "s"]) await backend.save(key(id), session, undefined);
    const saves = await Promise.all(
      ids.map(async (id) => {
        const { revision } = (await backend.load(key(id)))!;
        return savesIn(folder).find((path) => path.includes(revision))!;
      }),
    );
    const [, , lost, pipe] = saves;
    const places = saves.map((path) => dirname(dirname(path)));
    rmSync(places[0]!, { recursive: true });
    writeFileSync(places[0]!, "x");
    rmSync(places[1]!, { recursive: true });
    mkdirSync(places[1]!);
    rmSync(lost!);
    if (pipe !== undefined) {
      rmSync(pipe);
      execFileSync("mkfifo", [pipe]);
    }
    for (const [index, id] of ids.entries())
      await expect(backend.load(key(id)), id).rejects.toThrow(
        `The session stored in ${places[index]!}`,
      );
    const { sessions } = await backend.list("ana", {});
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s"]);
    report.mockRestore();
  });

  test("removes what dead processes have left, when it is an hour old", async () => {
    const folder = createFolder();
    const backend = create(folder);
    const revision = await backend.save(key("s"), session, undefined);
    const [save] = savesIn(folder);
    const place = dirname(dirname(save!));
    const hex = (digit: string): string => digit.repeat(32);
    const abandon = (digit: string, age: number): string[] => {
      const draft = join(place, "saves", `${hex(digit)}.json`);
      writeFileSync(draft, readFileSync(save!));
      const folders = ["draft", "deleted"].map((kind) => `${place}.${hex(digit)}.${kind}`);
      for (const path of folders) mkdirSync(path);
      const time = statSync(save!).mtimeMs / 1000 - age;
      for (const path of [draft, ...folders]) utimesSync(path, time, time);
      return [draft, ...folders];
    };
    const [old, recent] = [abandon("1", 3700), abandon("2", 3500)];
    await backend.save(key("s"), session, revision);
    await backend.save(key("new"), session, undefined);
    expect(old.filter(existsSync)).toEqual([]);
    expect(recent.filter(existsSync)).toEqual(recent);
    expect((await backend.list("ana", {})).sessions).toHaveLength(2);
    // Nothing else is left: a name and a file for each session.
    const files = pathsIn(folder).filter((path) => /\.(json|current)$/.test(path));
    expect(files).toHaveLength(5);
  });
}
