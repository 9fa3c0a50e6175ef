import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { CONFIG_NAME, readConfig, type ProjectFile } from "./config-file.js";
import { toolDependency } from "./tool-dependency.js";
import { readTree, STARTERS } from "../installation.js";
import { unknownName, usageError } from "../messages.js";
import type { GenerateOptions } from "../options.js";
import { isPackageName } from "./package-name.js";
import { wordsOf } from "../../model/parts/words.js";

/** The default language of starters; it uses its own set of targets, other languages use one each. */
const DEFAULT_LANGUAGE = "typescript";

/** The output of a starter. */
export interface Bindings {
  /** Its folder in the project. */
  readonly out: string;
  readonly options: GenerateOptions;
  /** Whether npm installs, builds and tests the project. */
  readonly usesNpm: boolean;
}

/** The configuration of a starter that does not use npm. */
const CONFIG_FILE = "acp-codegen.config.json";

/**
 * Returns the output that the configuration of a starter describes.
 *
 * @param files those of the project
 */
export function bindingsOf(files: readonly ProjectFile[]): Bindings {
  const config = files.find(({ path }) => path === CONFIG_FILE);
  if (config === undefined) return { out: "acp", options: { profiles: ["v1"] }, usesNpm: true };
  const [output] = (JSON.parse(config.text) as { outputs: (GenerateOptions & { out: string })[] })
    .outputs;
  return { out: output!.out, options: output!, usesNpm: false };
}

/** Renamed files: npm leaves `.gitignore` out of packages. */
const RENAMED: { readonly [path: string]: string } = { gitignore: ".gitignore" };

interface Manifest {
  readonly name?: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

/** The starter that is asked for. */
export interface StarterOptions {
  readonly starter: string;
  /** The language of the project; TypeScript when absent. */
  readonly language?: string | undefined;
  /** The name of the project; that of its folder when absent. */
  readonly name?: string | undefined;
}

/**
 * Returns the files of a starter project, package.json last.
 *
 * @param folder where the project will be
 * @throws InputError for an unknown starter or language, or a name that it cannot have
 */
export function starterFiles(
  folder: string,
  { starter, language = DEFAULT_LANGUAGE, name }: StarterOptions,
): ProjectFile[] {
  const languages = foldersOf(STARTERS);
  if (!languages.includes(language)) throw unknownName("language", language, languages);
  const known = foldersOf(join(STARTERS, language));
  if (!known.includes(starter))
    throw unknownName(
      language === DEFAULT_LANGUAGE ? "starter" : `${language} starter`,
      starter,
      known,
    );
  const { "package.json": manifest = "", ...own } = Object.fromEntries(
    readTree(join(STARTERS, language, starter)),
  );
  const files =
    language === DEFAULT_LANGUAGE
      ? { ...own, [CONFIG_NAME]: readConfig() }
      : withNames(own, basename(name ?? folder));
  // Only a package of npm needs a name there.
  const named = language === DEFAULT_LANGUAGE ? { name: name ?? basename(folder) } : {};
  return [
    ...Object.entries(files).map(([path, text]) => ({ path: RENAMED[path] ?? path, text })),
    { path: "package.json", text: printManifest(manifest, folder, named) },
  ];
}

/** Returns the files of a starter with the names of the project; a scope of npm is not part of them. */
function withNames(
  files: { readonly [path: string]: string },
  name: string,
): { readonly [path: string]: string } {
  const { distribution, module } = projectName(name);
  const named = (text: string): string => text.replaceAll(STARTER_NAME.module, module);
  const entries = Object.entries(files).map(([path, text]): [string, string] => [
    named(path),
    path.endsWith(".toml")
      ? named(text).replaceAll(new RegExp(`\\b${STARTER_NAME.distribution}\\b`, "g"), distribution)
      : named(text),
  ]);
  return Object.fromEntries(entries);
}

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function printManifest(text: string, folder: string, named: Pick<Manifest, "name">): string {
  const manifest = JSON.parse(text) as Manifest;
  const { dependencies = {}, devDependencies } = manifest;
  if (named.name !== undefined)
    checkName(named.name, [...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const changed = {
    ...manifest,
    ...named,
    devDependencies: { ...devDependencies, "acp-codegen": toolDependency(folder) },
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

function checkName(name: string, dependencies: readonly string[]): void {
  if (!isPackageName(name)) {
    throw usageError(
      `${JSON.stringify(name)} is not an npm package name`,
      "Choose one with --name: lower-case letters, digits, hyphens.",
    );
  }
  if (dependencies.includes(name)) {
    throw usageError(`the project depends on a package named "${name}"`, "Choose another --name.");
  }
}

/** The names of a project in a language that does not use npm. */
interface ProjectName {
  /** The name to install it by. */
  readonly distribution: string;
  /** The name to import it by. */
  readonly module: string;
}

/** The names in the files of such a starter; those of the project replace them. */
const STARTER_NAME: ProjectName = { distribution: "starter", module: "echo_agent" };

/**
 * Returns the names of a project: letters, digits and hyphens to install it, and words with
 * underscores to import it. A single word is not one of them: it may be a keyword, or a module of the
 * language.
 *
 * @param name the name that was chosen, or that of a folder, whose other characters become hyphens
 * @throws InputError for a name without letters and digits of ASCII
 */
function projectName(name: string): ProjectName {
  const distribution = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[._-]+|[._-]+$/g, "");
  if (distribution === "")
    throw usageError(
      `${JSON.stringify(name)} is not a name for a project`,
      "Choose one with --name: letters, digits, hyphens.",
    );
  const words = wordsOf(distribution);
  const named = words.length === 1 ? [...words, "agent"] : words;
  return {
    distribution,
    module: (/^[a-z]/.test(named[0]!) ? named : ["agent", ...named]).join("_"),
  };
}
