import { win32 } from "node:path";

/** The variables of a process; `undefined` stands for one that is not set. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** The facts that decide about a command line, so that every rule can be tested on any platform. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** The folder of the new process, absolute. */
  readonly cwd: string;
  /** The environment of the new process. */
  readonly environment: Environment;
  readonly systemRoot: string | undefined;
  readonly isFile: (path: string) => boolean;
}

/** A file to start, and its arguments. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already. */
  readonly isVerbatim: boolean;
}

/** The endings of files that Windows can start without a program that is named for them. */
const PROGRAMS: readonly string[] = [".com", ".exe", ".bat", ".cmd"];

/** The longest command line of cmd.exe, in characters. */
const LONGEST = 8191;

/** Arguments that mean the same with and without quotes. */
const SAFE = /^[A-Za-z0-9#$*+\-./:?@\\_]*[A-Za-z0-9#$*+\-./:?@_]$/;

const PATH_LIKE = /[\\/]|^[A-Za-z]:/;

/**
 * Finds the file of a command. Only Windows needs this; on other platforms, the command stays as
 * it is.
 *
 * Windows starts `.exe` and `.com` files; batch files, such as those that npm installs, need
 * cmd.exe, with arguments that it does not interpret. The file is searched for in the folders of
 * PATH, with the endings of PATHEXT, and never in the current folder, unless PATH or the command
 * names it.
 *
 * @throws CommandNotFoundError when there is no such file; TypeError for arguments that cmd.exe
 *   cannot pass on
 */
export function toCommandLine(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): CommandLine {
  if (surroundings.platform !== "win32") return { file: command, args, isVerbatim: false };
  const file = findFile(command, surroundings);
  if (!/\.(?:bat|cmd)$/i.test(file)) return { file, args, isVerbatim: false };
  const line = [`"${withoutExpansion(file)}"`, ...args.map(quoteForBatch)].join(" ");
  const shell = systemProgram("cmd.exe", surroundings.systemRoot);
  if (shell.length + line.length + 40 > LONGEST)
    throw new TypeError(
      `the arguments of ${file} are longer than cmd.exe, which runs it, can pass on`,
    );
  // /d: no AutoRun; /e:ON, /v:OFF: what `quoteForBatch` needs; /s: only the outer quotes go.
  return {
    file: shell,
    args: ["/d", "/e:ON", "/v:OFF", "/s", "/c", `"${line}"`],
    isVerbatim: true,
  };
}

/** The command of a process was not found; the message says where it was searched for. */
export class CommandNotFoundError extends Error {
  override readonly name = "CommandNotFoundError";
  readonly code = "ENOENT";
}

/**
 * Quotes an argument of a batch file, as Rust's standard library does.
 *
 * It stays quoted however often cmd.exe reads it, as it does when a batch file passes `%*` on,
 * since each inner quote is doubled; so no other character has a meaning. `%cd:~,%` expands to
 * nothing, and separates a `%` from the name of a variable.
 *
 * @throws TypeError for line breaks, at which cmd.exe would cut the line
 */
export function quoteForBatch(argument: string): string {
  if (/[\r\n]/.test(argument))
    throw new TypeError("a batch file cannot get a line break in an argument");
  if (SAFE.test(argument)) return argument;
  const escaped = argument.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, "$&$&");
  return `"${withoutExpansion(escaped)}"`;
}

function withoutExpansion(text: string): string {
  return text.replaceAll("%", "%%cd:~,%");
}

/** Returns the path of a program of Windows, which the current folder may have as well. */
export function systemProgram(name: string, systemRoot = "C:\\Windows"): string {
  return win32.join(systemRoot, "System32", name);
}

/**
 * Returns the inherited variables with others on top, of which `undefined` removes one. On
 * Windows, their names have no case.
 */
export function mergeEnvironment(
  platform: NodeJS.Platform,
  inherited: Environment,
  added: Environment = {},
  inherits = true,
): Environment {
  const merged = new Map(inherits ? Object.entries(inherited) : []);
  for (const [name, value] of Object.entries(added)) {
    merged.delete(name);
    if (platform === "win32")
      for (const other of [...merged.keys()])
        if (other.toLowerCase() === name.toLowerCase()) merged.delete(other);
    if (value !== undefined) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function findFile(command: string, surroundings: Surroundings): string {
  const { cwd, environment, isFile } = surroundings;
  const hasEnding = PROGRAMS.includes(win32.extname(command).toLowerCase());
  const names = endingsOf(environment).map((ending) => command + ending);
  if (hasEnding) names.unshift(command);
  const isPath = PATH_LIKE.test(command);
  const folders = isPath ? [cwd] : foldersOf(environment, cwd);
  for (const folder of folders)
    for (const name of names) {
      const file = join(folder, name);
      if (isFile(file)) return file;
    }
  if (!isPath)
    throw new CommandNotFoundError(
      `there is no ${names.join(", ")} in the folders of PATH (${folders.join("; ") || "none"})`,
    );
  const file = join(cwd, command);
  throw new CommandNotFoundError(
    isFile(file)
      ? `${file} is not a program of Windows; start its interpreter with it`
      : `there is no ${names.join(", ")} in ${cwd}`,
  );
}

/** Returns the endings of PATHEXT that we can start, or all of these. */
function endingsOf(environment: Environment): readonly string[] {
  const given = variableOf(environment, "PATHEXT")
    .split(";")
    .map((ending) => ending.trim().toLowerCase())
    .filter((ending) => PROGRAMS.includes(ending));
  return given.length > 0 ? given : PROGRAMS;
}

/** Returns the folders of PATH; a quoted one may contain semicolons. */
function foldersOf(environment: Environment, cwd: string): string[] {
  const parts = variableOf(environment, "PATH").match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return parts
    .map((part) => part.replaceAll('"', "").trim())
    .filter((folder) => folder !== "")
    .map((folder) => join(cwd, folder));
}

function variableOf(environment: Environment, name: string): string {
  const key = Object.keys(environment)
    .sort()
    .find((other) => other.toUpperCase() === name);
  return (key !== undefined && environment[key]) || "";
}

function join(folder: string, name: string): string {
  return win32.normalize(/^(?:[A-Za-z]:|[\\/])/.test(name) ? name : `${folder}\\${name}`);
}
