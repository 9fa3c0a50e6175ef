import { lstatSync } from "node:fs";
import { join } from "node:path";
import { OutputError } from "../output-error.js";

/**
 * Checks that a path of the output folder leads to a file, or to nothing, without leaving the
 * folder.
 *
 * @throws OutputError for a symbolic link, or for a folder and a file in each other's place
 */
export function refuseObstacles(folder: string, path: string): void {
  const advice = "Remove it, or choose another output folder.";
  const segments = path.split("/");
  for (let count = 1; count <= segments.length; count++) {
    const place = join(folder, ...segments.slice(0, count));
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isSymbolicLink()) throw new OutputError(`${place} is a symbolic link. ${advice}`);
    const isLast = count === segments.length;
    if (!isLast && !stat.isDirectory()) {
      throw new OutputError(`${place} is not a folder. ${advice}`);
    }
    if (isLast && !stat.isFile()) throw new OutputError(`${place} is not a file. ${advice}`);
  }
}
