import { execFileSync, spawnSync } from "node:child_process";
import { PYTHON, PYTHON_ENV } from "../../python/python-env.js";
import { ROOT } from "../../support/paths.js";

/**
 * Runs a program of this folder.
 *
 * @param packages what it imports, as a list of names
 * @returns the JSON in its last line; undefined without the packages, after a line that says so
 */
export function measurePython<Measured>(
  program: string,
  packages: string,
  args: readonly string[] = [],
): Measured | undefined {
  if (spawnSync(PYTHON, ["-c", `import ${packages}`]).status !== 0) {
    process.stdout.write(
      "python: skipped, since packages are missing, which npm run test:system installs\n\n",
    );
    return undefined;
  }
  const printed = execFileSync(PYTHON, [`test/bench/python/${program}`, ...args], {
    cwd: ROOT,
    env: PYTHON_ENV,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(printed.trim().split("\n").at(-1)!) as Measured;
}
