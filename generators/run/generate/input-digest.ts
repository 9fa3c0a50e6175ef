import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { printManifest, sha256, type Manifest } from "../../output/manifest.js";
import { canonicalJson, isObject, type Json } from "../../schema/json-schema/json.js";
import type { GenerateOptions } from "./generate.js";
import { isTargetPath } from "../targets/load-target.js";
import { readTemplates, readTree, ROOT, SCHEMA } from "../installation.js";

/** The sources that decide about bytes; of the command line only what reads and bundles for the site does. */
const CODE = /^(schema|model|emit|output)\/|^(compile|targets)\.[jt]s$|^run\/bundles\//;

/** Made by the build of the command: the digest of the sources that it was compiled from. */
export const CODE_STAMP = "code-digest.json";

/** What a run's output depends on, as digests. */
export interface InputDigest {
  /** Of the compiler, its libraries, the schema and the templates. */
  readonly sources: string;
  /** Of the options and the files that they name, by content. */
  readonly options: string;
}

/**
 * Digests of everything that a run's output depends on.
 *
 * @returns nothing when the inputs are not all known, so that nobody relies on it
 */
export function inputDigest(options: GenerateOptions): InputDigest | undefined {
  const compiler = compilerDigest();
  if (compiler === undefined) return undefined;
  const selection = selectionOf(options);
  if (selection === undefined) return undefined;
  const sources = {
    compiler,
    schema: treeDigest(readTree(options.schema ?? SCHEMA)),
    templates: treeDigest(readTemplates()),
  };
  return { sources: sha256(canonicalJson(sources)), options: sha256(canonicalJson(selection)) };
}

/** The digest of the compiler and its libraries; nothing when it is not known. */
export function compilerDigest(): string | undefined {
  const code = codeDigest();
  if (code === undefined) return undefined;
  const { version, dependencies } = JSON.parse(readText(join(ROOT, "package.json"))) as {
    readonly version: string;
    readonly dependencies: Json;
  };
  return sha256(canonicalJson({ version, code, dependencies }));
}

/** The digest of the sources: computed from them, or stamped on what was compiled from them. */
export function codeDigest(): string | undefined {
  if (import.meta.url.endsWith(".ts")) return treeDigest(readTree(join(ROOT, "generators")), CODE);
  const stamp = join(ROOT, "dist", CODE_STAMP);
  if (!existsSync(stamp)) return undefined;
  const value: unknown = JSON.parse(readText(stamp));
  return isObject(value) && typeof value["sha256"] === "string" ? value["sha256"] : undefined;
}

function selectionOf(options: GenerateOptions): Json | undefined {
  const { schemaFile, metaFile, with: added, targets } = options;
  const files = [...(added ?? []).filter(isFile), schemaFile, metaFile].filter(
    (path) => path !== undefined,
  );
  // What a module imports, and what a feature includes, is not listed anywhere.
  if (targets?.some(isTargetPath)) return undefined;
  const texts = files.map(tryToRead);
  if (texts.some((text) => text === undefined || text.includes('"include"'))) return undefined;
  const { profiles, protocol, without, name, allowUnknownKeywords, header } = options;
  const named = { profiles, protocol, without, name, allowUnknownKeywords, header, targets };
  return {
    ...(JSON.parse(JSON.stringify(named)) as { readonly [key: string]: Json }),
    package: JSON.stringify(options.package ?? {}),
    with: (added ?? []).filter((item) => !isFile(item)),
    files: files.map((path, index) => [basename(path), sha256(texts[index]!)]),
  };
}

function isFile(item: string): boolean {
  return item.endsWith(".json") || item.includes("/");
}

function treeDigest(tree: ReadonlyMap<string, string>, only = /^/): string {
  const entries = [...tree].filter(([path]) => only.test(path));
  return sha256(JSON.stringify(entries.map(([path, text]) => [path, sha256(plain(text))])));
}

/** A checkout may have turned line ends around, an editor may have added a byte order mark. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

/** Nothing for what cannot be read: whoever loads it says why. */
function tryToRead(file: string): string | undefined {
  try {
    return readText(file);
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  return plain(readFileSync(file, "utf8"));
}

/**
 * The manifest with the mark that its tree is what these inputs give. Marks of
 * other options are kept as long as the same sources have made the same tree.
 */
export function markInputs(
  manifest: Manifest,
  previous: Manifest | undefined,
  inputs: InputDigest | undefined,
): Manifest {
  const earlier = previous?.inputs;
  if (inputs === undefined) {
    const keeps = earlier !== undefined && isSameTree(manifest, previous);
    return keeps ? { ...manifest, inputs: earlier } : manifest;
  }
  const { sources } = inputs;
  const tree = sha256(treeText(manifest));
  const isSame = earlier?.sources === sources && earlier.tree === tree;
  const options = new Set([...(isSame ? earlier.options : []), inputs.options]);
  return { ...manifest, inputs: { sources, tree, options: [...options].sort() } };
}

/** Whether a tree, if it is as its manifest says, is what these inputs give. */
export function isFrom(manifest: Manifest, { sources, options }: InputDigest): boolean {
  const { inputs } = manifest;
  return (
    inputs?.sources === sources &&
    inputs.tree === sha256(treeText(manifest)) &&
    inputs.options.includes(options)
  );
}

/** Whether two manifests say the same of a tree, whichever run they stand for. */
export function isSameTree(manifest: Manifest, other: Manifest | undefined): boolean {
  return other !== undefined && treeText(manifest) === treeText(other);
}

/** What the manifest says of the tree, and nothing of what made it. */
function treeText({ inputs: _, ...tree }: Manifest): string {
  return printManifest(tree);
}
