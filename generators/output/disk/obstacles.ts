import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { OutputError } from "../output-error.js";
import { isMissing } from "./folders.js";

/**
 * Checks that a path of the output folder leads to a file, or to nothing, without leaving the
 * folder.
 *
 * @throws OutputError for a symbolic link, or for a folder and a file in each other's place
 */
export function refuseObstacles(folder: string, path: string): void {
  for (const { place, stat, isLast } of stepsTo(folder, path)) {
    refuseLink(place, stat);
    if (!isLast && !stat.isDirectory()) throw obstacle(place, "not a folder");
    if (isLast && !stat.isFile()) throw obstacle(place, "not a file");
  }
}

/**
 * Checks that no link on a path of the output folder leads to something else, such as a device
 * that has no end.
 *
 * @throws OutputError for a symbolic link
 */
export function refuseLinks(folder: string, path: string): void {
  for (const { place, stat } of stepsTo(folder, path)) refuseLink(place, stat);
}

/**
 * Checks that a folder below another one is there indeed: a link may have come with a repository.
 *
 * @param base the folder that nothing below may lead out of, absolute
 * @param folder any folder, absolute, which need not exist; one that is not below is not checked
 * @throws OutputError for a symbolic link that leads out
 */
export function refuseLeadingOut(base: string, folder: string): void {
  if (!isBelow(base, folder)) return;
  let place = folder;
  while (isMissing(place)) place = dirname(place);
  const [realBase, real] = [base, place].map((path) => realPath(path));
  if (realBase !== undefined && real !== undefined && isBelow(realBase, real)) return;
  throw new OutputError(
    `${place} is a symbolic link that leads out of the working folder, to ${real ?? "nothing"}. ` +
      "Remove it, or name that folder as the output folder.",
  );
}

/** Returns whether a path is that of a folder or lies below it; both are absolute. */
export function isBelow(base: string, path: string): boolean {
  const way = relative(base, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Returns what exists on the way to a path, from the output folder on. */
function* stepsTo(
  folder: string,
  path: string,
): Generator<{ readonly place: string; readonly stat: Stats; readonly isLast: boolean }> {
  const segments = path.split("/");
  for (let count = 1; count <= segments.length; count++) {
    const place = join(folder, ...segments.slice(0, count));
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return;
    yield { place, stat, isLast: count === segments.length };
  }
}

function refuseLink(place: string, stat: Stats): void {
  if (stat.isSymbolicLink()) throw obstacle(place, "a symbolic link");
}

function obstacle(place: string, what: string): OutputError {
  return new OutputError(`${place} is ${what}. Remove it, or choose another output folder.`);
}
