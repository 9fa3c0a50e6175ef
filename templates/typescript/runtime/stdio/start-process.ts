import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { requireArgument } from "../rpc/require-argument.js";
import { mergeEnvironment, toCommandLine, type Environment } from "./command-line.js";

/** The folder and the environment of a new process. */
export interface ProcessPlace {
  /** By default that of this process. */
  readonly cwd?: string | undefined;
  /** Variables that are added to those of this process; `undefined` removes one. */
  readonly env?: Environment | undefined;
  /** Whether the process gets the variables of this one; true by default. */
  readonly inheritEnv?: boolean | undefined;
}

/** The arguments of `spawn` that start a command on every platform. */
export interface PreparedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: {
    readonly cwd: string;
    readonly env: Environment;
    readonly windowsVerbatimArguments: boolean;
    readonly windowsHide: true;
  };
}

/**
 * Prepares a command for `spawn` of `node:child_process`: `spawn(file, args, options)`. On
 * Windows, it finds what npm installs, such as `npx`, which `spawn` does not start, and quotes
 * the arguments so that cmd.exe interprets none of them.
 *
 * @throws CommandNotFoundError when Windows has no such program; TypeError for arguments that
 *   cannot be passed to it
 */
export function prepareCommand(
  command: string,
  args: readonly string[] = [],
  { cwd = ".", env, inheritEnv }: ProcessPlace = {},
): PreparedCommand {
  requireArgument("spawnAgent", command, "a non-empty string", `spawnAgent("my-agent", ["--acp"])`);
  requireArgument("spawnAgent", args, "an array", `spawnAgent("my-agent", ["--acp"])`);
  const { platform } = process;
  const folder = resolve(cwd);
  const environment = mergeEnvironment(platform, process.env, env, inheritEnv);
  const line = toCommandLine(command, args, {
    platform,
    cwd: folder,
    environment,
    systemRoot: process.env["SystemRoot"],
    isFile,
  });
  return {
    file: line.file,
    args: line.args,
    options: {
      cwd: folder,
      env: environment,
      windowsVerbatimArguments: line.isVerbatim,
      windowsHide: true,
    },
  };
}

/**
 * Starts a command that was prepared with `prepareCommand`.
 *
 * @throws as `prepareCommand` and `spawn`; other failures are the event `error`
 */
export function startProcess(
  command: string,
  args: readonly string[],
  place: ProcessPlace,
  options: SpawnOptions,
): ChildProcess {
  const prepared = prepareCommand(command, args, place);
  return spawn(prepared.file, [...prepared.args], { ...options, ...prepared.options });
}

/** Returns why a process could not be started, in words, or undefined when the system's suffice. */
export function explainMissing(command: string, place: ProcessPlace): string | undefined {
  const folder = resolve(place.cwd ?? ".");
  if (!existsSync(folder)) return `the folder ${folder} does not exist`;
  if (/[\\/]/.test(command)) {
    const file = resolve(folder, command);
    return existsSync(file)
      ? `${file} exists, but not the interpreter in its first line`
      : `there is no file ${file}`;
  }
  const path = mergeEnvironment(process.platform, process.env, place.env, place.inheritEnv)["PATH"];
  return `it is in none of the folders of PATH (${path ?? "not set"})`;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // The links to apps of the Microsoft Store can be started but not followed.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  }
}
