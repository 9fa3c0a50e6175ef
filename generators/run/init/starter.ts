import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { CONFIG_NAME, readConfig, type ProjectFile } from "./config-file.js";
import { toolDependency } from "./tool-dependency.js";
import { readTree, STARTERS } from "../installation.js";
import { unknownName, usageError } from "../messages.js";
import type { GenerateOptions } from "../options.js";
import { isPackageName } from "./package-name.js";

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

/** Returns the output that the configuration of a starter describes. */
export function bindingsOf(language: string = DEFAULT_LANGUAGE): Bindings {
  const usesNpm = language === DEFAULT_LANGUAGE;
  const targets = usesNpm ? {} : { targets: [language] };
  return { out: "acp", options: { profiles: ["v1"], ...targets }, usesNpm };
}

/** Renamed files: npm leaves `.gitignore` out of packages. */
const RENAMED: { readonly [path: string]: string } = { gitignore: ".gitignore" };

/** The manifests of other languages, in which `starter` stands for the name of the project. */
const MANIFESTS: readonly string[] = ["pyproject.toml"];

interface Manifest {
  readonly name: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

/** The starter that is asked for. */
export interface StarterOptions {
  readonly starter: string;
  /** The language of the project; TypeScript when absent. */
  readonly language?: string | undefined;
  /** The project's npm name; that of its folder when absent. */
  readonly name?: string | undefined;
}

/**
 * Returns the files of a starter project, package.json last.
 *
 * @param folder where the project will be
 * @throws InputError for an unknown starter or language, or a name that npm does not accept
 */
export function starterFiles(
  folder: string,
  { starter, language = DEFAULT_LANGUAGE, name = basename(folder) }: StarterOptions,
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
  const texts = language === DEFAULT_LANGUAGE ? { ...own, [CONFIG_NAME]: readConfig() } : own;
  const printed = printManifest(manifest, folder, name);
  const named = (path: string, text: string): string =>
    MANIFESTS.includes(path) ? text.replaceAll(/\bstarter\b/g, basename(name)) : text;
  return [
    ...Object.entries(texts).map(([path, text]) => ({
      path: RENAMED[path] ?? path,
      text: named(path, text),
    })),
    { path: "package.json", text: printed },
  ];
}

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function printManifest(text: string, folder: string, name: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const { dependencies = {}, devDependencies } = manifest;
  checkName(name, [...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const changed = {
    ...manifest,
    name,
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
