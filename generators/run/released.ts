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
import { isOutputPath } from "../output/file.js";
import { InputError } from "../schema/problem.js";
import { usageError } from "./usage-error.js";

/** Which schema of a released package is meant: `<folder or tarball>#<profile or path in it>`. */
export interface Released {
  readonly path: string;
  readonly name: string;
}

/** @returns nothing for what is not written in this way */
export function parseReleased(side: string): Released | undefined {
  const at = side.lastIndexOf("#");
  return at > 0 ? { path: side.slice(0, at), name: side.slice(at + 1) } : undefined;
}

/**
 * Opens a released package, of which only `schema/` is looked at. Three kinds
 * have one: acp-codegen itself, the official SDK, and what names a file there.
 *
 * @param use gets the package's folder; that of a tarball is gone afterwards
 * @throws InputError when it does not exist or is no package
 */
export async function withReleased<T>({ path }: Released, use: (folder: string) => T): Promise<T> {
  if (!existsSync(path)) {
    throw usageError(
      `there is no package ${path}`,
      "Give a folder, or a tarball that npm pack has made.",
    );
  }
  if (statSync(path).isDirectory()) return use(path);
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-"));
  try {
    await unpackSchema(path, folder);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
        message: `is no tarball of a package: ${(error as Error).message}`,
        hint: "Give what npm pack has made.",
      },
    ]);
  }
}

/**
 * Where the official SDK keeps the schema of a profile.
 *
 * @param folder the package's
 * @returns the path in the package
 * @throws InputError when there is none, naming those that there are
 */
export function findSdkSchema(folder: string, released: Released): string {
  const { name } = released;
  const path = name.endsWith(".json") ? name : sdkPath(name);
  if (existsSync(join(folder, path))) return path;
  if (!existsSync(join(folder, "schema"))) {
    throw wrongPackage(
      released,
      "the package has no schema/ folder; only packages that ship their schema can be compared",
    );
  }
  throw noSuchSchema(released, schemaNames(folder));
}

/** A package that has no schema of this name, and those that it has. */
export function noSuchSchema(released: Released, known: Iterable<string>): InputError {
  const message = `there is no schema of "${released.name}" in the package`;
  return wrongPackage(released, message, `It has ${[...known].join(", ") || "none"}.`);
}

function wrongPackage({ path }: Released, message: string, hint?: string): InputError {
  return new InputError([{ file: path, message, ...(hint !== undefined && { hint }) }], "usage");
}

function sdkPath(profile: string): string {
  const [protocol, surface] = profile.split(/-(.*)/);
  return `schema/${protocol}/schema${surface === undefined ? "" : `.${surface}`}.json`;
}

/** By what names a package's schemas can be asked for: as profiles, or else as files. */
function schemaNames(folder: string): string[] {
  return readdirSync(join(folder, "schema"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const [, protocol, surface] = /^([^/]+)\/schema(?:\.(.+))?\.json$/.exec(name) ?? [];
      if (protocol === undefined) return `schema/${name}`;
      return surface === undefined ? protocol : `${protocol}-${surface}`;
    })
    .sort();
}

/**
 * Refuses a package of which no profile is named, where a schema file would do.
 *
 * @throws InputError for a folder and for a tarball
 */
export function refusePackage(path: string): void {
  if (!statSync(path).isDirectory() && !/\.(tgz|tar\.gz)$/.test(path)) return;
  const message = `${path} is a package: say which of its profiles, e.g. ${path}#v1`;
  throw new InputError([{ message }], "usage");
}
