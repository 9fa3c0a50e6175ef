import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "../../generators/compile.js";
import { go } from "../../generators/emit/go/go.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { readTemplates } from "../../generators/run/installation.js";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { runToEnd, type Ended } from "../support/processes.js";

export const HAS_GO = spawnSync("go", ["version"]).status === 0;

/**
 * No module is downloaded: the generated one has no dependencies. Without paths, what is compiled
 * here serves every copy of the module, such as that of a release.
 */
const ENV = {
  ...process.env,
  GOFLAGS: "-mod=mod -trimpath",
  GOPROXY: "off",
  GOWORK: "off",
  GO111MODULE: "on",
};

/** The generated module. */
export const MODULE = join(ROOT, "out/go");

/** The module of programs that import libraries as well, which are downloaded once. */
export const LIBRARIES = join(ROOT, "test/go/libraries");

const WITH_LIBRARIES = {
  // The race detector needs everything to be built for it.
  GOFLAGS: `-mod=readonly -trimpath -buildvcs=false${IS_DEEP ? " -race" : ""}`,
  GOPROXY: process.env["GOPROXY"] ?? "https://proxy.golang.org",
};

/** The community module that ours is compared with. */
export const [PEER, VERSION] = /\S+acp-go-sdk v\S+/
  .exec(readFileSync(join(LIBRARIES, "go.mod"), "utf8"))![0]
  .split(" ") as [string, string];

/** Texts of files, by their names or paths. */
export type Files = { readonly [path: string]: string };

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** When the program is ended, in milliseconds; never when absent. */
  readonly timeout?: number;
  /** Variables besides those of this process. */
  readonly env?: { readonly [name: string]: string };
}

/** Runs a command of the Go toolchain in a folder, by default that of the generated module. */
export function runGo(
  args: readonly string[],
  { cwd = MODULE, input = "", env = {} }: RunOptions = {},
): Ended {
  return run(args[0] === "gofmt" ? "gofmt" : "go", args[0] === "gofmt" ? args.slice(1) : args, {
    cwd,
    input,
    env,
  });
}

/** Runs a program with input. */
export function run(
  program: string,
  args: readonly string[],
  { env, ...options }: RunOptions = {},
): Ended {
  return runToEnd(program, args, {
    ...options,
    env: { ...ENV, ...(options.cwd === LIBRARIES && WITH_LIBRARIES), ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Writes files and an overlay with which a build has them in a module. Returns its path. */
export function writeOverlay(folder: string, files: Files, module = MODULE): string {
  const replaced = Object.entries(files).map(([path, text], index) => {
    const file = join(folder, `${index}.go`);
    writeFileSync(file, text);
    return [join(module, path), file];
  });
  const overlay = join(folder, "overlay.json");
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(replaced) }));
  return overlay;
}

/**
 * Builds a program inside of a module, from files that are only in the overlay of the build.
 *
 * @param files the texts of the files, by their paths in the module
 * @param name the folder of the program in the module
 * @returns the path of the program
 */
export function buildProgram(folder: string, files: Files, name: string, module = MODULE): string {
  const overlay = writeOverlay(folder, files, module);
  const program = join(folder, name.replaceAll("/", "-"));
  const built = runGo(["build", "-overlay", overlay, "-o", program, `./${name}`], { cwd: module });
  if (built.code !== 0) throw new Error(built.err);
  return program;
}

/**
 * Builds a program that may import the generated module and the libraries.
 *
 * @param folder where the program is written
 * @param files the texts of its files, by their names
 * @returns its path
 * @throws Error if it does not compile, or a library cannot be downloaded
 */
export function buildWithLibraries(folder: string, name: string, files: Files): string {
  const placed = Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]);
  return buildProgram(folder, Object.fromEntries(placed), name, LIBRARIES);
}

/** Writes the module of protocols into a folder. Returns the folder of the module. */
export async function writeModule(
  folder: string,
  ...protocols: readonly Protocol[]
): Promise<string> {
  const context = { templates: readTemplates(), version: "0.0.0" };
  for (const { path, text } of await compile(protocols, [go], {}, context)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, "go");
}
