import { spawn } from "node:child_process";
import { text as textOf } from "node:stream/consumers";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { transformSync } from "esbuild";
import buildOnce, { forgetBuilds } from "../support/build-once.js";
import { ROOT } from "../support/paths.js";

/** A change that breaks the product, and the tests or scripts of which at least one must fail. */
interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Files; one of `test/python/runtime` is a suite of Python. */
  readonly tests?: readonly string[];
  /** Scripts of the behavior corpus, as `client/behind-turn`: for a file in Go they are played in Go, else in the others. */
  readonly scripts?: readonly string[];
}

/** Plays the scripts that the variable `SCRIPTS` names. */
const PLAYER = "test/behavior/own.test.ts";
const GO_PLAYER = "test/go/behavior.test.ts";

/** Runs the suites of Python that the variable `SUITES` names. */
const SUITES = "test/python/runtime.test.ts";

/** Tests that run the sources, so that nothing is generated or compiled for them. */
const OF_SOURCES = new RegExp(
  `^test/(${[
    "generators/(emit|golden|model|output|schema)",
    "generators/conformance/(corpus|junit|kinds)",
    "hostile",
    "templates/runtime/(gates|mocks|nes|role|rpc|session|validate)",
  ].join("|")})\\b`,
);

/** Files that every test reads where they are. */
const READ_IN_PLACE = /^templates\/(docs|inspect)\//;

/** Files that are compiled one by one, and where to. */
const COMPILED: readonly (readonly [sources: RegExp, folder: string])[] = [
  [/^generators\/((?:cli|run)\/.*\.ts)$/, "dist"],
  [/^templates\/(runtime\/.*\.ts)$/, "out/typescript/dist"],
];

/** Files that are copied as they are, and where to. */
const COPIED: readonly (readonly [sources: RegExp, folder: string])[] = [
  [/^templates\/python\/(.*\.py)$/, "out/python"],
  [/^templates\/go\/((?:acp|internal|remote)\/.*)$/, "out/go"],
];

/** How long the tests of a mutant may take, in milliseconds: a mutant may never end. */
const LONGEST_MS = 300_000;

/** Whether what is compiled has no mutant. */
let isBuilt = false;

process.exitCode = await main(process.argv.slice(2));

/**
 * Applies one mutant after the other to the working tree, runs its tests, and restores the tree.
 *
 * @param names parts of the names of files; all mutants without any
 * @returns 1 when a mutant has survived, 2 when there are uncommitted changes
 */
async function main(names: readonly string[]): Promise<number> {
  if ((await run("git", ["status", "--porcelain"])).stdout.trim() !== "") {
    process.stderr.write("error: the working tree has changes. Commit them first.\n");
    return 2;
  }
  const file = join(ROOT, "test/mutants/mutants.json");
  const mutants = (JSON.parse(readFileSync(file, "utf8")) as readonly Mutant[]).filter(
    ({ file }) => names.length === 0 || names.some((name) => file.includes(name)),
  );
  await build();
  let survived = 0;
  for (const [index, mutant] of mutants.entries()) {
    const isKilled = await kills(mutant);
    if (!isKilled) survived++;
    const place = `${index + 1}/${mutants.length} ${mutant.file}: ${firstLine(mutant.from)}`;
    process.stdout.write(`${isKilled ? "killed  " : "SURVIVED"} ${place}\n`);
  }
  process.stdout.write(`${mutants.length - survived} of ${mutants.length} mutants were killed\n`);
  return survived > 0 ? 1 : 0;
}

/** Generates and compiles everything. A run that is killed leaves nothing that counts as compiled. */
async function build(): Promise<void> {
  await run("npm", ["run", "generate"]);
  await buildOnce();
  forgetBuilds();
  isBuilt = true;
}

/** Returns whether the tests of a mutant fail. */
async function kills({ file, from, to, tests = [], scripts = [] }: Mutant): Promise<boolean> {
  const mutate = (text: string): string => {
    if (text.split(from).length !== 2)
      throw new Error(`${file} does not have this text once: ${from}`);
    return text.replace(from, () => to);
  };
  const suites = tests.filter((test) => test.endsWith(".py"));
  const files = [
    ...tests.filter((test) => !suites.includes(test)),
    ...(suites.length > 0 ? [SUITES] : []),
    ...(scripts.length > 0 ? [file.startsWith("templates/go/") ? GO_PLAYER : PLAYER] : []),
  ];
  const compiled = writtenFile(file, COMPILED, (path) => path.replace(/\.ts$/, ".js"));
  const copy = writtenFile(file, COPIED);
  const isOfSources = READ_IN_PLACE.test(file) || files.every((test) => OF_SOURCES.test(test));
  const isQuick = isOfSources || compiled !== undefined || copy !== undefined;
  if (isQuick && !isBuilt) await build();
  const undo = [change(file, mutate)];
  try {
    if (compiled !== undefined) undo.push(change(compiled, () => compile(file)));
    else if (copy !== undefined) undo.push(change(copy, mutate));
    else if (!isOfSources) {
      isBuilt = false;
      if ((await run("npm", ["run", "generate"])).status !== 0) return true;
    }
    const names = suites.map((suite) => basename(suite));
    const env = {
      ...{ SCRIPTS: scripts.join(","), SUITES: names.join(",") },
      ...(isQuick && { ACP_BUILT: "1" }),
    };
    return (await run("npx", ["vitest", "run", "--bail", "1", ...files], env)).status !== 0;
  } finally {
    for (const restore of undo) restore();
    await run("git", ["checkout", "--", "."]);
  }
}

/** Changes a file; the result restores it. */
function change(file: string, edit: (text: string) => string): () => void {
  const path = join(ROOT, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, edit(text));
  return () => writeFileSync(path, text);
}

/** Returns the file that is written from a source alone, if there is one. */
function writtenFile(
  file: string,
  places: readonly (readonly [sources: RegExp, folder: string])[],
  rename = (path: string): string => path,
): string | undefined {
  for (const [sources, folder] of places) {
    const path = rename(join(folder, sources.exec(file)?.[1] ?? "-"));
    if (existsSync(join(ROOT, path))) return path;
  }
  return undefined;
}

function compile(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  return transformSync(text, { loader: "ts", target: "es2022" }).code;
}

/** Runs a command; one that takes too long is ended with its processes, and has failed. */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly status: number; readonly stdout: string }> {
  const isWindows = process.platform === "win32";
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
    shell: isWindows,
    detached: !isWindows,
  });
  const timer = setTimeout(() => {
    if (isWindows) child.kill();
    else process.kill(-child.pid!, "SIGKILL");
  }, LONGEST_MS);
  const status = new Promise<number>((resolve) =>
    child.once("close", (code) => resolve(code ?? 1)),
  );
  try {
    return { stdout: await textOf(child.stdout), status: await status };
  } finally {
    clearTimeout(timer);
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]!;
}
