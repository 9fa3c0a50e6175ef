import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { printManifest, sha256, type Manifest } from "../../output/manifest.js";
import { canonicalJson, isObject, type Json } from "../../schema/json-schema/json.js";
import { includedFiles, isPath, isPlainFile } from "../inputs/input-files.js";
import { readTemplates, readTree, ROOT, SCHEMA } from "../installation.js";
import type { GenerateOptions, SiteOptions } from "../options.js";

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
}

/**
 * Computes digests of everything that a run's output depends on.
 *
 * @returns undefined when not all inputs are known
 */
export function inputDigest(options: GenerateOptions): InputDigest | undefined {
  const compiler = compilerDigest();
  if (compiler === undefined) return undefined;
  const selection = selectionOf(options);
  if (selection === undefined) return undefined;
  const sources = {
    compiler,
    schema: treeDigest(readTree(options.schemaDirectory ?? SCHEMA)),
    templates: treeDigest(readTemplates()),
  };
  return { sources: sha256(canonicalJson(sources)), options: sha256(canonicalJson(selection)) };
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

/** Returns the digest of the sources: computed, or in a build the one that was recorded. */
export function codeDigest(): string | undefined {
  if (import.meta.url.endsWith(".ts")) return treeDigest(readTree(join(ROOT, "generators")), CODE);
  const stamp = join(ROOT, "dist", CODE_STAMP);
  if (!existsSync(stamp)) return undefined;
  const value: unknown = JSON.parse(readText(stamp));
  return isObject(value) && typeof value["sha256"] === "string" ? value["sha256"] : undefined;
}

function selectionOf(options: GenerateOptions): Json | undefined {
  const { schema, meta, with: added = [], targets } = options;
  // The modules that a custom target imports are not known.
  if (targets?.some(isPath)) return undefined;
  const features = added.filter(isPath);
  const files = [...features, ...features.flatMap(includedFiles), schema, meta].filter(
    (path) => path !== undefined,
  );
  const texts = files.map(tryToRead);
  const siteFiles = digestSiteFiles(options.site);
  if (texts.includes(undefined) || siteFiles === undefined) return undefined;
  const { profiles, protocol, without, name, allowUnknownKeywords, header, site, layout } = options;
  const named = {
    profiles,
    protocol,
    without,
    name,
    allowUnknownKeywords,
    header,
    site,
    siteFiles,
    targets,
    layout,
  };
  return {
    ...(JSON.parse(JSON.stringify(named)) as { readonly [key: string]: Json }),
    package: JSON.stringify(options.package ?? {}),
    with: added.filter((item) => !isPath(item)),
    files: files.map((path, index) => [basename(path), sha256(texts[index]!)]),
  };
}

/** Digests the files that the options of a site name; undefined when one cannot be read. */
function digestSiteFiles({ logo, pages }: SiteOptions = {}): string | undefined {
  try {
    const image = logo === undefined ? "" : sha256(readFileSync(logo).toString("base64"));
    return `${image} ${pages === undefined ? "" : treeDigest(readTree(resolve(pages)))}`;
  } catch {
    return undefined;
  }
}

function treeDigest(tree: ReadonlyMap<string, string>, only = /^/): string {
  const entries = [...tree].filter(([path]) => only.test(path));
  return sha256(JSON.stringify(entries.map(([path, text]) => [path, sha256(plain(text))])));
}

/** Removes what a checkout or an editor may have added: CR line ends and a byte order mark. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

/** Returns undefined for a file that cannot be read; the loader reports why. */
function tryToRead(file: string): string | undefined {
  try {
    return isPlainFile(file) ? readText(file) : undefined;
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  return plain(readFileSync(file, "utf8"));
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
  return { ...manifest, inputs: { sources, tree, options: [...options].sort() } };
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
