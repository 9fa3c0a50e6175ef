import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { acquireLock } from "../../../generators/run/generate/lock.js";
import { findDamage } from "../../../generators/output/integrity.js";
import { parseManifest } from "../../../generators/output/manifest.js";
import { isInterrupted, readOutput, recoverOutput } from "../../../generators/output/disk/write.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { readFolder } from "../golden/compile-mini.js";
import { IS_DEEP } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";
import { manifestOf, MANIFEST, treeOf } from "./kill-trees.js";

const folder = temporaryFolder();
const KILLS = IS_DEEP ? 200 : 2;
const whole = (["old", "new"] as const).map((name) => {
  const tree = treeOf(name);
  const files = tree.map(({ path, text }): [string, string] => [path, text]);
  return new Map([...files, [MANIFEST, manifestOf(tree)]].sort() as [string, string][]);
});

describe("a run that is killed", () => {
  test(`at ${KILLS} random moments leaves a tree that is complete or reported as stale, and complete after the next run`, async () => {
    const out = join(folder, "out");
    const seed = Number(process.env["SEED"] ?? 20261122);
    const random = seeded(seed);
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const note = `kill ${kill}, seed ${seed}`;
      await runFor(out, random() * 60);
      const isMix = !whole.some((tree) => equal(tree, withoutOwn(readFolder(out))));
      interrupted += existsSync(join(out, ".acp-codegen")) ? 1 : 0;
      // `--check` and `verify` never accept a mixture of two runs.
      if (isMix) expect(looksGood(out), note).toBe(false);
      const unlock = await acquireLock(out, { timeoutMs: 1000 });
      recoverOutput(out);
      unlock();
      const tree = readFolder(out);
      expect(
        whole.some((candidate) => equal(candidate, tree)),
        note,
      ).toBe(true);
      expect(looksGood(out), note).toBe(true);
      expect(
        readdirSync(out).filter((name) => name.startsWith(".")),
        note,
      ).toEqual([]);
    }
    // Otherwise the kills came at harmless moments and have shown nothing.
    if (IS_DEEP) expect(interrupted).toBeGreaterThan(0);
  }, 600_000);
});

/** Runs the harness until its first tree stands and a while longer, then kills it. */
async function runFor(out: string, milliseconds: number): Promise<void> {
  const args = ["--import", "tsx", join(ROOT, "test/generators/output/kill-harness.ts"), out];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  await sleep(milliseconds);
  child.kill("SIGKILL");
  await ended;
}

function looksGood(out: string): boolean {
  const manifest = parseManifest(readOutput(out, MANIFEST) ?? "");
  if (manifest === undefined || isInterrupted(out)) return false;
  return findDamage(manifest, (path) => readOutput(out, path)).length === 0;
}

/** A tree without the staging folder and the lock. */
function withoutOwn(tree: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...tree].filter(([path]) => !path.startsWith(".acp-codegen")));
}

function equal(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

/** Mulberry32: the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
