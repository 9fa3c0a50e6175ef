import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { tierOf } from "../support/tiers.js";
import type { Figures } from "./compare.js";
import { findMutualFolders } from "./find-mutual-folders.js";
import { readPythonSources } from "./python-sources.js";
import { readSources } from "./sources.js";

/** Test code is every line of these files below `test`; some sources of Go are `.go.txt`. */
const CODE = /\.(ts|mjs|py|go|go\.txt|rs)$/;

/** Data of tests, also where it is code. */
const DATA = /^test\/(fixtures|generators\/golden\/expected)\//;

const CLOCK =
  /\b(performance\.now|Date\.now|hrtime|time\.(monotonic|time|perf_counter)|time\.(Now|Since))\b/;

/** An exported declaration. */
const EXPORT = /^export (?:async )?(?:class|const|function|interface|type) (\w+)/gm;

/** Measures the working tree: what is committed, and what is new and not ignored. */
export function measure(): Figures {
  const files = trackedFiles();
  const figures: { [name: string]: number } = {};
  for (const path of files) {
    const name = roomOf(path);
    if (name !== undefined) figures[name] = (figures[name] ?? 0) + linesOf(path);
  }
  const mutants = JSON.parse(readFileSync(join(ROOT, "test/mutants/mutants.json"), "utf8")) as {
    readonly scripts?: readonly string[];
  }[];
  const scripted = mutants.filter(({ scripts }) => scripts !== undefined).length;
  return {
    ...Object.fromEntries(Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1))),
    "pairs of folders that import each other": mutualFolders().size,
    "exported names with several definitions": countSharedNames(),
    "test files that read a clock": files.filter(readsClock).length,
    "mutants that a script kills": scripted,
    "mutants that only hand-written tests kill": mutants.length - scripted,
  };
}

/** The pairs of sibling folders that import each other. */
export function mutualFolders(): ReturnType<typeof findMutualFolders> {
  return findMutualFolders([
    ...readSources("generators"),
    ...readSources("templates"),
    ...readPythonSources("templates/python"),
  ]);
}

/** Counts the exported names that several files define, those of the starters left out. */
function countSharedNames(): number {
  const files = new Map<string, number>();
  for (const folder of ["bin", "generators", "templates"])
    for (const { path, text } of readSources(folder)) {
      if (path.startsWith("templates/starters/")) continue;
      const names = [...text.matchAll(EXPORT)].map(([, name]) => name!);
      for (const name of new Set(names)) files.set(name, (files.get(name) ?? 0) + 1);
    }
  return [...files.values()].filter((count) => count > 1).length;
}

function trackedFiles(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const paths = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
  return [...new Set(paths.split("\0"))].filter((path) => path && existsSync(join(ROOT, path)));
}

/** Returns the figure that the lines of a file count for. */
function roomOf(path: string): string | undefined {
  const [house, room] = path.split("/");
  if (house === "out") return "generated lines";
  if (house === "test")
    return CODE.test(path) && !DATA.test(path) ? `lines of test code, ${tierOf(path)}` : undefined;
  if (house === "generators" || house === "templates")
    return path.split("/").length > 2 ? `lines of ${house}/${room}` : `lines of ${house}`;
  return house === "schema" || house === "bin" ? `lines of ${house}` : undefined;
}

function linesOf(path: string): number {
  return readFileSync(join(ROOT, path)).reduce((lines, byte) => lines + Number(byte === 10), 0);
}

/** Time that passes only while a test waits. */
const VIRTUAL = /"testing\/synctest"|toFake: \[[^\]]*"Date"/;

/** Tools measure time, and the progress of a run shows it. */
function readsClock(path: string): boolean {
  if (!path.startsWith("test/") || !CODE.test(path) || DATA.test(path)) return false;
  if (/^test\/(bench|house|mutants|programs\/measure|(site\/)?support)\//.test(path)) return false;
  const text = readFileSync(join(ROOT, path), "utf8");
  return CLOCK.test(text) && !VIRTUAL.test(text);
}
