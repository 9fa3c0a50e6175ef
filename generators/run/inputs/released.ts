import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseTarGzip } from "nanotar";
import { isOutputPath } from "../../output/file.js";
import { InputError } from "../../schema/problem.js";
import { usageError } from "../messages.js";

/** A schema of a released package: `<folder or tarball>#<profile or path in it>`. */
export interface Released {
  readonly path: string;
  readonly name: string;
}

/** Parses `<package>#<name>`; returns undefined for other texts. */
export function parseReleased(side: string): Released | undefined {
  const at = side.lastIndexOf("#");
  return at > 0 ? { path: side.slice(0, at), name: side.slice(at + 1) } : undefined;
}

/**
 * Opens a released package; of a tarball only `schema/` is unpacked.
 *
 * @param use receives the folder of the package; that of a tarball is removed afterwards
 * @throws InputError when it does not exist or is not a package
 */
export async function withReleased<T>({ path }: Released, use: (folder: string) => T): Promise<T> {
  if (!existsSync(path)) {
    throw usageError(
      `package ${path} does not exist`,
      "Give a folder, or a tarball that npm pack has written.",
    );
  }
  if (statSync(path).isDirectory()) return use(packageIn(path));
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-"));
  try {
    await unpackSchema(path, folder);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the folder of a package: of an output folder, that of the npm package in it. */
function packageIn(folder: string): string {
  const bindings = join(folder, "typescript");
  return existsSync(join(bindings, "package.json")) ? bindings : folder;
}

async function unpackSchema(tarball: string, folder: string): Promise<void> {
  for (const { name, data } of await readTarball(tarball)) {
    // npm puts everything into one folder, `package` as a rule.
    const file = name.slice(name.indexOf("/") + 1);
    if (!file.startsWith("schema/") || !isOutputPath(file) || data === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), data);
  }
}

async function readTarball(file: string): ReturnType<typeof parseTarGzip> {
  try {
    return await parseTarGzip(readFileSync(file));
  } catch (error) {
    throw new InputError([
      {
        file,
        message: `is not a tarball of a package: ${(error as Error).message}`,
        hint: "Give a file that npm pack has written.",
      },
    ]);
  }
}

/**
 * Finds the schema of a profile in the official SDK or in generated bindings.
 *
 * @param folder the folder of the package
 * @returns the path in the package
 * @throws InputError when there is none, with the list of schemas
 */
export function findReleasedSchema(folder: string, released: Released): string {
  const { name } = released;
  const paths = name.endsWith(".json") ? [name] : schemaPaths(name);
  const path = paths.find((one) => existsSync(join(folder, one)));
  if (path !== undefined) return path;
  if (!existsSync(join(folder, "schema"))) {
    throw wrongPackage(
      released,
      "the package has no schema/ folder; only packages that ship their schema can be compared",
    );
  }
  throw noSuchSchema(released, schemaNames(folder));
}

/** Returns the error for an unknown schema of a package, with the list of schemas. */
export function noSuchSchema(released: Released, known: Iterable<string>): InputError {
  const message = `the package does not contain a schema of "${released.name}"`;
  return wrongPackage(released, message, `It has ${[...known].join(", ") || "none"}.`);
}

function wrongPackage({ path }: Released, message: string, hint?: string): InputError {
  return new InputError([{ file: path, message, ...(hint !== undefined && { hint }) }], "usage");
}

/** The only schema of version 1 in releases up to 1.9; it has the unstable surface. */
const EARLY_SCHEMA = { profile: "v1-unstable", path: "schema/schema.json" };

function schemaPaths(profile: string): readonly string[] {
  const [protocol, surface] = profile.split(/-(.*)/);
  const paths = [
    `schema/${protocol}/schema${surface === undefined ? "" : `.${surface}`}.json`,
    `schema/${profile}.json`,
  ];
  return profile === EARLY_SCHEMA.profile ? [...paths, EARLY_SCHEMA.path] : paths;
}

/** Lists the names of a package's schemas: profiles, else files. */
function schemaNames(folder: string): string[] {
  return readdirSync(join(folder, "schema"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const [, protocol, surface] = /^([^/]+)\/schema(?:\.(.+))?\.json$/.exec(name) ?? [];
      if (`schema/${name}` === EARLY_SCHEMA.path) return EARLY_SCHEMA.profile;
      if (protocol === undefined) return name.includes("/") ? `schema/${name}` : name.slice(0, -5);
      return surface === undefined ? protocol : `${protocol}-${surface}`;
    })
    .sort();
}

/**
 * Refuses a package without the name of a profile.
 *
 * @throws InputError for a folder and for a tarball
 */
export function refusePackage(path: string): void {
  if (!statSync(path).isDirectory() && !/\.(tgz|tar\.gz)$/.test(path)) return;
  const message = `${path} is a package`;
  const folder = statSync(path).isDirectory() ? join(packageIn(path), "schema") : undefined;
  const name = folder && existsSync(folder) ? schemaNames(dirname(folder))[0] : "v1";
  throw usageError(message, `Name one of its profiles, e.g. ${path}#${name}.`);
}
