import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../support/paths.js";
import { createRandom } from "../use/samples/random.js";
import { operatorMutants, type OperatorMutant } from "./operator-mutants.js";
import { build, fails, isClean, kills, runsSources, type Checks } from "./try-mutant.js";

const USAGE = `usage: npx tsx test/mutants/operators.ts [options] -- <file or folder of the product> ...

Draws operator mutants and prints those that the tests do not notice.

  --tests <file or folder>  tests to run; a suite of Python: test/python/runtime/test_x.py
  --scripts <ids>           scripts of the behavior corpus to play, with commas between them; or "all"
  --count <n>, --seed <n>   how many mutants to draw (30), and which (1)
  --save <file>             the verdicts (node_modules/.cache/operator-mutants.json)
  --before <file>           tries what was killed in these verdicts, in place of new mutants
  --list                    prints the mutants and tries none
`;

const OPTIONS = {
  tests: { type: "string", multiple: true, default: [] as string[] },
  scripts: { type: "string", default: "" },
  count: { type: "string", default: "30" },
  seed: { type: "string", default: "1" },
  save: { type: "string", default: "node_modules/.cache/operator-mutants.json" },
  before: { type: "string" },
  list: { type: "boolean", default: false },
} as const;

/** A mutant with the verdict of the tests. */
interface Tried extends OperatorMutant {
  readonly isKilled: boolean;
}

process.exitCode = await main(process.argv.slice(2));

/** Returns 1 when a mutant has survived, 2 when none could be tried. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const { tests, before } = values;
  const ids = values.scripts.split(",").filter((id) => id !== "");
  const scripts = values.scripts === "all" ? "all" : ids;
  const mutants =
    before === undefined
      ? draw(positionals.flatMap(sourcesIn), values.seed, Number(values.count))
      : (JSON.parse(readFileSync(before, "utf8")) as Tried[]).filter(({ isKilled }) => isKilled);
  if (values.list) {
    for (const mutant of mutants) print(describe(mutant));
    return 0;
  }
  if (mutants.length === 0 || tests.length + scripts.length === 0) return refuse(USAGE);
  if (!(await isClean())) return 2;
  const longestMs = await timeLimit(mutants, { tests, scripts, keepsOutput: true });
  if (longestMs === undefined) return refuse("error: the tests fail without a mutant.\n");
  const tried: Tried[] = [];
  for (const mutant of mutants) {
    try {
      const isKilled = await kills(mutant, { tests, scripts, keepsOutput: true, longestMs });
      tried.push({ ...mutant, isKilled });
      print(`${isKilled ? "killed  " : "SURVIVED"} ${describe(mutant)}`);
    } catch (error) {
      print(`invalid  ${describe(mutant)}: ${(error as Error).message}`);
    }
    mkdirSync(dirname(values.save), { recursive: true });
    writeFileSync(values.save, `${JSON.stringify(tried, null, 2)}\n`);
  }
  const killed = tried.filter(({ isKilled }) => isKilled).length;
  print(`${killed} of ${tried.length} mutants were killed`);
  return killed < tried.length ? 1 : 0;
}

/** Returns the sources at a path: one file, or all in a folder. */
function sourcesIn(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|py|go)$/.test(name))
    .map((name) => `${path}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}

/** Draws mutants of files by a seed. */
function draw(files: readonly string[], seed: string, count: number): OperatorMutant[] {
  const random = createRandom(seed);
  const left = files.flatMap(operatorMutants);
  const drawn = Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.below(left.length), 1)[0]!,
  );
  return drawn.toSorted(
    (one, other) => files.indexOf(one.file) - files.indexOf(other.file) || one.line - other.line,
  );
}

/** Runs the tests without a mutant. Returns how long they may take with one, or undefined if they fail. */
async function timeLimit(
  mutants: readonly OperatorMutant[],
  checks: Checks,
): Promise<number | undefined> {
  if (!runsSources(checks)) await build(checks);
  const start = performance.now();
  if (await fails(mutants[0]!.file, checks)) return undefined;
  return 30_000 + 5 * (performance.now() - start);
}

function describe({ file, line, what }: OperatorMutant): string {
  return `${file}:${line}  ${what}`;
}

function refuse(message: string): number {
  process.stderr.write(message);
  return 2;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
