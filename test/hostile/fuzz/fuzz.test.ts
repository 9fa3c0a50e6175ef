import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";
import { IS_DEEP } from "../../support/deep.js";
import { HAS_PYTHON } from "../../python/python-env.js";
import { runPython } from "../../python/run-python.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { listenTo } from "../../support/processes.js";

const folder = temporaryFolder();
/** Seeds whose modules have shown a defect. */
const KNOWN = [20261206, 20261343, 20262807];
const RUNS = Number(process.env["RUNS"] ?? (IS_DEEP ? 10_000 : 0));
const FIRST = Number(process.env["SEED"] ?? 20261122);
/** For each seed in a child process: seconds without a word from it, megabytes of its memory. */
const TIMEOUT_MS = 20;
const MOST_RSS = 512;
/** Seeds a process: its memory is not given back between them. */
const CHUNK = 100;
const SEEDS = [
  ...new Set([...KNOWN, ...Array.from({ length: RUNS }, (_, index) => FIRST + index)]),
];

const FUZZ = "test/hostile/fuzz";
const LOADER = ["--import", join(ROOT, "node_modules/tsx/dist/loader.mjs")];

interface Chunk {
  /** How each seed ended. */
  readonly ends: ReadonlyMap<number, string>;
  readonly rss: number;
}

/** Runs seeds in a child; whoever ends it is found out by what it said last. */
async function runChunk(seeds: readonly number[], out: string): Promise<Chunk> {
  const script = join(ROOT, "test/hostile/fuzz/run-seeds.ts");
  const args = [...LOADER, `--max-old-space-size=${MOST_RSS}`, script, out, ...seeds.map(String)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ends = new Map<number, string>();
  let [current, rss, isLate, err] = [seeds[0]!, 0, false, ""];
  const stop = (): void => {
    isLate = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(stop, 3 * TIMEOUT_MS * 1000);
  child.stderr.on("data", (chunk) => (err += chunk));
  createInterface({ input: child.stdout }).on("line", (line) => {
    clearTimeout(timer);
    timer = setTimeout(stop, TIMEOUT_MS * 1000);
    const said = JSON.parse(line) as { seed?: number; end?: string; rss?: number };
    if (said.seed !== undefined) current = said.seed;
    if (said.seed !== undefined && said.end !== undefined) ends.set(said.seed, said.end);
    rss = said.rss ?? rss;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  if (isLate) ends.set(current, "TIMEOUT");
  else if (code !== 0) ends.set(current, `${/heap/.test(err) ? "OOM" : "CRASH"} ${signal} ${err}`);
  return { ends, rss };
}

/** Prints what is generated below a folder through TypeScript. */
async function findTypeErrors(out: string): Promise<{ files: number; errors: readonly object[] }> {
  const script = join(ROOT, "test/hostile/fuzz/find-type-errors.ts");
  const child = spawn(process.execPath, [...LOADER, script, out], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { out: text } = await listenTo(child).ended;
  return JSON.parse(text) as { files: number; errors: readonly object[] };
}

describe(`${SEEDS.length} random modules, from seed ${FIRST} on`, () => {
  const counts = { MADE: 0, REFUSED: 0 };
  let greatest = 0;
  afterAll(() => {
    if (IS_DEEP) console.log({ ...counts, rss: greatest });
  });

  for (let start = 0; start < SEEDS.length; start += CHUNK) {
    const seeds = SEEDS.slice(start, start + CHUNK);
    test(`${seeds[0]} to ${seeds.at(-1)} are compiled to valid TypeScript and Python, or refused`, async () => {
      const out = join(folder, String(start));
      rmSync(out, { recursive: true, force: true });
      mkdirSync(out);
      writeFileSync(join(out, "package.json"), '{"type":"module"}');
      const { ends, rss } = await runChunk(seeds, out);
      const bad = [...ends].filter(([, end]) => end !== "MADE" && end !== "REFUSED");
      expect(bad.map(([seed, end]) => `seed ${seed}: ${end}`)).toEqual([]);
      expect(ends.size).toBe(seeds.length);
      expect(rss).toBeLessThan(MOST_RSS);
      const made = [...ends.values()].filter((end) => end === "MADE").length;
      // Otherwise random modules are of no use.
      expect(made).toBeGreaterThan(seeds.length / 2);
      const { files, errors } = await findTypeErrors(out);
      expect(errors).toEqual([]);
      expect(files).toBeGreaterThan(10 * made);
      if (HAS_PYTHON) {
        const { out: imported, err } = runPython([`${FUZZ}/import_packages.py`, out]);
        expect(err).toBe("");
        const { count, failed } = JSON.parse(imported) as { count: number; failed: string[] };
        expect(failed).toEqual([]);
        expect(count).toBeGreaterThan(2 * made);
      }
      counts.MADE += made;
      counts.REFUSED += ends.size - made;
      greatest = Math.max(greatest, rss);
      rmSync(out, { recursive: true });
    }, 1_200_000);
  }
});
