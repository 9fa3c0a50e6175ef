import { findLocked, type Lock, type Locked } from "./lockfile.js";

const REGISTRY = "https://registry.npmjs.org/";
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
/** A range of versions, or one of another package under a name of one's own. */
const FROM_REGISTRY = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?[\d\w\s.*^~<>=|+-]*$/;

/**
 * What a lock file says that must not be released: packages that are not from
 * the registry or without a digest, versions that are not exact, dependencies
 * that are not locked. The last happens to optional ones for other machines,
 * and then `npm ci` fails there (npm/cli issue 4828).
 *
 * @returns one line a problem; none when all is well
 */
export function findLockProblems(lock: Lock): readonly string[] {
  const problems: string[] = [];
  const workspaces = lock.packages[""]?.workspaces ?? [];
  for (const [folder, locked] of Object.entries(lock.packages)) {
    const isOurs = folder === "" || workspaces.includes(folder);
    if (isOurs) problems.push(...findLoose(folder, locked));
    else if (locked.link === true) {
      if (!workspaces.includes(locked.resolved ?? ""))
        problems.push(`${folder} is a link to ${locked.resolved}, which is no workspace`);
    } else if (locked.inBundle !== true) problems.push(...findForeign(folder, locked));
    problems.push(...findUnlocked(lock, folder, locked));
  }
  return problems;
}

function* findLoose(folder: string, locked: Locked): Generator<string> {
  const place = folder === "" ? "package.json" : `${folder}/package.json`;
  const { dependencies, devDependencies, optionalDependencies } = locked;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  for (const [name, version] of Object.entries(all))
    if (!EXACT.test(version))
      yield `${place} asks for ${name} ${version}, which is not one version`;
}

function* findForeign(folder: string, locked: Locked): Generator<string> {
  const { version = "", resolved = REGISTRY, integrity = "" } = locked;
  if (!EXACT.test(version)) yield `${folder} has no version`;
  if (!integrity.startsWith("sha512-")) yield `${folder} has no sha512 digest`;
  // Without a place of its own, npm takes a package from the registry.
  if (!resolved.startsWith(REGISTRY)) yield `${folder} is taken from ${resolved}`;
}

function* findUnlocked(lock: Lock, folder: string, locked: Locked): Generator<string> {
  const { dependencies, devDependencies, optionalDependencies } = locked;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  for (const [name, version] of Object.entries(all)) {
    const what = `${folder === "" ? "package.json" : folder} needs ${name} ${version}`;
    if (!FROM_REGISTRY.test(version)) yield `${what}, which is not from the registry`;
    if (findLocked(lock, folder, name) === undefined) yield `${what}, which is not locked`;
  }
}
