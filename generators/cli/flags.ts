import { InvalidArgumentError, type Command } from "commander";
import type { GenerateOptions } from "../run/generate/generate.js";

/** Options that say what to generate from, as the command line has them. */
export interface InputFlags {
  readonly profile?: string[];
  readonly protocol?: string;
  readonly with?: string[];
  readonly without?: string[];
  readonly name?: string;
  readonly schema?: string;
  readonly meta?: string;
  readonly allowUnknownKeywords?: string[];
}

/** Options that say what a run does, and how it tells it. */
export interface RunFlags {
  readonly target?: string[];
  readonly out?: string;
  readonly package?: string;
  readonly config?: string | false;
  readonly printConfig?: boolean;
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** From when on `diff` says no: any change at all, or only what breaks someone. */
export const FAIL_ON = [
  "safe",
  "type-breaking",
  "decode-breaking",
  "wire-breaking",
  "never",
] as const;

export interface DiffFlags {
  readonly format?: "text" | "markdown" | "json";
  readonly json?: boolean;
  readonly failOn?: (typeof FAIL_ON)[number];
}

export interface VerifyFlags
  extends Pick<InputFlags, "with" | "schema" | "meta">, Pick<RunFlags, "target"> {
  readonly quick?: boolean;
  readonly json?: boolean;
}

export interface InitFlags {
  readonly starter?: string;
  readonly name?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export function withInputs(command: Command): Command {
  return command
    .option("-p, --profile <names...>", "named profiles (default: all)", list)
    .option("--protocol <version>", "a protocol version for a selection of your own, e.g. v1", once)
    .option("--with <features...>", "features to turn on, by name or ./file.json", list)
    .option("--without <features...>", "features to turn off", list)
    .option("--name <profile>", "the name of your own selection (default: <profile>-custom)", once)
    .option("--schema <file>", "a schema in upstream's format, instead of ours", once)
    .option("--meta <file>", "its meta.json, which says the protocol version", once)
    .option("--allow-unknown-keywords <names...>", "keywords of that schema to ignore", list)
    .helpOption("-h, --help", "print this help");
}

export function withRun(command: Command): Command {
  return command
    .option("-o, --out <folder>", "output folder (default: out)", folder)
    .option("--force", "overwrite files that are in the way although no run has made them")
    .option("--dry-run", "write nothing; list what would change")
    .option("--watch", "run again whenever an input changes")
    .option("--json", "print JSON")
    .option("-q, --quiet", "print only what is wrong");
}

/** What the flags ask for, without what they say about the run itself. */
export function toOptions({
  profile,
  schema,
  meta,
  target,
  ...flags
}: InputFlags & RunFlags): GenerateOptions {
  const { protocol, with: added, without, name, allowUnknownKeywords, out, force } = flags;
  const named = flags.package;
  return {
    ...(profile !== undefined && { profiles: profile }),
    ...(protocol !== undefined && { protocol }),
    ...(added !== undefined && { with: added }),
    ...(without !== undefined && { without }),
    ...(name !== undefined && { name }),
    ...(schema !== undefined && { schemaFile: schema }),
    ...(meta !== undefined && { metaFile: meta }),
    ...(allowUnknownKeywords !== undefined && { allowUnknownKeywords }),
    ...(target !== undefined && { targets: target }),
    ...(out !== undefined && { out }),
    ...(named !== undefined && { package: { name: named } }),
    ...(force !== undefined && { force }),
  };
}

/** Collects `a,b c` into three names. */
export function list(value: string, previous: readonly string[] = []): string[] {
  const names = value.split(",").filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("It names nothing.");
  return [...previous, ...names];
}

/** Of two values, neither is silently preferred. */
export function once(value: string, previous?: string): string {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
  return value;
}

/** An npm name; anything else would not install. */
export function packageName(value: string, previous?: string): string {
  if (!isPackageName(value)) throw new InvalidArgumentError("It is not an npm package name.");
  return once(value, previous);
}

export function isPackageName(value: string): boolean {
  const hasForm = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(value);
  return hasForm && value.length <= 214;
}

export function folder(value: string, previous?: string): string {
  if (value === "") throw new InvalidArgumentError("It names no folder.");
  return once(value, previous);
}
