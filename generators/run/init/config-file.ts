import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OutputError } from "../../output/output-error.js";
import { readOutput } from "../../output/write.js";
import { isObject, type JsonObject } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import { CONFIG_FILES } from "../config.js";
import { displayPath } from "../../cli/print/report.js";
import { STARTERS } from "../installation.js";

/** A file of a project that is to be written, by its path in the project's folder. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** The configuration's name where it is TypeScript in an ES module package. */
export const CONFIG_NAME = "acp-codegen.config.ts";

/**
 * The commented configuration that fits a project: TypeScript where the project
 * uses it, and with an extension that makes it an ES module.
 *
 * @throws InputError when package.json is no manifest
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
  const text = readFileSync(join(STARTERS, CONFIG_NAME), "utf8");
  return {
    path: CONFIG_NAME.replace(/ts$/, extension),
    text: isTypeScript ? text : toJavaScript(text),
  };
}

/** The types are in its first and last line. */
function toJavaScript(text: string): string {
  return text
    .replace(/^import type .*\n\n/, "")
    .replace("export default", '/** @type {import("acp-codegen").Config} */\nexport default')
    .replace("} satisfies Config;", "};");
}

/**
 * Makes sure that a configuration is the only one of its folder: of two, one
 * would be ignored. The same file may be there when it is to be overwritten.
 *
 * @throws OutputError naming the one that is there
 */
export function refuseOtherConfigs(folder: string, own: string, force: boolean): void {
  const found = CONFIG_FILES.find((name) =>
    name === "package.json" ? readPackage(folder)?.["acp-codegen"] : existsSync(join(folder, name)),
  );
  if (found === undefined || (found === own && force)) return;
  const place = displayPath(join(folder, found));
  const what = found === "package.json" ? `${place} has a key acp-codegen` : `${place} is there`;
  const advice = found === own ? "Edit it, or overwrite it with --force." : "Edit or remove it.";
  throw new OutputError(`${what} already. ${advice}`);
}

function readPackage(folder: string): JsonObject | undefined {
  const text = readOutput(folder, "package.json");
  if (text === undefined) return undefined;
  const file = displayPath(join(folder, "package.json"));
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    const message = `is not JSON: ${(error as Error).message}`;
    throw new InputError([{ file, message, hint: "Correct the syntax." }], "usage");
  }
  const message = "is no package manifest";
  throw new InputError([{ file, message, hint: "Make it an object." }], "usage");
}
