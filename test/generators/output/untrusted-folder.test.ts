import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { printJournal, type Journal } from "../../../generators/output/disk/journal.js";
import { clearStaging } from "../../../generators/output/disk/staging.js";
import { recoverOutput, writeOutput } from "../../../generators/output/disk/write.js";
import { MANIFEST_FILE, parseManifest, sha256 } from "../../../generators/output/manifest.js";
import { OutputError } from "../../../generators/output/output-error.js";
import { generate } from "../../../generators/run/generate/generate.js";
import { verify } from "../../../generators/run/verify/verify.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand } from "../cli/run-command.js";
import { IS_DEEP } from "../../support/deep.js";

const folder = temporaryFolder();
const outside = join(folder, "outside");
const out = join(folder, "out");
const fast = { profiles: ["v1"], targets: ["schema"], out };

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

beforeEach(() => {
  rmSync(outside, { recursive: true, force: true });
  rmSync(out, { recursive: true, force: true });
  put(join(outside, "secret.txt"), "secret");
  put(join(outside, "journal.json"), "mine");
  mkdirSync(out);
});

/** Plants what a killed run would leave, without the signature of this machine. */
function plant(journal: Journal | object): void {
  put(join(out, ".acp-codegen/journal.json"), JSON.stringify(journal));
}

describe("a journal from a repository", () => {
  test("is ignored when it was signed for another folder", () => {
    const other = join(folder, "other");
    mkdirSync(other, { recursive: true });
    put(join(out, "mine.txt"), "mine");
    const journal = { write: [], remove: [{ path: "mine.txt", sha256: sha256("mine") }] };
    put(join(out, ".acp-codegen/journal.json"), printJournal(other, journal));
    recoverOutput(out);
    expect(existsSync(join(out, "mine.txt"))).toBe(true);
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, journal));
    recoverOutput(out);
    expect(existsSync(join(out, "mine.txt"))).toBe(false);
  });
});

describe("a journal of this machine", () => {
  test("is refused when a link is now in one of its paths", () => {
    put(join(out, ".acp-codegen/files/sub/secret.txt"), "new");
    symlinkSync(outside, join(out, "sub"));
    const write = [{ path: "sub/secret.txt", sha256: sha256("new"), replaces: sha256("secret") }];
    const journal = { write, remove: [] };
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, journal));
    expect(() => recoverOutput(out)).toThrow(/out\/sub is a symbolic link/);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("removes nothing through a link", () => {
    symlinkSync(outside, join(out, "sub"));
    const remove = [{ path: "sub/secret.txt", sha256: sha256("secret") }];
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, { write: [], remove }));
    expect(() => recoverOutput(out)).toThrow(/out\/sub is a symbolic link/);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("moves no link into place that stands where a file was staged", () => {
    mkdirSync(join(out, ".acp-codegen/files"), { recursive: true });
    symlinkSync(join(outside, "secret.txt"), join(out, ".acp-codegen/files/a.txt"));
    const write = [{ path: "a.txt", sha256: sha256("secret") }];
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, { write, remove: [] }));
    expect(() => recoverOutput(out)).toThrow(/files\/a\.txt is a symbolic link/);
    expect(existsSync(join(out, "a.txt"))).toBe(false);
  });

  test.each(["write", "remove"])("keeps no backup through a link before a step to %s", (kind) => {
    put(join(out, "sub/secret.txt"), "old");
    put(join(out, ".acp-codegen/files/sub/secret.txt"), "new");
    mkdirSync(join(out, ".acp-codegen/backup"));
    symlinkSync(outside, join(out, ".acp-codegen/backup/sub"));
    const [path, old] = ["sub/secret.txt", sha256("old")];
    const journal: Journal = {
      write: kind === "write" ? [{ path, sha256: sha256("new"), replaces: old }] : [],
      remove: kind === "remove" ? [{ path, sha256: old }] : [],
    };
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, journal));
    expect(() => recoverOutput(out)).toThrow(/backup\/sub is a symbolic link/);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(readFileSync(join(out, path), "utf8")).toBe("old");
  });

  test("removes no file that has changed since", () => {
    put(join(out, "a.txt"), "edited");
    const remove = [{ path: "a.txt", sha256: sha256("old") }];
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, { write: [], remove }));
    recoverOutput(out);
    expect(readFileSync(join(out, "a.txt"), "utf8")).toBe("edited");
  });

  test.each(["write", "remove"])("is ignored when a path to %s leads out of the folder", (kind) => {
    put(join(out, ".acp-codegen/files/a.txt"), "new");
    put(join(out, ".acp-codegen/outside/secret.txt"), "new");
    const [path, old] = ["../outside/secret.txt", sha256("secret")];
    const write = [{ path: "a.txt", sha256: sha256("new") }];
    const journal: Journal =
      kind === "remove"
        ? { write, remove: [{ path, sha256: old }] }
        : { write: [...write, { path, sha256: sha256("new"), replaces: old }], remove: [] };
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, journal));
    recoverOutput(out);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(readdirSync(out)).toEqual([]);
  });

  test.each([
    ["the staged text", "other", "old", "old"],
    ["the file that it replaces", "new", "edited", "edited"],
  ])("skips a step when %s has changed since", (_, staged, present, expected) => {
    put(join(out, ".acp-codegen/files/a.txt"), staged);
    put(join(out, "a.txt"), present);
    const write = [{ path: "a.txt", sha256: sha256("new"), replaces: sha256("old") }];
    put(join(out, ".acp-codegen/journal.json"), printJournal(out, { write, remove: [] }));
    recoverOutput(out);
    expect(readFileSync(join(out, "a.txt"), "utf8")).toBe(expected);
    expect(existsSync(join(out, ".acp-codegen"))).toBe(false);
  });
});

test("a staging folder that is a link is neither recovered nor written to nor cleared", () => {
  symlinkSync(outside, join(out, ".acp-codegen"));
  const refusal = /\.acp-codegen is not a folder\. Remove it/;
  const manifest = { path: "manifest.json", text: "{}" };
  expect(() => recoverOutput(out)).toThrow(refusal);
  expect(() => writeOutput(out, { write: [], remove: [] }, manifest)).toThrow(refusal);
  clearStaging(out);
  expect(readdirSync(outside).sort()).toEqual(["journal.json", "secret.txt"]);
});

test.each(["../secret.txt", "/etc/passwd", "a//b", "a/./b", "a/../../b", "con.ts", 5])(
  "a manifest with the path %s is no manifest",
  (path) => {
    const file = { path, profile: "v1", target: "schema", sha256: "" };
    const text = (files: readonly object[]): string =>
      JSON.stringify({ generator: "acp-codegen 1.0.0", profiles: {}, files });
    expect(parseManifest(text([{ ...file, path: "a/b" }]))).toBeDefined();
    expect(parseManifest(text([file]))).toBeUndefined();
  },
);

describe("a file that the manifest lists", () => {
  test("is neither overwritten nor removed once it was changed, unless the run is forced", async () => {
    await generate({ ...fast, profiles: ["v1", "v2"] });
    put(join(out, "schema/v1.meta.json"), "mine");
    await expect(generate(fast)).rejects.toThrow(
      /^files were changed in .* since acp-codegen generated them: schema\/v1\.meta\.json\./,
    );
    expect(readFileSync(join(out, "schema/v1.meta.json"), "utf8")).toBe("mine");
    await generate({ ...fast, force: true });
    expect(readFileSync(join(out, "schema/v1.meta.json"), "utf8")).not.toBe("mine");
  });

  test("counts as unchanged when only its line ends differ", async () => {
    await generate(fast);
    const file = join(out, "schema/v1.meta.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect(await generate(fast)).toMatchObject({ write: [], remove: [] });
    expect(await generate({ ...fast, check: true })).toMatchObject({ write: [], causes: [] });
    expect((await verify(out)).findings).toEqual([]);
  });

  /** Lists files of a profile in the manifest, with the digests that they have. */
  function list(profile: string, files: { readonly [path: string]: string }): void {
    const manifest = join(out, MANIFEST_FILE);
    const value = JSON.parse(readFileSync(manifest, "utf8")) as { files: object[] };
    for (const [path, text] of Object.entries(files)) {
      put(join(out, path), text);
      value.files.push({ path, profile, target: "schema", sha256: sha256(text) });
    }
    writeFileSync(manifest, JSON.stringify(value));
  }

  test("is kept when its digest does not match", async () => {
    await generate(fast);
    const text = "// Generated by acp-codegen";
    list("v1", { "schema/app.ts": text });
    put(join(out, "schema/app.ts"), `${text} mine`);
    await expect(generate(fast)).rejects.toThrow(/were changed .*schema\/app\.ts/);
    expect(readFileSync(join(out, "schema/app.ts"), "utf8")).toBe(`${text} mine`);
  });

  test("is left and named when no run has generated it, although its digest matches", async () => {
    await generate(fast);
    const files = {
      "app.ts": "// Generated by acp-codegen",
      "schema/mine.json": "{}",
      "schema/v1/mine.ts": "mine",
      "src/app.ts": "// Generated by acp-codegen",
    };
    const flags = ["--profile", "v1", "--target", "schema", "--out", out];
    const left = [
      "  left     app.ts: is not in a folder that this run writes to",
      "  left     schema/mine.json: has no header of a generated file",
      "  left     schema/v1/mine.ts: has no header of a generated file",
      "  left     src/app.ts: is not in a folder that this run writes to",
    ];
    for (const force of [[], ["--force"]]) {
      list("v1", files);
      const dry = await runCommand(["generate", ...flags, ...force, "--dry-run"]);
      expect(dry.out.split("\n")).toEqual(expect.arrayContaining(left));
      const { code, err } = await runCommand(["generate", "--quiet", ...flags, ...force]);
      expect({ code, err: err.trimEnd().split("\n") }).toEqual({ code: 0, err: left });
      for (const [path, text] of Object.entries(files))
        expect(readFileSync(join(out, path), "utf8"), path).toBe(text);
      // From now on they are files like any other.
      expect(readFileSync(join(out, MANIFEST_FILE), "utf8")).not.toContain("mine");
    }
  });

  test("is removed and named when it is obsolete, with and without a header", async () => {
    await generate({ ...fast, profiles: ["v1", "v2"] });
    const manifest = readFileSync(join(out, MANIFEST_FILE), "utf8");
    writeFileSync(join(out, MANIFEST_FILE), manifest.replaceAll('"v2"', '"v9"'));
    for (const name of ["meta.json", "schema.json"])
      renameSync(join(out, "schema", `v2.${name}`), join(out, "schema", `v9.${name}`));
    writeFileSync(
      join(out, MANIFEST_FILE),
      readFileSync(join(out, MANIFEST_FILE), "utf8").replaceAll("schema/v2", "schema/v9"),
    );
    list("v1", { "schema/old/v1.ts": "// Generated by acp-codegen" });
    const { out: printed, err } = await runCommand(["generate", "--target", "schema", "-o", out]);
    const removed = ["schema/old/v1.ts", "schema/v9.meta.json", "schema/v9.schema.json"];
    expect(err).toBe("");
    const rows = printed.split("\n").filter((row) => row.startsWith("  removed  "));
    expect(rows.sort()).toEqual(removed.map((path) => `  removed  ${path}`));
    for (const path of [...removed, "schema/old"])
      expect(existsSync(join(out, path)), path).toBe(false);
  });
});

test("remains of a killed run are removed by the next run, even when nothing has changed", async () => {
  await generate(fast);
  mkdirSync(join(out, ".acp-codegen/backup"), { recursive: true });
  const dead = { pid: 2 ** 22 + 1, host: (await import("node:os")).hostname(), run: "dead" };
  writeFileSync(join(out, ".acp-codegen.lock"), JSON.stringify(dead));
  writeFileSync(join(out, ".acp-codegen.lock.draft"), "");
  expect((await generate(fast)).write).toEqual([]);
  expect(readdirSync(out).filter((name) => name.startsWith("."))).toEqual([]);
});

describe("whatever an output folder contains", () => {
  const names = fc.constantFrom("a", "b", "schema", ".acp-codegen", "files", "backup");
  const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const journals = fc.record({
    write: fc.array(fc.record({ path: paths, sha256: fc.constant(sha256("planted")) })),
    remove: fc.array(fc.record({ path: paths, sha256: fc.constant(sha256("user")) })),
    /** Whether the manifest knows the text of the files. */
    isExact: fc.boolean(),
  });
  const entries = fc.array(
    fc.record({
      path: paths,
      kind: fc.constantFrom("file", "staged", "link to a folder", "link to a file"),
    }),
    { maxLength: 12 },
  );

  test("no run changes a file outside of it or a file of the user", async () => {
    const property = fc.asyncProperty(
      entries,
      journals,
      fc.boolean(),
      async (made, journal, isOld) => {
        rmSync(out, { recursive: true, force: true });
        mkdirSync(out);
        const users: string[] = [];
        for (const { path, kind } of made) {
          try {
            const file = join(out, path);
            mkdirSync(dirname(file), { recursive: true });
            if (kind === "link to a folder") symlinkSync(outside, file);
            else if (kind === "link to a file") symlinkSync(join(outside, "secret.txt"), file);
            else if (kind === "staged") put(join(out, ".acp-codegen/files", path), "planted");
            else if (realPlace(file)) {
              writeFileSync(file, "user", { flag: "wx" });
              if (!path.startsWith(".acp-codegen")) users.push(file);
            }
          } catch {
            // The tree has no place for it.
          }
        }
        try {
          const { write, remove } = journal;
          plant(isOld ? { write: write.map(pathOf), remove: remove.map(pathOf) } : journal);
        } catch {
          // A link or a file is in its place.
        }
        const manifest = { generator: "x", profiles: {}, files: listed(journal) };
        writeFileSync(join(out, MANIFEST_FILE), JSON.stringify(manifest));
        resetOutside();
        try {
          await generate(fast);
        } catch (error) {
          expect(error).toBeInstanceOf(OutputError);
        }
        expect(readdirSync(outside).sort()).toEqual(["journal.json", "secret.txt"]);
        expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
        expect(readFileSync(join(outside, "journal.json"), "utf8")).toBe("mine");
        for (const file of users) expect(readFileSync(file, "utf8"), file).toBe("user");
      },
    );
    const options = { numRuns: IS_DEEP ? 600 : 10 };
    await fc.assert(
      property,
      process.env["SEED"]
        ? { ...options, seed: Number(process.env["SEED"]) }
        : { ...options, seed: 20261122 },
    );
  }, 600_000);

  const pathOf = ({ path }: { readonly path: string }): string => path;

  /** Lists the paths with the digest that a file of the user's has, or with another one. */
  function listed({
    remove,
    isExact,
  }: {
    readonly remove: readonly { readonly path: string }[];
    readonly isExact: boolean;
  }): object[] {
    return remove.map(({ path }) => ({
      path,
      profile: "v1",
      target: "schema",
      sha256: sha256(isExact ? "user" : "generated"),
    }));
  }

  /** Returns whether a new file would stand in the output folder itself. */
  function realPlace(file: string): boolean {
    for (let place = dirname(file); place !== out; place = dirname(place)) {
      if (lstatSync(place).isSymbolicLink()) return false;
    }
    return true;
  }

  function resetOutside(): void {
    rmSync(outside, { recursive: true, force: true });
    put(join(outside, "secret.txt"), "secret");
    put(join(outside, "journal.json"), "mine");
  }
});
