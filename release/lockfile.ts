import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a lock file says of one package; only what is read here. */
export interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
  readonly workspaces?: readonly string[];
}

/** A lock file of version 3: packages by the folder that they are installed in, the project itself under "". */
export interface Lock {
  readonly packages: { readonly [folder: string]: Locked };
}

/** Reads the lock file of a project. */
export function readLock(root: string): Lock {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
}

/** The name that a package has in the registry. */
export function nameOf(folder: string, { name }: Locked): string {
  return name ?? folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/**
 * Where a dependency is installed: in the nearest `node_modules`, as Node.js
 * looks for it.
 *
 * @param from the folder of the package that has the dependency
 */
export function findLocked({ packages }: Lock, from: string, name: string): string | undefined {
  for (let place = from; ; place = outer(place)) {
    const folder = place === "" ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    if (Object.hasOwn(packages, folder)) return folder;
    if (place === "") return undefined;
  }
}

/** The folder whose `node_modules` is next to be looked into; of a workspace, the project's. */
function outer(folder: string): string {
  const at = folder.lastIndexOf("node_modules/");
  return at <= 0 ? "" : folder.slice(0, at - 1);
}
