import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { inputDigest } from "../../../generators/run/generate/input-digest.js";
import { resolveOptions } from "../../../generators/run/defaults.js";
import { acquireLock } from "../../../generators/run/generate/lock.js";
import { readTree } from "../../../generators/run/installation.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { compose } from "../../../generators/schema/compose.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { ROOT } from "../../support/paths.js";

/** The site of all profiles, as `npm run docs` writes it. */
export interface BuiltSite {
  readonly protocols: readonly Protocol[];
  readonly byName: ReadonlyMap<string, Protocol>;
  /** The folder on the disk; tests must not write to it. */
  readonly folder: string;
  /** The text of every file by its path, without places where a name may break. */
  readonly files: ReadonlyMap<string, string>;
  /** The pages among the files. */
  readonly pages: readonly (readonly [path: string, html: string])[];
  /** The text of one file, which must be there. */
  readonly page: (path: string) => string;
}

const CACHE = join(ROOT, "node_modules/.cache/acp-site");
const HOUR_MS = 3_600_000;
let opened: Promise<BuiltSite> | undefined;

/**
 * The site, compiled once for all test files: the first one that asks leaves it
 * in a folder that is named after everything that it is made from.
 */
export function openSite(): Promise<BuiltSite> {
  return (opened ??= open());
}

async function open(): Promise<BuiltSite> {
  const protocols = loadProtocols();
  const { sources, options } = inputDigest(resolveOptions({ targets: ["docs"] }))!;
  const key = createHash("sha256").update(`${sources} ${options} ${process.version}`).digest("hex");
  const folder = join(CACHE, key.slice(0, 32));
  if (!existsSync(folder)) await build(folder, protocols);
  // Long names break between their parts, which no test looks for.
  const texts = [...readTree(folder)].map(([path, text]) => [path, text.replaceAll("<wbr>", "")]);
  const files = new Map(texts as [string, string][]);
  return {
    protocols,
    byName: new Map(protocols.map((protocol) => [protocol.profile, protocol])),
    folder,
    files,
    pages: [...files].filter(([path]) => path.endsWith(".html")),
    page: (path) => {
      const text = files.get(path);
      if (text === undefined) throw new Error(`the site has no ${path}`);
      return text;
    },
  };
}

/** The models of all profiles. */
export function loadProtocols(): readonly Protocol[] {
  const sources = loadSources(join(ROOT, "schema"));
  return [...sources.profiles.values()].map((profile) =>
    buildProtocol(compose(sources.protocols.get(profile.protocol)!, profile.features), profile),
  );
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Builds the site, unless a test file that runs at the same time has done so while this one waited. */
async function build(folder: string, protocols: readonly Protocol[]): Promise<void> {
  const release = await acquireLock(CACHE, { timeoutMs: HOUR_MS });
  try {
    if (existsSync(folder)) return;
    dropOld();
    const { compileSite } = await import("./compile-site.js");
    const fresh = mkdtempSync(join(CACHE, "new-"));
    writeFiles(fresh, await compileSite(protocols));
    renameSync(fresh, folder);
    utimesSync(folder, new Date(), new Date());
  } finally {
    release();
  }
}

/** Sites of other sources, and what runs that were killed have left. */
function dropOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
}
