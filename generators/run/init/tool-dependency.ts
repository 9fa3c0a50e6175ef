import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isObject } from "../../schema/json-schema/json.js";
import { PUBLISHED, ROOT, toolVersion } from "../installation.js";
import { withSlashes } from "../messages.js";

/**
 * Returns the dependency that installs this tool in a project: its path, or its version when it came
 * from a registry.
 *
 * @param project the folder of the project
 * @param tool the folder of the tool
 * @param published whether the registry has the tool
 */
export function toolDependency(project: string, tool = ROOT, published = PUBLISHED): string {
  const root = resolve(tool);
  const modules = dirname(root);
  const place = basename(modules) === "node_modules" ? installedFrom(modules) : root;
  if (place === undefined && published) return toolVersion();
  return `file:${withSlashes(relative(project, place ?? root))}`;
}

/** Returns the file that npm has installed the tool from, according to the lockfile in `node_modules`. */
function installedFrom(modules: string): string | undefined {
  try {
    const lock: unknown = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
    const packages = isObject(lock) ? lock["packages"] : undefined;
    const own = isObject(packages) ? packages["node_modules/acp-codegen"] : undefined;
    const resolved = isObject(own) ? own["resolved"] : undefined;
    if (typeof resolved !== "string" || !resolved.startsWith("file:")) return undefined;
    return resolve(dirname(modules), resolved.slice("file:".length));
  } catch {
    // Other package managers have no such file; the version will do.
    return undefined;
  }
}
