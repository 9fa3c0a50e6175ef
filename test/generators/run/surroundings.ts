import { spawn } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../../support/paths.js";

/** The surroundings of a run that may differ. */
export interface Surroundings {
  readonly cwd: string;
  /** Replaces the environment but for the path. */
  readonly env?: { readonly [name: string]: string };
  /** In octal. */
  readonly umask?: string;
  /** The Node.js to run; this one when absent. */
  readonly node?: string;
  /** The program for Node.js to run; the compiled command when absent. */
  readonly command?: readonly string[];
}

/** The compiled command. */
const COMMAND: readonly string[] = [join(ROOT, "dist/cli/main.js")];

/**
 * Runs the command there, without what earlier runs have printed.
 *
 * @returns what it says on standard error and its exit code
 */
export async function runIn(
  { cwd, env = {}, umask = "022", node = process.execPath, command = COMMAND }: Surroundings,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly err: string }> {
  const child = spawn("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", node, ...command, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ACP_CODEGEN_CACHE: "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk) => (err += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, err };
}

/** One digest of all files of a folder, by path and bytes. */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${relative(folder, file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}
