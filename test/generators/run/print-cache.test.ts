import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parseSigned, printSigned } from "../../../generators/output/disk/signature.js";
import { sha256 } from "../../../generators/output/manifest.js";
import { generate, type GenerateOptions } from "../../../generators/run/generate/generate.js";
import { readTree } from "../../../generators/run/installation.js";
import { ROOT } from "../../support/paths.js";
import { deepTest, IS_DEEP } from "../../support/deep.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const schema = join(folder, "schema");
const out = join(folder, "out");
const options: GenerateOptions = {
  profiles: ["v1"],
  targets: ["roles"],
  schemaDirectory: schema,
  out,
};

beforeAll(() => {
  cpSync(join(ROOT, "schema"), schema, { recursive: true });
  vi.stubEnv("ACP_CODEGEN_CACHE", join(folder, "cache/acp-codegen"));
});
beforeEach(() => rmSync(join(folder, "cache"), { recursive: true, force: true }));
afterAll(() => void vi.unstubAllEnvs());

/** The files that a run into an empty folder writes. */
async function run(): Promise<ReadonlyMap<string, string>> {
  rmSync(out, { recursive: true, force: true });
  await generate(options);
  return readTree(out);
}

/** The file that a run has left for the next one. */
function cacheFile(): string {
  const cache = join(folder, "cache/acp-codegen");
  const [name] = readdirSync(cache);
  return join(cache, name!);
}

/** The cache as data. */
interface Content {
  readonly compiler: string;
  readonly texts: { readonly [digest: string]: string };
}

function readCache(file = cacheFile()): Content {
  return JSON.parse(parseSigned("print cache", readFileSync(file, "utf8"))!) as Content;
}

/** Signs a cache as this machine would. */
function signed(content: unknown, purpose = "print cache"): string {
  return printSigned(purpose, JSON.stringify(content));
}

/** The files that a run writes after every text in the cache was replaced, so that a use of it shows. */
async function runSpoiled(
  change: (content: Content) => unknown,
  print: (content: unknown) => string = signed,
): Promise<boolean> {
  const texts = Object.keys(readCache().texts).map((digest) => [digest, "spoiled"]);
  const content = { ...readCache(), texts: Object.fromEntries(texts) as Content["texts"] };
  writeFileSync(cacheFile(), print(change(content)));
  const tree = await run();
  return [...tree.values()].some((text) => text.includes("spoiled"));
}

describe("the cache of printed declarations", () => {
  test("is used by the next run, which gives the same bytes", async () => {
    const cold = await run();
    expect(await run()).toEqual(cold);
    expect(await runSpoiled((content) => content)).toBe(true);
  });

  test("is not used without the signature of this machine for this purpose", async () => {
    await run();
    expect(await runSpoiled((content) => content, JSON.stringify)).toBe(false);
    const foreign = (content: unknown): string =>
      JSON.stringify({ text: JSON.stringify(content), signature: "00".repeat(32) });
    expect(await runSpoiled((content) => content, foreign)).toBe(false);
    const journal = (content: unknown): string => signed(content, out);
    expect(await runSpoiled((content) => content, journal)).toBe(false);
  });

  test("may not be in a relative folder, which a repository could bring along", async () => {
    vi.stubEnv("ACP_CODEGEN_CACHE", "cache");
    const failed = run();
    await expect(failed).rejects.toThrow('ACP_CODEGEN_CACHE is "cache", which is relative');
    vi.stubEnv("ACP_CODEGEN_CACHE", join(folder, "cache/acp-codegen"));
  });

  deepTest("is not used for a changed definition", async () => {
    await run();
    const file = join(schema, "v1/base/content.json");
    const before = readFileSync(file, "utf8");
    const changed = before.replace(/"description": "[^"]+"/, '"description": "Said anew."');
    expect(changed).not.toBe(before);
    writeFileSync(file, changed);
    const warm = await run();
    rmSync(join(folder, "cache"), { recursive: true });
    expect(await run()).toEqual(warm);
    writeFileSync(file, before);
  });

  deepTest("is not read from another compiler, nor from a foreign file", async () => {
    await run();
    expect(await runSpoiled((content) => ({ ...content, compiler: "another" }))).toBe(false);
    expect(await runSpoiled(() => [])).toBe(false);
    writeFileSync(cacheFile(), "{");
    await run();
    expect(Object.keys(readCache().texts).length).toBeGreaterThan(10);
  });

  deepTest("is never used by a check", async () => {
    const made = await run();
    await runSpoiled((content) => content);
    const { write } = await generate({ ...options, check: true });
    expect(write.length).toBeGreaterThan(0);
    expect(write.map(({ file }) => file.text)).toEqual(
      write.map(({ file }) => made.get(file.path)),
    );
  });

  deepTest("is kept for the last 16 runs with different options", async () => {
    await run();
    const cache = join(folder, "cache/acp-codegen");
    const older = Array.from({ length: 20 }, (_, i) => `${String(i).padStart(64, "0")}.json`);
    for (const [i, name] of older.entries()) {
      writeFileSync(join(cache, name), "{}");
      utimesSync(join(cache, name), i, i);
    }
    await generate({ ...options, header: ["Other options."] });
    const kept = readdirSync(cache).filter((name) => older.includes(name));
    expect(kept.sort()).toEqual(older.slice(6));
  });

  deepTest("is optional: a run continues where it cannot be written", async () => {
    const made = await run();
    rmSync(join(folder, "cache"), { recursive: true });
    mkdirSync(join(folder, "cache"));
    writeFileSync(join(folder, "cache/acp-codegen"), "in the way");
    expect(await run()).toEqual(made);
  });
});

test("what is not a file of the cache is never removed", async () => {
  const cache = join(folder, "cache/acp-codegen");
  mkdirSync(cache, { recursive: true });
  const names = Array.from({ length: 30 }, (_, index) => `${index}.txt`);
  for (const name of names) writeFileSync(join(cache, name), "mine");
  await run();
  expect(readdirSync(cache)).toEqual(expect.arrayContaining(names));
  expect(readdirSync(cache)).toHaveLength(31);
});

describe("without a chosen folder, the cache", () => {
  const project = join(folder, "project");
  const home = join(folder, "home");
  const cwd = process.cwd();
  beforeEach(() => {
    for (const path of [project, home]) rmSync(path, { recursive: true, force: true });
    mkdirSync(project);
    vi.stubEnv("ACP_CODEGEN_CACHE", undefined);
    vi.stubEnv("HOME", home);
    vi.stubEnv("USERPROFILE", home);
    process.chdir(project);
  });
  afterEach(() => {
    process.chdir(cwd);
    vi.stubEnv("ACP_CODEGEN_CACHE", join(folder, "cache/acp-codegen"));
  });

  test("is below the home of the user, with a file for each project", async () => {
    const print = join(home, ".cache/acp-codegen/print");
    await run();
    expect(readdirSync(project)).toEqual([]);
    expect(readdirSync(print)).toHaveLength(1);
    mkdirSync(join(project, "other"));
    process.chdir("other");
    await run();
    expect(readdirSync(print)).toHaveLength(2);
  });

  const planted = [
    ["node_modules/.cache/acp-codegen", home],
    [".cache/acp-codegen/print", ""],
    [".cache/acp-codegen/print", "."],
  ] as const;
  test.each(planted.slice(0, IS_DEEP ? undefined : 1))(
    "is not read from %s of a project, with the home %j",
    async (place, path) => {
      const clean = await run();
      const print = join(home, ".cache/acp-codegen/print");
      const [name] = readdirSync(print);
      const { compiler, texts } = readCache(join(print, name!));
      const spoiled = Object.fromEntries(Object.keys(texts).map((digest) => [digest, "planted"]));
      rmSync(home, { recursive: true });
      mkdirSync(join(project, place), { recursive: true });
      const { out: _, ...named } = options;
      const names = [JSON.stringify(named), JSON.stringify([project, named])].map(sha256);
      for (const name of names)
        writeFileSync(join(project, place, `${name}.json`), signed({ compiler, texts: spoiled }));
      vi.stubEnv("HOME", path);
      vi.stubEnv("USERPROFILE", path);
      expect(await run()).toEqual(clean);
    },
  );
});
