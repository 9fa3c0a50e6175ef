import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { makeFolder } from "../../../generators/output/disk/folders.js";
import { OutputError } from "../../../generators/output/output-error.js";
import {
  isInterrupted,
  recoverOutput,
  writeOutput,
} from "../../../generators/output/disk/write.js";
import { readFolder } from "../golden/compile-mini.js";

/** Counts the calls that change something on the disk, makes one of them fail, and does something before the next. */
const disk = vi.hoisted(() => ({
  calls: 0,
  failAt: Infinity,
  code: "ENOSPC",
  sticky: false,
  meanwhile: undefined as (() => void) | undefined,
}));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const failing = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      disk.calls++;
      const { meanwhile } = disk;
      disk.meanwhile = undefined;
      meanwhile?.();
      if (disk.calls === disk.failAt || (disk.sticky && disk.calls > disk.failAt)) {
        throw Object.assign(new Error(disk.code), { code: disk.code, path: String(args[0]) });
      }
      return call(...args);
    };
  };
  const { openSync, writeFileSync, fsyncSync, mkdirSync, renameSync, linkSync } = real;
  const calls = { openSync, writeFileSync, fsyncSync, mkdirSync, renameSync, linkSync };
  const wrapped = Object.entries(calls).map(([name, call]) => [name, failing(call as () => void)]);
  return { ...real, ...Object.fromEntries(wrapped) };
});

const folder = fs.mkdtempSync(join(tmpdir(), "acp-write-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "out");
const MANIFEST = "manifest.json";

/** The goal of a run: files by path, and the paths that it removes. */
function put(files: { readonly [path: string]: string }, remove: readonly string[] = []): void {
  const write = Object.entries(files).map(([path, text]) => ({
    file: { path, text, language: "plain" as const, profile: "*", target: "t" },
    exists: true,
  }));
  writeOutput(out, { write, remove }, { path: MANIFEST, text: JSON.stringify(files) });
}

const OLD = { "a/one.txt": "1", "a/two.txt": "2", "removed.txt": "x" };
const NEW = { "a/one.txt": "one", "a/two.txt": "two", "b/three.txt": "three" };

function reset(): void {
  Object.assign(disk, { calls: 0, failAt: Infinity, code: "ENOSPC", sticky: false });
  fs.rmSync(out, { recursive: true, force: true });
  put(OLD);
  disk.calls = 0;
}
beforeEach(reset);

test("a folder that another run creates meanwhile is used", () => {
  disk.meanwhile = () => fs.mkdirSync(join(out, "new"));
  expect(makeFolder(join(out, "new/inner"))).toEqual([join(out, "new/inner")]);
});

describe("writing", () => {
  const before = new Map(Object.entries({ ...OLD, [MANIFEST]: JSON.stringify(OLD) }));
  const after = new Map(Object.entries({ ...NEW, [MANIFEST]: JSON.stringify(NEW) }));

  test.each(["ENOSPC", "EACCES", "EROFS"])(
    "leaves the old tree as it was when any one call fails with %s",
    (code) => {
      put(NEW, ["removed.txt"]);
      const total = disk.calls;
      expect(readFolder(out)).toEqual(after);
      expect(total).toBeGreaterThan(20);
      for (let failAt = 1; failAt <= total; failAt++) {
        reset();
        Object.assign(disk, { failAt, code });
        let error: unknown;
        try {
          put(NEW, ["removed.txt"]);
        } catch (thrown) {
          error = thrown;
        }
        // Hard links and synced folders are not everywhere: their failure is no error.
        if (error === undefined) expect(readFolder(out), `call ${failAt}`).toEqual(after);
        else {
          expect(error).toBeInstanceOf(OutputError);
          expect((error as Error).message).toContain(code);
          expect(readFolder(out), `call ${failAt}`).toEqual(before);
        }
        expect(isInterrupted(out)).toBe(false);
      }
    },
  );

  test("that cannot be undone is completed by the next run", () => {
    put(NEW, ["removed.txt"]);
    const total = disk.calls;
    let completed = 0;
    for (let failAt = 1; failAt <= total; failAt++) {
      reset();
      Object.assign(disk, { failAt, sticky: true });
      try {
        put(NEW, ["removed.txt"]);
      } catch {
        // The tree after the next run is what counts.
      }
      disk.failAt = Infinity;
      disk.sticky = false;
      const wasInterrupted = isInterrupted(out);
      recoverOutput(out);
      const tree = readFolder(out);
      expect([before, after], `call ${failAt}`).toContainEqual(tree);
      if (wasInterrupted) {
        completed++;
        expect(tree).toEqual(after);
      }
      expect(fs.existsSync(join(out, ".acp-codegen"))).toBe(false);
    }
    expect(completed).toBeGreaterThan(0);
  });

  const obstacles: readonly [string, () => void][] = [
    [
      "a folder where a file belongs",
      () => fs.mkdirSync(join(out, "b/three.txt"), { recursive: true }),
    ],
    ["a file where a folder belongs", () => fs.writeFileSync(join(out, "b"), "mine")],
    [
      "a link to a file",
      () =>
        fs.mkdirSync(join(out, "b")) ?? fs.symlinkSync("/etc/hostname", join(out, "b/three.txt")),
    ],
    ["a link to a folder", () => fs.symlinkSync(folder, join(out, "b"))],
  ];
  test.each(obstacles)("refuses %s before it changes anything", (_, obstruct) => {
    obstruct();
    expect(() => put(NEW, ["removed.txt"])).toThrow(
      /is a symbolic link|is not a file|is not a folder/,
    );
    expect(fs.readFileSync(join(out, "a/one.txt"), "utf8")).toBe("1");
    expect(fs.existsSync(join(out, ".acp-codegen"))).toBe(false);
  });

  test("touches no file that is up to date, and nothing at all when all are", () => {
    put(OLD, []);
    const calls = disk.calls;
    writeOutput(out, { write: [], remove: [] }, { path: MANIFEST, text: JSON.stringify(OLD) });
    expect(disk.calls).toBe(calls);
  });
});
