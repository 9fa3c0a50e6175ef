import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/paths.js";

/** A packed npm package. */
export interface Tarball {
  /** Its path on the disk. */
  readonly file: string;
  readonly bytes: Buffer;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/**
 * Packs a package as npm does, without running its scripts.
 *
 * @param folder the package, built
 * @param into an existing folder for the tarball
 */
export function pack(folder: string, into: string): Tarball {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", into];
  const printed = execFileSync("npm", args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  });
  // npm 11 prints a list, npm 12 an object by name.
  const [packed] = Object.values(JSON.parse(printed) as object) as (Omit<Tarball, "file"> & {
    readonly filename: string;
  })[];
  const file = join(into, packed!.filename.replace("@", "").replace("/", "-"));
  return { ...packed!, file, bytes: readFileSync(file) };
}

/**
 * Packs the bindings as they are published: bundled, in a copy.
 *
 * @param into an existing folder, for the copy and the tarball
 */
export function packBindings(into: string): Tarball {
  const copy = join(into, "bindings");
  const modules = /[\\/]node_modules$/;
  const source = join(ROOT, "out/typescript");
  cpSync(source, copy, { recursive: true, filter: (path) => !modules.test(path) });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "junction");
  execFileSync(process.execPath, ["bundle.js"], { cwd: copy });
  return pack(copy, into);
}
