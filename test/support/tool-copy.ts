import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.js";

/** The files that the tool is built and packed from. */
const SOURCES: readonly string[] = [
  ...["bin", "generators", "schema", "templates", "package.json", "package-lock.json"],
  ...["tsconfig.json", "tsconfig.build.json", "LICENSE", "README.md", "CHANGELOG.md"],
];

/** Copies what a checkout has, as far as the tool is built and packed from it. */
export function copySources(folder: string, more: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true });
  for (const part of [...SOURCES, ...more])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
}

/** Copies the sources of the tool into a new folder, which has its dependencies as well. */
export function copyTool(folder: string): void {
  copySources(folder);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
}

/** Compiles the command of a copy into its `dist/`. */
export function buildCopy(folder: string): void {
  execFileSync(process.execPath, ["bin/build.js"], { cwd: folder });
}
