import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CONFIG_NAME, type ProjectFile } from "./config-file.js";
import { toolDependency } from "./tool-dependency.js";
import { readTree, STARTERS } from "../installation.js";
import { unknownName, usageError } from "../messages.js";
import type { GenerateOptions } from "../options.js";
import { isPackageName } from "./package-name.js";

/** The output that the configuration of a starter describes; its build compiles it into the project's own `dist`. */
export const BINDINGS: GenerateOptions & { readonly out: string } = {
  out: "acp",
  profiles: ["v1"],
};

/** Renamed files: npm leaves `.gitignore` out of packages. */
const RENAMED: { readonly [path: string]: string } = { gitignore: ".gitignore" };

interface Manifest {
  readonly name: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

/**
 * Returns the files of a starter project, package.json last.
 *
 * @param starter its name
 * @param folder where the project will be
 * @param name the project's npm name; that of its folder when absent
 * @throws InputError for an unknown starter or a name that npm does not accept
 */
export function starterFiles(starter: string, folder: string, name?: string): ProjectFile[] {
  const known = readdirSync(STARTERS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  if (!known.includes(starter)) throw unknownName("starter", starter, known);
  const { "package.json": manifest = "", ...texts } = Object.fromEntries(
    readTree(join(STARTERS, starter)),
  );
  const sources = { ...texts, [CONFIG_NAME]: readFileSync(join(STARTERS, CONFIG_NAME), "utf8") };
  return [
    ...Object.entries(sources).map(([path, text]) => ({ path: RENAMED[path] ?? path, text })),
    { path: "package.json", text: printManifest(manifest, folder, name ?? basename(folder)) },
  ];
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
