import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import type { Cost } from "../interleave.js";
import { ROOT } from "../paths.js";

/** POSIX `times` counts the children of the shell and theirs, which Node itself cannot ask for. */
const SCRIPT = '"$@" >/dev/null; status=$?; times; exit $status';

/**
 * Runs a command from its start to its end, with all the processes that it
 * starts and waits for (openapi-ts runs prettier as one).
 *
 * @returns what it has cost; CPU time to 10 ms, as the shell tells it
 * @throws Error with what the command said when it fails
 */
export function runProcess(
  command: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Cost {
  // Node reads these certificates at its start, which takes as long as the rest of it.
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const path = [join(ROOT, "node_modules/.bin"), own["PATH"]].join(delimiter);
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync("sh", ["-c", SCRIPT, "sh", ...command], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...own, LC_ALL: "C", PATH: path, ...environment },
  });
  const wall = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${command.join(" ")} failed:\n${stderr}`);
  return { cpu: childSeconds(stdout), wall };
}

/** The second line of `times` is about the children: `0m3.120s 0m0.250s`, user and system. */
function childSeconds(printed: string): number {
  const line = printed.trim().split("\n").at(-1) ?? "";
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`the shell's times are not readable: ${printed}`);
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
