import { readdirSync } from "node:fs";
import { join } from "node:path";
import { printComparison } from "../../generators/cli/print/comparison.js";
import { diff } from "../../generators/run/diff.js";

/** The newest releases of the crate and of the npm package. */
export interface Releases {
  readonly crate: string;
  readonly npm: string;
}

/** What the search needs from outside. */
export interface Network {
  /** Returns the text at an address. */
  readonly read: (url: string) => Promise<string>;
  /** Returns a folder with the schemas of a release, as `v1.json` or `v1/schema.json`. */
  readonly fetchSchemas: (source: keyof Releases, release: string) => Promise<string>;
}

const INDEX = "https://index.crates.io/ag/en/agent-client-protocol-schema";
const PACKAGE = "https://registry.npmjs.org/@agentclientprotocol/sdk/latest";
/** What an issue may have, with room for its first lines. */
const MOST_CHARACTERS = 60_000;

/**
 * Compares the newest releases with those that the repository follows.
 *
 * @returns the title and the text of an issue, with the differences of the four schemas; undefined
 *   when nothing is newer
 */
export async function findNews(
  known: Releases,
  { read, fetchSchemas }: Network,
): Promise<{ readonly title: string; readonly body: string } | undefined> {
  const lines = (await read(INDEX)).trim().split("\n");
  const crates = lines.map((line) => JSON.parse(line) as { vers: string; yanked: boolean });
  const usable = crates.filter(({ vers, yanked }) => !yanked && !vers.includes("-"));
  const crate = usable.map(({ vers }) => vers).reduce((a, b) => (isNewer(b, a) ? b : a));
  const { version: npm } = JSON.parse(await read(PACKAGE)) as { version: string };
  const newest: Releases = { crate, npm };
  const newer = (["crate", "npm"] as const).filter((one) => isNewer(newest[one], known[one]));
  if (newer.length === 0) return undefined;
  const parts: string[] = [];
  for (const source of newer) {
    const folder = await fetchSchemas(source, newest[source]);
    parts.push(`## ${source} ${newest[source]}, after ${known[source]}`);
    for (const [profile, file] of schemasIn(folder)) {
      const changes = printComparison(await diff(profile, join(folder, file)), "markdown");
      parts.push(`### ${profile}\n\n${changes}`);
    }
  }
  return {
    title: `Follow ${newer.map((one) => `${one} ${newest[one]}`).join(" and ")}`,
    body: parts.join("\n\n").slice(0, MOST_CHARACTERS),
  };
}

/** Compares versions of three numbers. */
function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, "en", { numeric: true }) > 0;
}

function schemasIn(folder: string): readonly (readonly [profile: string, file: string])[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return ["v1", "v1-unstable", "v2", "v2-unstable"].flatMap((profile) => {
    const [version, surface] = profile.split("-");
    const names = [
      `${profile}.json`,
      join(version!, surface ? "schema.unstable.json" : "schema.json"),
    ];
    return files.filter((file) => names.includes(file)).map((file) => [profile, file] as const);
  });
}
