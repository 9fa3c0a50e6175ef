import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../../output/disk/write.js";
import { isObject, type JsonObject } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import { syntaxProblem } from "../../schema/source/json-text.js";
import { configsIn } from "../config.js";
import { STARTERS } from "../installation.js";
import { displayPath, usageError } from "../messages.js";

/** A file of a project; its path is relative to the folder of the project. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** The configuration's name where it is TypeScript in an ES module package. */
export const CONFIG_NAME = "acp-codegen.config.ts";

/** Returns the commented configuration in TypeScript. */
export function readConfig(): string {
  return readFileSync(join(STARTERS, "typescript", CONFIG_NAME), "utf8");
}

/**
 * Returns the commented configuration for a project: TypeScript if the project
 * uses it, with an extension that makes it an ES module.
 *
 * @throws InputError when package.json is not a manifest
 */
export function configFor(folder: string): ProjectFile {
  const manifest = readPackage(folder);
  const isModule = manifest?.["type"] === "module";
  const isTypeScript =
    existsSync(join(folder, "tsconfig.json")) ||
    ["dependencies", "devDependencies"].some((kind) => {
      const names = manifest?.[kind];
      return isObject(names) && "typescript" in names;
    });
  const extension = `${isModule ? "" : "m"}${isTypeScript ? "ts" : "js"}`;
  const text = readConfig();
  return {
    path: CONFIG_NAME.replace(/ts$/, extension),
    text: isTypeScript ? text : toJavaScript(text),
  };
}

/** Removes the types, which are in the first and last line. */
function toJavaScript(text: string): string {
  return text
    .replace(/^import type .*\n\n/, "")
    .replace("export default", '/** @type {import("acp-codegen").Config} */\nexport default')
    .replace("} satisfies Config;", "};");
}

/**
 * Makes sure that a configuration is the only one in its folder, since a second one
 * would be ignored. With `force` the same file may exist.
 *
 * @throws InputError naming the existing one
 */
export function refuseOtherConfigs(folder: string, own: string, force: boolean): void {
  const [found] = configsIn(folder);
  if (found === undefined || (found === own && force)) return;
  const path = displayPath(join(folder, found));
  throw usageError(
    found === "package.json" ? `${path} already has a key acp-codegen` : `${path} already exists`,
    found === own ? "Edit it, or overwrite it with --force." : "Edit or remove it.",
  );
}

function readPackage(folder: string): JsonObject | undefined {
  const text = readOutput(folder, "package.json");
  if (text === undefined) return undefined;
  const file = displayPath(join(folder, "package.json"));
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new InputError([{ file, ...syntaxProblem(text, error as SyntaxError) }], "usage");
  }
  const message = "is not a package manifest";
  throw new InputError([{ file, message, hint: "Make it an object." }], "usage");
}
