import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../output/manifest.js";
import { isObject } from "../../schema/json-schema/json.js";
import type { Memo } from "../../schema/memo.js";
import type { GenerateOptions } from "./generate.js";
import { compilerDigest } from "./input-digest.js";

/** How many runs with other options are remembered. */
const KEPT = 16;

export interface PrintCache extends Memo {
  /** Keeps what this run has used, for the next one with the same options. */
  readonly save: () => void;
}

/**
 * What the last run with the same options has printed, in the `.cache` of the
 * nearest `node_modules`, or where `ACP_CODEGEN_CACHE` says; nowhere when that is
 * empty. A check never asks it, so that it compares with what is compiled.
 *
 * @returns nothing where there is no such folder, or the compiler is not known
 */
export function openPrintCache({ out: _, ...options }: GenerateOptions): PrintCache | undefined {
  const folder = cacheFolder();
  const compiler = compilerDigest();
  if (folder === undefined || compiler === undefined) return undefined;
  const file = join(folder, `${sha256(JSON.stringify(options))}.json`);
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

/** Only a folder that npm has made anyway is used: no project gets a new one, nor a changed input of its own. */
function cacheFolder(): string | undefined {
  const chosen = process.env["ACP_CODEGEN_CACHE"];
  if (chosen !== undefined) return chosen === "" ? undefined : chosen;
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    if (existsSync(modules)) return join(modules, ".cache/acp-codegen");
    if (folder === dirname(folder)) return undefined;
  }
}

/** A file of another compiler, or one that cannot be read, is as good as none. */
function readTexts(file: string, compiler: string): ReadonlyMap<string, string> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
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

/** In one step, as others may read it; without it the next run only takes longer. */
function writeTexts(file: string, content: object): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify(content));
    renameSync(draft, file);
    forgetOld(dirname(file));
  } catch {
    return;
  }
}

function forgetOld(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const times = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
  files.sort((a, b) => times.get(b)! - times.get(a)!);
  for (const file of files.slice(KEPT)) rmSync(file, { force: true });
}
