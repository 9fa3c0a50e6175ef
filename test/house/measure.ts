import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ROOT } from "../support/paths.js";
import { findCircles } from "./find-circles.js";
import { filesBelow, readSources } from "./sources.js";

// Prints the sizes of a checkout: `npx tsx test/house/measure.ts [folder]`.
const root = resolve(process.argv[2] ?? ROOT);
const AREAS = ["generators", "templates", "bench", "release", "bin", "test", "out/typescript/src"];
/** Data and generated files, which are not source. */
const DATA = /^test\/(fixtures|generators\/golden\/expected)\//;

const rows = AREAS.filter((area) => existsSync(join(root, area))).map((area) => {
  const files = filesBelow(area, root).filter((path) => !DATA.test(path));
  const lines = files.map((path) => readFileSync(join(root, path), "utf8").split("\n").length - 1);
  lines.sort((a, b) => a - b);
  const entries = new Map<string, Set<string>>();
  for (const path of files)
    for (let inner = path; inner !== area; inner = dirname(inner))
      entries.set(dirname(inner), (entries.get(dirname(inner)) ?? new Set()).add(inner));
  const [largest, names] = [...entries].sort(([, a], [, b]) => b.size - a.size)[0]!;
  return {
    area,
    files: files.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    "median file": lines[lines.length >> 1],
    "longest file": lines.at(-1),
    "largest folder": `${largest} (${names.size})`,
    circles: findCircles(readSources(area, root)).length,
  };
});
console.table(rows);
console.log(
  `README.md: ${readFileSync(join(root, "README.md"), "utf8").split("\n").length - 1} lines`,
);
