import { spawn, spawnSync } from "node:child_process";
import { text as textOf } from "node:stream/consumers";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { transformSync } from "esbuild";
import buildOnce, { forgetBuilds } from "../support/build-once.js";
import { ROOT } from "../support/paths.js";

/** A change that breaks the product: a text that the file has once, and its replacement. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The tests or scripts of which at least one must fail. */
export interface Checks {
  /** Files or folders; a Python file is a suite of `test/python/runtime`. */
  readonly tests?: readonly string[];
  /** Scripts of the behavior corpus, as `client/behind-turn`, or `all`: for a Go file they are played in Go, else in the others. */
  readonly scripts?: readonly string[] | "all";
  /** How long they may take, in milliseconds: a mutant may never end. */
  readonly longestMs?: number;
  /** Whether a mutant of an emitter changes only what the compiler returns, not the files in `out/`. */
  readonly keepsOutput?: boolean;
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
    "generators/tools/conformance/(corpus|junit|kinds)",
    "hostile",
    "templates/site/inspector",
    "templates/typescript/(gates|mocks|nes|remote|role|rpc|session|validate)",
  ].join("|")})\\b`,
);

/** Files that every test reads where they are. */
const READ_IN_PLACE = /^templates\/site\//;

/** Files that are compiled one by one, and where to. */
const COMPILED: readonly (readonly [sources: RegExp, folder: string])[] = [
  [/^generators\/((?:cli|run|tools)\/.*\.ts)$/, "dist"],
  [/^templates\/typescript\/(runtime\/.*\.ts)$/, "out/typescript/dist"],
];

/** All of the compiler, for changes that keep the output. */
const COMPILER = [/^generators\/(.*\.ts)$/, "dist"] as const;

/** Files that are copied below a header, and where to. */
const COPIED: readonly (readonly [sources: RegExp, folder: string])[] = [
  [/^templates\/python\/(.*\.py)$/, "out/python"],
  [/^templates\/go\/((?:acp|internal|remote)\/.*)$/, "out/go"],
];

const LONGEST_MS = 300_000;

/** Whether what is compiled has no mutant. */
let isBuilt = false;

/** What restores the working tree. */
const undo: (() => void)[] = [];

process.once("exit", restore);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

/** Returns whether the working tree has no changes; prints an error if it has. */
export async function isClean(): Promise<boolean> {
  const args = ["status", "--porcelain", "--untracked-files=no"];
  const hasChanges = (await run("git", args)).stdout.trim() !== "";
  if (hasChanges) process.stderr.write("error: the working tree has changes. Commit them first.\n");
  return !hasChanges;
}

/** Returns whether the tests of a mutant fail. */
export async function kills({ file, from, to }: Change, checks: Checks): Promise<boolean> {
  const mutate = (text: string): string => {
    if (text.split(from).length !== 2)
      throw new Error(`${file} does not have this text once: ${from}`);
    return text.replace(from, () => to);
  };
  const places = checks.keepsOutput === true ? [...COMPILED, COMPILER] : COMPILED;
  const compiled = writtenFile(file, places, (path) => path.replace(/\.ts$/, ".js"));
  const copy = writtenFile(file, COPIED);
  const isOfSources = READ_IN_PLACE.test(file) || runsSources(checks);
  const isQuick = isOfSources || compiled !== undefined || copy !== undefined;
  if (isQuick && !isOfSources) await build(checks);
  change(file, mutate);
  try {
    if (isOfSources) return await fails(file, checks);
    if (compiled !== undefined) change(compiled, () => compile(file));
    else if (copy !== undefined) change(copy, mutate);
    else {
      isBuilt = false;
      undo.push(() => void spawnSync("git", ["checkout", "--", "."], { cwd: ROOT }));
      if ((await run("npm", ["run", "generate"])).status !== 0) return true;
    }
    if (copy?.endsWith(".go") && !compilesGo(copy)) throw new Error("it does not compile");
    return await fails(file, checks, isQuick);
  } finally {
    restore();
  }
}

/**
 * Returns whether tests fail.
 *
 * @param file the file that is changed, whose language decides who plays scripts
 * @param isBuilt whether they need not compile anything first
 */
export async function fails(
  file: string,
  { tests = [], scripts = [], longestMs = LONGEST_MS }: Checks,
  isBuilt = true,
): Promise<boolean> {
  const suites = tests.filter((test) => test.endsWith(".py"));
  const files = [
    ...tests.filter((test) => !suites.includes(test)),
    ...(suites.length > 0 ? [SUITES] : []),
    ...(scripts.length > 0 ? [file.startsWith("templates/go/") ? GO_PLAYER : PLAYER] : []),
  ];
  const env = {
    ...(scripts === "all" ? { CI: "true" } : { SCRIPTS: scripts.join(",") }),
    SUITES: suites.map((suite) => basename(suite)).join(","),
    ...(isBuilt && { ACP_BUILT: "1" }),
  };
  const args = ["vitest", "run", "--bail", "1", "--retry", "0", ...files];
  return (await run("npx", args, env, longestMs)).status !== 0;
}

/**
 * Generates, unless the output is kept, and compiles everything, unless that is done. A run that is
 * killed leaves nothing that counts as compiled.
 */
export async function build({ keepsOutput = false }: Checks): Promise<void> {
  if (isBuilt) return;
  if (!keepsOutput) await run("npm", ["run", "generate"]);
  await buildOnce();
  const remember = forgetBuilds();
  if (keepsOutput) process.once("exit", remember);
  isBuilt = true;
}

/** Returns whether the tests run the sources, so that nothing is built for them. */
export function runsSources({ tests = [], scripts = [] }: Checks): boolean {
  return scripts.length === 0 && tests.every((test) => OF_SOURCES.test(test));
}

/** Changes a file until `restore`. */
function change(file: string, edit: (text: string) => string): void {
  const path = join(ROOT, file);
  const text = readFileSync(path, "utf8");
  undo.push(() => writeFileSync(path, text));
  writeFileSync(path, edit(text));
}

function restore(): void {
  for (const restoreOne of undo.splice(0).reverse()) restoreOne();
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

/** Returns whether the package of a Go file compiles. */
function compilesGo(file: string): boolean {
  const args = ["vet", "-C", join(ROOT, "out/go"), `./${dirname(file).replace(/^out\/go\//, "")}`];
  return spawnSync("go", args).status === 0;
}

/** Runs a command; one that takes too long is ended with its processes, and has failed. */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  longestMs = LONGEST_MS,
): Promise<{ readonly status: number; readonly stdout: string }> {
  const isWindows = process.platform === "win32";
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
    shell: isWindows,
    detached: !isWindows,
  });
  const stop = (): void => {
    if (isWindows) child.kill();
    else process.kill(-child.pid!, "SIGKILL");
  };
  const timer = setTimeout(stop, longestMs);
  process.once("exit", stop);
  const status = new Promise<number>((resolve) =>
    child.once("close", (code) => resolve(code ?? 1)),
  );
  try {
    return { stdout: await textOf(child.stdout), status: await status };
  } finally {
    clearTimeout(timer);
    process.off("exit", stop);
  }
}
