import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { nameOf, type Lock } from "./lockfile.js";

/** Most malicious releases are found out and taken back within days. */
const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 4;

/** A locked version, once for all folders that it is installed in. */
export interface NamedVersion {
  readonly name: string;
  readonly version: string;
}

/**
 * The versions that a lock file takes from the registry.
 *
 * @param names only these packages; all when there are none
 */
export function lockedVersions(lock: Lock, names: readonly string[] = []): NamedVersion[] {
  const versions = new Map<string, NamedVersion>();
  for (const [folder, locked] of Object.entries(lock.packages)) {
    if (!folder.includes("node_modules/") || locked.link === true) continue;
    const [name, version] = [nameOf(folder, locked), locked.version ?? ""];
    if (names.length === 0 || names.includes(name))
      versions.set(`${name}@${version}`, { name, version });
  }
  return [...versions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Asks the registry that npm is configured with when versions were published.
 *
 * @param now in milliseconds since 1970
 * @returns one line for each that is younger than a week, or that the registry does not know
 * @throws Error when npm cannot ask
 */
export async function findYoung(
  versions: readonly NamedVersion[],
  now: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const rest = [...new Set(versions.map(({ name }) => name))];
  const ask = async (): Promise<void> => {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      const times = await publicationTimes(name);
      const wanted = versions.filter((one) => one.name === name);
      for (const { version } of wanted) lines.push(...judge(name, version, times[version], now));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return lines.sort();
}

function judge(name: string, version: string, time: string | undefined, now: number): string[] {
  if (time === undefined) return [`${name} ${version} is not in the registry`];
  const days = (now - Date.parse(time)) / DAY_MS;
  if (days >= DAYS) return [];
  return [`${name} ${version} was published ${time}, less than ${DAYS} days ago`];
}

async function publicationTimes(name: string): Promise<{ readonly [version: string]: string }> {
  const { stdout } = await promisify(execFile)("npm", ["view", name, "time", "--json"], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as { readonly [version: string]: string };
}
