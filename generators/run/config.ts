import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Loaders } from "lilconfig";
import { isObject } from "../schema/json-schema/json.js";
import { InputError, nearest } from "../schema/problem.js";
import { syntaxProblem } from "../schema/source/json-text.js";
import { requirePlainFile } from "./inputs/input-files.js";
import { mapPaths } from "./inputs/input-paths.js";
import { DEFAULTS } from "./defaults.js";
import { SCHEMA } from "./installation.js";
import { displayPath, errorMessage, usageError } from "./messages.js";
import type { GenerateOptions, OutputOptions, Selection } from "./options.js";
import { importDefault } from "./targets/import-default.js";

/** A configuration, as `schema/dialect/config.schema.json` describes it. */
export interface Config {
  readonly $schema?: string;
  readonly outputs: readonly ConfigOutput[];
}

/** One output of a configuration; paths are relative to its folder. */
export interface ConfigOutput extends Omit<Selection, "schemaDirectory">, OutputOptions {}

/** Returns a configuration unchanged, for its type. */
export function defineConfig(config: Config): Config {
  return config;
}

const NAME = "acp-codegen";
const EXTENSIONS = ["json", "js", "mjs", "cjs", "ts", "mts", "cts"];

/** The files that may have a configuration, in the order in which they are tried. */
export const CONFIG_FILES: readonly string[] = [
  ...EXTENSIONS.map((extension) => `${NAME}.config.${extension}`),
  "package.json",
];

/** The outputs that a command generates. */
export interface ResolvedConfig {
  readonly outputs: readonly GenerateOptions[];
  /** The configuration file; absent when flags select the output. */
  readonly file?: string;
}

/**
 * Returns the outputs to generate: the one that flags select, else those of the
 * configuration in this folder, else every named profile. Flags and a configuration
 * are never mixed, so that each output is described in one place.
 *
 * @param selected what flags select; empty without a selection
 * @param config the path of a configuration; false for none
 * @throws InputError for a configuration that cannot be loaded or is wrong
 */
export async function resolveConfig(
  selected: GenerateOptions,
  config?: string | false,
): Promise<ResolvedConfig> {
  const { force, ...selection } = selected;
  const isSelected = Object.keys(selection).length > 0;
  if (isSelected && typeof config === "string") {
    throw usageError(
      "the flags and the configuration both select what to generate",
      "Remove --config or the other flags.",
    );
  }
  const found = isSelected || config === false ? undefined : await loadConfig(config);
  const { outputs, ...rest } = found ?? { outputs: [selection] };
  return { ...rest, outputs: outputs.map((output) => ({ ...output, ...(force && { force }) })) };
}

async function loadConfig(path: string | undefined): Promise<ResolvedConfig | undefined> {
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
    // An empty file would otherwise select everything.
    ignoreEmptySearchPlaces: false,
  });
  try {
    const found =
      path === undefined
        ? await search.search()
        : await search.load(resolve(requirePlainFile(path)));
    if (found === null) {
      if (path === undefined) refuseOthers(process.cwd());
      return undefined;
    }
    const file = found.filepath;
    if (path === undefined) refuseSecond(dirname(file));
    if (found.isEmpty)
      throw wrongConfig(file, "is empty", "Describe an output, or remove the file.");
    return { file, outputs: await checkConfig(found.config, file) };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = `cannot be loaded: ${errorMessage(error).replace(/\s*\n\s*/g, " ")}`;
    throw wrongConfig(tried, message, "Correct it, or add --no-config.");
  }
}

/** Names in the forms that the configurations of other tools have. */
const OTHER_FORMS = /^\.?acp[-_.]?codegen(?:[-_.]?(?:config|rc)\b|\.json|rc).*$/i;

/**
 * Refuses to take a folder for one without a configuration, when a file has nearly the name of one, or
 * a folder above has one: the run would otherwise generate every profile.
 */
function refuseOthers(folder: string): void {
  const isSimilar = (name: string): boolean =>
    OTHER_FORMS.test(name) || nearest(name, CONFIG_FILES.slice(0, -1), 2) !== undefined;
  const similar = readdirSync(folder).filter(isSimilar);
  const [misspelled] = similar;
  if (misspelled !== undefined)
    throw wrongConfig(
      join(folder, misspelled),
      "is not a name that a configuration can have",
      `Name it ${NAME}.config.json, .js, .mjs, .cjs, .ts, .mts or .cts, or add --no-config.`,
    );
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const [name] = configsIn(above);
    if (name === undefined) continue;
    const file = displayPath(join(above, name));
    throw wrongConfig(
      file,
      "lies above this folder, and only the configuration of the working folder is read",
      `Run the command there, or add --config ${file} or --no-config.`,
    );
  }
}

/** Refuses a folder with two configurations, of which one would be ignored. */
function refuseSecond(folder: string): void {
  const [first, second] = configsIn(folder);
  if (second === undefined) return;
  const hint = "Remove one of them, or name one with --config.";
  throw wrongConfig(join(folder, second), `is a second configuration beside ${first}`, hint);
}

/** Returns the names of the files in a folder that have a configuration. */
export function configsIn(folder: string): string[] {
  const names = CONFIG_FILES.filter((name) => existsSync(join(folder, name)));
  return names.filter((name) => name !== "package.json" || hasKey(join(folder, name)));
}

/** Returns whether a package.json has a configuration. */
function hasKey(path: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
    return isObject(manifest) && manifest[NAME] !== undefined;
  } catch {
    return false;
  }
}

function loadJson(path: string, text: string): unknown {
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(json);
  } catch (error) {
    const problem = syntaxProblem(json, error as SyntaxError);
    throw new InputError([{ file: displayPath(path), ...problem }], "usage");
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

/** Resolves the paths of an output, which are relative to the folder of the configuration. */
function fromFolder(output: ConfigOutput, folder: string): GenerateOptions {
  const { out = DEFAULTS.out } = output;
  const place = (path: string): string => {
    const local = displayPath(resolve(folder, path));
    return isAbsolute(local) || local.startsWith(".") ? local : `./${local}`;
  };
  return mapPaths({ ...output, out }, place);
}
