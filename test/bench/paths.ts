import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const SDK = "node_modules/@agentclientprotocol/sdk";

/** A module of our bindings, as the package ships them, such as `v1/decoders`. */
export function bindings(name: string): string {
  return requireFile(`out/typescript/dist/${name}.js`);
}

/** The official SDK's zod schemas; it does not export them, so they are found by their path. */
export function sdkZod(): string {
  return requireFile(`${SDK}/dist/v1/schema/zod.gen.js`);
}

/** Upstream's v1 schema, the input of every peer. */
export function upstreamSchema(): string {
  return requireFile(`${SDK}/schema/v1/schema.json`);
}

/** The installed version of a package. */
export function installedVersion(name: string): string {
  const path = requireFile(`node_modules/${name}/package.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** Imports a module by its path. */
export async function importFile<T>(path: string): Promise<{ readonly [name: string]: T }> {
  return (await import(pathToFileURL(path).href)) as { [name: string]: T };
}

/** The path of a file of the repository, by its path there. */
export function requireFile(path: string): string {
  const full = join(ROOT, path);
  if (!existsSync(full)) throw new Error(`${path} is missing: run npm ci && npm run build`);
  return full;
}
