import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isBelow } from "../output/disk/obstacles.js";
import { withSlashes } from "../run/messages.js";

/**
 * Returns the root of the repository that the working folder is in: that of the workflow, else the
 * nearest folder with `.git`; the working folder when there is none.
 */
function repositoryRoot(): string {
  const folder = process.cwd();
  const workspace = process.env["GITHUB_WORKSPACE"];
  if (workspace && isBelow(resolve(workspace), folder)) return resolve(workspace);
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) return root;
    if (root === dirname(root)) return folder;
  }
}

/** Returns a path from the working folder as a path from the root of the repository. */
export function fromRoot(path: string): string {
  const [root, full] = [repositoryRoot(), resolve(path)];
  return isBelow(root, full) ? withSlashes(relative(root, full)) : path;
}

/** Returns the folder to run a command in, ` in packages/acp`; empty at the root. */
export function inFolder(): string {
  const folder = fromRoot(".");
  return folder === "" || folder === "." ? "" : ` in ${folder}`;
}
