import { fileURLToPath } from "node:url";
import { findLockProblems } from "./lock-problems.js";
import { readLock } from "./lockfile.js";
import { findYoung, lockedVersions } from "./young-versions.js";

/**
 * Checks the lock file before a release: first what stands in it, then, with
 * the registry, how old the versions are. Names of packages limit the second
 * part to them; `--offline` leaves it out. Prints one line a problem, and exits
 * with 1 when there are any.
 */
const lock = readLock(fileURLToPath(new URL("../", import.meta.url)));
const args = process.argv.slice(2);
const versions = args.includes("--offline") ? [] : lockedVersions(lock, args);
const problems = [...findLockProblems(lock), ...(await findYoung(versions, Date.now()))];
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else {
  const count = Object.keys(lock.packages).length;
  process.stdout.write(
    `${count} entries are fine; asked for the age of ${versions.length} versions\n`,
  );
}
