import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { printManifest, sha256, type Manifest } from "../output/manifest.js";
import { canonicalJson, isObject, type Json } from "../schema/json.js";
import type { GenerateOptions } from "./generate.js";
import { isTargetPath } from "./load-target.js";
import { readTree, ROOT, SCHEMA, toolVersion } from "./tool.js";

/** The sources that decide about bytes; of the command line only what reads and bundles for the site does. */
const CODE = /^(schema|model|emit|output)\/|^(compile|targets|cli\/(bundle|site-inputs))\.[jt]s$/;

/** Made by the build of the command: the digest of the sources that it was compiled from. */
export const CODE_STAMP = "code-digest.json";

/** More digests than this are not kept for one tree. */
const KEPT = 8;

/**
 * A digest of everything that a run's output depends on: the compiler, what it
 * comes with, the options, and the files that they name, by content.
 *
 * @returns nothing when the inputs are not all known, so that nobody relies on it
 */
export function inputDigest(options: GenerateOptions): string | undefined {
  const code = codeDigest();
  if (code === undefined) return undefined;
  const selection = selectionOf(options);
  if (selection === undefined) return undefined;
  const { dependencies } = JSON.parse(readText(join(ROOT, "package.json"))) as {
    dependencies: Json;
  };
  return sha256(
    canonicalJson({
      version: toolVersion(),
      code,
      dependencies,
      schema: treeDigest(options.schema ?? SCHEMA),
      templates: treeDigest(join(ROOT, "templates")),
      selection,
    }),
  );
}

/** The digest of the sources: computed from them, or stamped on what was compiled from them. */
export function codeDigest(): string | undefined {
  if (import.meta.url.endsWith(".ts")) return treeDigest(join(ROOT, "generators"), CODE);
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
  const texts = files.map((path) => (existsSync(path) ? readText(path) : undefined));
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

function treeDigest(folder: string, only = /^/): string {
  const entries = [...readTree(folder)].filter(([path]) => only.test(path));
  return sha256(JSON.stringify(entries.map(([path, text]) => [path, sha256(lf(text))])));
}

/** A checkout may have turned line ends around. */
function lf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function readText(file: string): string {
  return lf(readFileSync(file, "utf8"));
}

/** The manifest with the mark that its tree is what these inputs give. */
export function withInputs(
  manifest: Manifest,
  previous: Manifest | undefined,
  inputs: string | undefined,
): Manifest {
  const isSameTree = previous !== undefined && treeText(previous) === treeText(manifest);
  const others = isSameTree ? (previous.inputs ?? []) : [];
  if (inputs === undefined) return { ...manifest, inputs: others };
  const own = mark(manifest, inputs);
  const kept = others.filter((other) => other !== own).slice(0, KEPT - 1);
  return { ...manifest, inputs: [own, ...kept].sort() };
}

/** Whether a tree, if it is as its manifest says, is what these inputs give. */
export function isFrom(manifest: Manifest, inputs: string): boolean {
  return manifest.inputs?.includes(mark(manifest, inputs)) === true;
}

function mark(manifest: Manifest, inputs: string): string {
  return sha256(`${inputs}\n${treeText(manifest)}`);
}

function treeText(manifest: Manifest): string {
  return printManifest({ ...manifest, inputs: [] });
}
