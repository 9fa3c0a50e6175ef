import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs git in a folder. Returns what it prints, without the last line end. */
export function git(
  folder: string,
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): string {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
  }).trimEnd();
}

/**
 * Writes the tree of HEAD with all files of some folders, ignored ones as well, into the repository. The working tree
 * and the index stay unchanged.
 *
 * @param checkout the folder of a working tree
 * @returns the id of the tree
 */
export function writeWholeTree(checkout: string, folders: readonly string[]): string {
  const scratch = mkdtempSync(join(tmpdir(), "acp-index-"));
  const env = { GIT_INDEX_FILE: join(scratch, "index") };
  try {
    git(checkout, ["read-tree", "HEAD"], env);
    git(checkout, ["add", "--force", "--all", ...folders, ":!*/__pycache__/*"], env);
    return git(checkout, ["write-tree"], env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
