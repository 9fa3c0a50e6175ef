import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { printManifest, sha256, type Manifest } from "../../output/manifest.js";
import { LANGUAGES } from "../../output/languages.js";
import { canonicalJson, isObject, type Json } from "../../schema/json-schema/json.js";
import { includedFiles, isPath, isPlainFile, plainText, readText } from "../inputs/input-files.js";
import { listTextPaths } from "../inputs/package-options.js";
import { otherFiles } from "../inputs/read-documents.js";
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
  /** The digests of these files, by name. */
  readonly files: { readonly [name: string]: string };
}

/**
 * Computes digests of everything that a run's output depends on.
 *
 * @returns undefined when not all inputs are known
 */
export function inputDigest(options: GenerateOptions): InputDigest | undefined {
  const compiler = compilerDigest();
  if (compiler === undefined) return undefined;
  const files = digestFiles(options);
  if (files === undefined) return undefined;
  const sources = {
    compiler,
    schema: treeDigest(readTree(options.schemaDirectory ?? SCHEMA)),
    templates: treeDigest(readTemplates()),
  };
  return {
    sources: sha256(canonicalJson(sources)),
    options: sha256(canonicalJson({ ...selectionOf(options), files })),
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

/** Returns the digest of the sources: computed, or in a build the one that was recorded. */
export function codeDigest(): string | undefined {
  if (import.meta.url.endsWith(".ts")) return treeDigest(readTree(join(ROOT, "generators")), CODE);
  const stamp = join(ROOT, "dist", CODE_STAMP);
  if (!existsSync(stamp)) return undefined;
  const value: unknown = JSON.parse(readText(stamp));
  return isObject(value) && typeof value["sha256"] === "string" ? value["sha256"] : undefined;
}

/** Returns the name and the digest of each file that the options name; undefined when not all are known. */
function digestFiles(options: GenerateOptions): (readonly [string, string])[] | undefined {
  const { schema, meta, methods, with: added = [], targets } = options;
  // The modules that a custom target imports are not known.
  if (targets?.some(isPath)) return undefined;
  const features = added.filter(isPath);
  const ownTexts = listTextPaths(options);
  const paths = [
    ...features,
    ...features.flatMap(includedFiles),
    ...[schema, meta, methods, ...ownTexts].filter((path) => path !== undefined),
    ...otherFiles(options),
  ];
  const texts = paths.map(tryToRead);
  const siteFiles = digestSiteFiles(options.site);
  if (texts.includes(undefined) || siteFiles === undefined) return undefined;
  return [
    ...paths.map((path, index) => [basename(path), sha256(texts[index]!)] as const),
    ...siteFiles,
  ];
}

/** Returns what the options select, without the names of files. */
function selectionOf(options: GenerateOptions): { readonly [key: string]: Json } {
  const { profiles, protocol, without, name, header, site, layout, importExtension } = options;
  const named = {
    profiles,
    protocol,
    without,
    name,
    allowUnknownKeywords: options.allowUnknownKeywords,
    allow: options.allow,
    names: JSON.stringify(options.names ?? {}),
    rootName: options.rootName,
    refs: Object.keys(options.refs ?? {}),
    header,
    site,
    targets: options.targets,
    layout,
    importExtension,
  };
  return {
    ...(JSON.parse(JSON.stringify(named)) as { readonly [key: string]: Json }),
    package: JSON.stringify(options.package ?? {}),
    languages: JSON.stringify(LANGUAGES.map((language) => options[language] ?? {})),
    with: (options.with ?? []).filter((item) => !isPath(item)),
  };
}

/** Returns the name and the digest of the logo and the pages of a site; undefined when one cannot be read. */
function digestSiteFiles({ logo, pages }: SiteOptions = {}):
  (readonly [string, string])[] | undefined {
  try {
    return [
      ...(logo === undefined ? [] : [[basename(logo), sha256(readFileSync(logo))] as const]),
      ...(pages === undefined
        ? []
        : [[basename(pages), treeDigest(readTree(resolve(pages)))] as const]),
    ];
  } catch {
    return undefined;
  }
}

function treeDigest(tree: ReadonlyMap<string, string>, only = /^/): string {
  const entries = [...tree].filter(([path]) => only.test(path));
  return sha256(JSON.stringify(entries.map(([path, text]) => [path, sha256(plainText(text))])));
}

/** Returns undefined for a file that cannot be read; the loader reports why. */
function tryToRead(file: string): string | undefined {
  try {
    return isPlainFile(file) ? readText(file) : undefined;
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
