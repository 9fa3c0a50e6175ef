import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { Loaders } from "lilconfig";
import { InputError } from "../schema/problem.js";
import { toOptions, type InputFlags, type RunFlags } from "../cli/flags.js";
import type { GenerateOptions } from "./generate/generate.js";
import { importDefault } from "./targets/import-default.js";
import { displayPath } from "../cli/print/report.js";
import { thrownText } from "../cli/print/format.js";
import { SCHEMA } from "./installation.js";
import { usageError } from "./usage-error.js";

/** A configuration, as `schema/dialect/config.schema.json` describes it. */
export interface Config {
  readonly $schema?: string;
  readonly outputs: readonly ConfigOutput[];
}

/** One output of a configuration; paths are relative to its folder. */
export interface ConfigOutput extends Omit<
  GenerateOptions,
  "schema" | "schemaFile" | "metaFile" | "check" | "onProgress"
> {
  /** A schema in upstream's format, instead of ours. */
  readonly schema?: string;
  /** Its `meta.json`. */
  readonly meta?: string;
}

/** Types a configuration in an editor; returns it unchanged. */
export function defineConfig(config: Config): Config {
  return config;
}

const NAME = "acp-codegen";
const EXTENSIONS = ["json", "js", "mjs", "cjs", "ts", "mts", "cts"];

/** Where a configuration may stand, in the order in which it is looked for. */
export const CONFIG_FILES: readonly string[] = [
  ...EXTENSIONS.map((extension) => `${NAME}.config.${extension}`),
  "package.json",
];

/** What a run is to generate. */
export interface Found {
  readonly outputs: readonly GenerateOptions[];
  /** The configuration that says so; nothing when the flags do. */
  readonly file?: string;
}

/**
 * What a run is to generate: what the flags say, or else what the configuration
 * in this folder says, or else every named profile. Flags and a configuration
 * are never mixed, so that each output is described in one place.
 *
 * @throws InputError for a configuration that cannot be read or is wrong
 */
export async function findOutputs(flags: InputFlags & RunFlags): Promise<Found> {
  const { force, ...selection } = toOptions(flags);
  const isSelected = Object.keys(selection).length > 0;
  if (isSelected && typeof flags.config === "string") {
    throw usageError(
      "the flags and the configuration both say what to generate",
      "Leave --config or the other flags out.",
    );
  }
  const found = isSelected || flags.config === false ? undefined : await loadConfig(flags.config);
  const { outputs, ...rest } = found ?? { outputs: [selection] };
  return { ...rest, outputs: outputs.map((output) => ({ ...output, ...(force && { force }) })) };
}

async function loadConfig(path: string | undefined): Promise<Found | undefined> {
  const modules = EXTENSIONS.filter((extension) => extension !== "json");
  let tried = path ?? NAME;
  const load = (file: string): Promise<unknown> => importDefault((tried = file));
  const loaders: Loaders = Object.fromEntries(modules.map((extension) => [`.${extension}`, load]));
  const { lilconfig } = await import("lilconfig");
  const search = lilconfig(NAME, {
    loaders: { ...loaders, ".json": loadJson },
    searchPlaces: [...CONFIG_FILES],
    // Folders above would make the result depend on where a project lies.
    stopDir: process.cwd(),
    cache: false,
    // An empty file would otherwise ask for everything.
    ignoreEmptySearchPlaces: false,
  });
  try {
    const found = path === undefined ? await search.search() : await search.load(resolve(path));
    if (found === null) return undefined;
    const file = found.filepath;
    if (found.isEmpty) throw wrongConfig(file, "is empty", "Say what to generate, or remove it.");
    return { file, outputs: await checkConfig(found.config, file) };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = `cannot be loaded: ${thrownText(error)}`;
    throw wrongConfig(tried, message, "Correct it, or give --no-config.");
  }
}

function loadJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw wrongConfig(path, `is not JSON: ${(error as Error).message}`, "Correct the syntax.");
  }
}

function wrongConfig(path: string, message: string, hint: string): InputError {
  return new InputError([{ file: displayPath(path), message, hint }], "usage");
}

async function checkConfig(config: unknown, path: string): Promise<GenerateOptions[]> {
  const { loadDialect } = await import("../schema/source/load.js");
  const problems = loadDialect(SCHEMA)("config", config, displayPath(path));
  if (problems.length > 0) throw new InputError(problems, "usage");
  const folder = dirname(path);
  return (config as Config).outputs.map((output) => fromFolder(output, folder));
}

/** Paths of a configuration are relative to it, wherever the command runs. */
function fromFolder({ schema, meta, ...output }: ConfigOutput, folder: string): GenerateOptions {
  const place = (path: string): string => {
    const local = relative(process.cwd(), resolve(folder, path)).replaceAll("\\", "/");
    return isAbsolute(local) || local.startsWith(".") ? local : `./${local}`;
  };
  const placed = (items: readonly string[]): string[] =>
    items.map((item) => (item.includes("/") || item.endsWith(".json") ? place(item) : item));
  return {
    ...output,
    out: place(output.out ?? "out"),
    ...(output.with !== undefined && { with: placed(output.with) }),
    ...(output.targets !== undefined && { targets: placed(output.targets) }),
    ...(schema !== undefined && { schemaFile: place(schema) }),
    ...(meta !== undefined && { metaFile: place(meta) }),
  };
}

/** The outputs as JSON, as the run will see them. */
export function printConfig(outputs: readonly GenerateOptions[]): string {
  return JSON.stringify({ outputs }, null, 2);
}
