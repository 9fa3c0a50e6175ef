import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makeFolder, userFolder } from "../../output/disk/folders.js";
import { parseSigned, printSigned } from "../../output/disk/signature.js";
import { sha256 } from "../../output/manifest.js";
import { isObject } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import type { Memo } from "../../schema/memo.js";
import type { GenerateOptions } from "../options.js";
import { compilerDigest } from "./input-digest.js";

/** The purpose of the signatures. */
const PURPOSE = "print cache";

/** The number of cache files that are kept: one for each working folder and set of options. */
const KEPT = 16;

export interface PrintCache extends Memo {
  /** Writes the texts that this run has used. */
  readonly save: () => void;
}

/**
 * Opens the cache of texts that the last run with the same options has printed: in
 * `ACP_CODEGEN_CACHE`, or below the home of the user, never in the project: its texts become
 * code, and a repository could contain them. For the same reason, files of another machine are
 * not used. An empty `ACP_CODEGEN_CACHE` turns it off. A check does not use it.
 *
 * @throws InputError when `ACP_CODEGEN_CACHE` is a relative path
 * @returns `undefined` when there is no folder for it, or the digest of the compiler is unknown
 */
export function openPrintCache({ out: _, ...options }: GenerateOptions): PrintCache | undefined {
  const folder = cacheFolder();
  const compiler = compilerDigest();
  if (folder === undefined || compiler === undefined) return undefined;
  const file = join(folder, `${sha256(JSON.stringify([process.cwd(), options]))}.json`);
  const known = readTexts(file, compiler);
  const used = new Map<string, string>();
  let hasNew = false;
  return {
    get: (key) => {
      const digest = sha256(key);
      const text = used.get(digest) ?? known.get(digest);
      if (text !== undefined) used.set(digest, text);
      return text;
    },
    set: (key, text) => {
      used.set(sha256(key), text);
      hasNew = true;
    },
    save: () => {
      if (hasNew) writeTexts(file, { compiler, texts: Object.fromEntries(used) });
    },
  };
}

function cacheFolder(): string | undefined {
  const chosen = process.env["ACP_CODEGEN_CACHE"];
  if (chosen === "") return undefined;
  if (chosen !== undefined && !isAbsolute(chosen))
    throw new InputError([
      {
        message: `ACP_CODEGEN_CACHE is ${JSON.stringify(chosen)}, which is relative to the working folder`,
        hint: "Name an absolute folder outside of any repository, or nothing to turn the cache off.",
      },
    ]);
  if (chosen !== undefined) return chosen;
  const folder = userFolder();
  return folder === undefined ? undefined : join(folder, "print");
}

/** Reads the texts of a cache file; none when it cannot be read or is from another compiler. */
function readTexts(file: string, compiler: string): ReadonlyMap<string, string> {
  try {
    const text = parseSigned(PURPOSE, readFileSync(file, "utf8"));
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isObject(value) || value["compiler"] !== compiler || !isObject(value["texts"]))
      return new Map();
    const texts = Object.entries(value["texts"]);
    return new Map(
      texts.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return new Map();
  }
}

/** Replaces the file in one step, since other runs may read it. Errors are ignored: the next run only takes longer. */
function writeTexts(file: string, content: object): void {
  const draft = `${file}.${process.pid}`;
  try {
    makeFolder(dirname(file));
    writeFileSync(draft, printSigned(PURPOSE, JSON.stringify(content)));
    renameSync(draft, file);
    removeOldest(dirname(file));
  } catch {
    return;
  }
}

/** Removes all but the newest files of the cache; files with other names are left alone. */
function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    .map((name) => join(folder, name));
  const times = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
  files.sort((a, b) => times.get(b)! - times.get(a)!);
  for (const file of files.slice(KEPT)) rmSync(file, { force: true });
}
