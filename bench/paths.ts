import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The messages that the bench measures with. */
export const CORPUS = fileURLToPath(new URL("../test/fixtures/corpus/", import.meta.url));

/** The compiled command. */
export const COMMAND = "dist/cli/main.js";

const SDK = "node_modules/@agentclientprotocol/sdk";

/** Something that the bench needs is not there; the message says how to get it. */
export class MissingError extends Error {}

/** Our validators, as the package ships them. */
export function ourValidators(): string {
  return requireFile("out/typescript/dist/v1/validators.js", "npm run build:bindings");
}

export function ourDecoders(): string {
  return requireFile("out/typescript/dist/v1/decoders.js", "npm run build:bindings");
}

/** Our clients and agents. */
export function ourDispatch(): string {
  return requireFile("out/typescript/dist/v1/dispatch.js", "npm run build:bindings");
}

/** A file of v1, by its name without an extension. */
export function ourProfile(name: string): string {
  return requireFile(`out/typescript/dist/v1/${name}.js`, "npm run build:bindings");
}

/** A file of the runtime, by its name without an extension. */
export function ourRuntime(name: string): string {
  return requireFile(`out/typescript/dist/runtime/${name}.js`, "npm run build:bindings");
}

export function ourEncoders(): string {
  return requireFile("out/typescript/dist/v1/encoders.js", "npm run build:bindings");
}

/** Our types, for tools that read declarations. */
export function ourTypes(): string {
  requireFile("out/typescript/dist/v1/types.d.ts", "npm run build:bindings");
  return join(ROOT, "out/typescript/dist/v1/types.js");
}

/** The official SDK's zod schemas; it does not export them, so they go by their path. */
export function sdkZod(): string {
  return requireFile(`${SDK}/dist/v1/schema/zod.gen.js`, "npm ci");
}

/** Upstream's v1 schema, the input of every peer. */
export function upstreamSchema(): string {
  return requireFile(`${SDK}/schema/v1/schema.json`, "npm ci");
}

/** The installed version of a package; undefined when it is not installed. */
export function installedVersion(name: string): string | undefined {
  const path = join(ROOT, "node_modules", name, "package.json");
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** A file of the repository; the remedy is what makes it. */
export function requireFile(path: string, remedy: string): string {
  const full = join(ROOT, path);
  if (!existsSync(full)) throw new MissingError(`${path} is missing: run ${remedy}`);
  return full;
}
