import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { printManifest, sha256, type Manifest } from "../../output/manifest.js";
import { canonicalJson, isObject, type Json } from "../../schema/json-schema/json.js";
import type { ResolvedOptions } from "../defaults.js";
import { isPath, isPlainFile, cleanText, readText } from "../inputs/input-files.js";
import { inputPaths, mapPaths } from "../inputs/input-paths.js";
import { readTemplates, readTree, ROOT } from "../installation.js";
import type { GenerateOptions } from "../options.js";

/** The sources that decide about bytes; of `run` only those that bundle for the site. */
const CODE = /^(schema|model|emit|output)\/|^(compile|targets)\.[jt]s$|^run\/bundles\//;

/** The file with the digest of the sources that the command was built from. */
export const CODE_STAMP = "code-digest.json";

/** Digests of what a run's output depends on. */
export interface InputDigest {
  /** The digest of the compiler, its libraries, the schema and the templates. */
  readonly sources: string;
  /** The digest of the options and of the content of the files that they name. */
  readonly options: string;
  /** The digests of these files, by name. */
  readonly files: { readonly [name: string]: string };
}

/**
 * Computes digests of everything that a run's output depends on.
 *
 * @returns undefined when not all inputs are known
 */
export function inputDigest(options: ResolvedOptions): InputDigest | undefined {
  const compiler = compilerDigest();
  if (compiler === undefined) return undefined;
  const { schemaDirectory, out: _, check: __, force: ___, onProgress: ____, ...selected } = options;
  const files = digestFiles(selected);
  if (files === undefined) return undefined;
  const named = Object.entries(mapPaths(selected, (path) => basename(path)));
  const sources = {
    compiler,
    schema: treeDigest(readTree(schemaDirectory)),
    templates: treeDigest(readTemplates()),
  };
  return {
    sources: sha256(canonicalJson(sources)),
    options: sha256(JSON.stringify([named.sort(), files])),
    files: Object.fromEntries(files),
  };
}

/** The digest of the code that runs, which stays the same while it does. */
let known: string | undefined;

/** Returns the digest of the compiler and its libraries; undefined when it is not known. */
export function compilerDigest(): string | undefined {
  return (known ??= computeCompilerDigest());
}

function computeCompilerDigest(): string | undefined {
  const code = codeDigest();
  if (code === undefined) return undefined;
  const { version, dependencies } = JSON.parse(readText(join(ROOT, "package.json"))) as {
    readonly version: string;
    readonly dependencies: Json;
  };
  return sha256(canonicalJson({ version, code, dependencies }));
}

/** Returns the digest of the sources, for the build to record. */
export function sourceDigest(): string {
  return treeDigest(readTree(join(ROOT, "generators")), CODE);
}

/** Returns the digest of the sources: computed, or in a build the one that was recorded. */
function codeDigest(): string | undefined {
  if (import.meta.url.endsWith(".ts")) return sourceDigest();
  const stamp = join(ROOT, "dist", CODE_STAMP);
  if (!existsSync(stamp)) return undefined;
  const value: unknown = JSON.parse(readText(stamp));
  return isObject(value) && typeof value["sha256"] === "string" ? value["sha256"] : undefined;
}

/** Returns the name and the digest of each file that the options name; undefined when not all are known. */
function digestFiles(options: GenerateOptions): (readonly [string, string])[] | undefined {
  // The modules that a custom target imports are not known.
  if (options.targets?.some(isPath)) return undefined;
  const digests: (readonly [string, string])[] = [];
  for (const path of inputPaths(options)) {
    const digest = tryToDigest(path);
    if (digest === undefined) return undefined;
    digests.push([basename(path), digest]);
  }
  return digests;
}

function treeDigest(tree: ReadonlyMap<string, string>, only = /^/): string {
  const entries = [...tree].filter(([path]) => only.test(path));
  return sha256(JSON.stringify(entries.map(([path, text]) => [path, sha256(cleanText(text))])));
}

/** Returns undefined for a path that cannot be read; the loader reports why. */
function tryToDigest(path: string): string | undefined {
  try {
    if (!isPlainFile(path)) return treeDigest(readTree(path));
    const bytes = readFileSync(path);
    return sha256(isUtf8(bytes) ? cleanText(bytes.toString()) : bytes);
  } catch {
    return undefined;
  }
}

/**
 * Marks a manifest with the inputs that give its tree. Marks of other options
 * are kept as long as the same sources give the same tree.
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
  const files = { ...(isSame ? earlier.files : {}), ...inputs.files };
  return {
    ...manifest,
    inputs: {
      sources,
      tree,
      ...(Object.keys(files).length > 0 && { files }),
      options: [...options].sort(),
    },
  };
}

/** Returns whether a manifest is marked with these inputs. */
export function isFrom(manifest: Manifest, { sources, options }: InputDigest): boolean {
  const { inputs } = manifest;
  return (
    inputs?.sources === sources &&
    inputs.tree === sha256(treeText(manifest)) &&
    inputs.options.includes(options)
  );
}

/** Returns whether two manifests describe the same tree. */
export function isSameTree(manifest: Manifest, other: Manifest | undefined): boolean {
  return other !== undefined && treeText(manifest) === treeText(other);
}

/** Prints a manifest without its inputs. */
function treeText({ inputs: _, ...tree }: Manifest): string {
  return printManifest(tree);
}
