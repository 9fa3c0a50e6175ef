import { createHash } from "node:crypto";
import { isObject, type Json } from "../schema/json-schema/json.js";
import { withLf } from "./text.js";
import { isOutputPath, type VirtualFile } from "./file.js";

/** The manifest's name, at the top of the output folder; the site has its own next to its pages. */
export const MANIFEST_FILE = "acp-codegen.manifest.json";

/** The record of a run: lists the only files that a later run may delete. */
export interface Manifest {
  /** The version of acp-codegen. */
  readonly generator: string;
  /** The sources of each profile. */
  readonly profiles: { readonly [name: string]: Json };
  /** Which inputs give exactly these files; absent when that is not known. */
  readonly inputs?: Inputs;
  /** Sorted by path. */
  readonly files: readonly ManifestEntry[];
}

/** Digests of what a tree was made from. */
export interface Inputs {
  /** Digest of the compiler and of the files that come with it. */
  readonly sources: string;
  /** Digest of the rest of the manifest. */
  readonly tree: string;
  /** Digests of the files of the user's own, by name; absent without such files. */
  readonly files?: { readonly [name: string]: string };
  /** Digests of the options of each run that gives this tree, sorted. */
  readonly options: readonly string[];
}

export interface ManifestEntry {
  /** Relative to the output folder. */
  readonly path: string;
  /** The profile that it was made from, several joined by `+`, or `*` for all of the package. */
  readonly profile: string;
  readonly target: string;
  /** Of the text with LF line ends. */
  readonly sha256: string;
  /** Of the text without what formatters change; absent for HTML and in manifests of old versions. */
  readonly unformatted?: string;
}

/** The part of the output that a run is responsible for. */
export interface OutputScope {
  readonly profiles: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
}

export function isInScope(
  { profile, target }: Pick<ManifestEntry, "profile" | "target">,
  scope: OutputScope,
): boolean {
  const isWhole = profile === "*" || profile.split("+").every((name) => scope.profiles.has(name));
  return scope.targets.has(target) && isWhole;
}

/** The manifest after a run: its own entries, and those of earlier runs outside its scope. */
export function nextManifest(
  previous: Manifest | undefined,
  files: readonly VirtualFile[],
  scope: OutputScope,
  facts: Pick<Manifest, "generator" | "profiles">,
): Manifest {
  const kept = (previous?.files ?? []).filter((entry) => !isInScope(entry, scope));
  const made = files.map(({ path, profile, target, text }) => ({
    path,
    profile,
    target,
    sha256: fileDigest(text),
    // What a formatter prints of HTML has other tags as well.
    ...(!path.endsWith(".html") && { unformatted: unformattedDigest(path, text) }),
  }));
  const entries = new Map([...kept, ...made].map((entry) => [entry.path, entry]));
  const profiles = Object.entries({ ...previous?.profiles, ...facts.profiles });
  const used = new Set([...entries.values()].map(({ profile }) => profile));
  return {
    generator: facts.generator,
    profiles: Object.fromEntries(sortByKey(profiles.filter(([name]) => used.has(name)))),
    files: [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The text of a manifest: one file per line, so that changes are easy to read. */
export function printManifest({ generator, inputs, profiles, files }: Manifest): string {
  const lines = files.map((entry) => `    ${JSON.stringify(entry)}`);
  const facts = Object.entries(profiles).map(
    ([name, fact]) => `    ${JSON.stringify(name)}: ${JSON.stringify(fact)}`,
  );
  return `{
  "generator": ${JSON.stringify(generator)},
${inputs === undefined ? "" : `  "inputs": ${JSON.stringify(inputs)},\n`}  "profiles": {
${facts.join(",\n")}
  },
  "files": [
${lines.join(",\n")}
  ]
}
`;
}

/** Parses a manifest; invalid text counts as a missing manifest. */
export function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !Array.isArray(value["files"]) || !isObject(value["profiles"]))
    return undefined;
  if (value["inputs"] !== undefined && !isInputs(value["inputs"])) return undefined;
  return value["files"].every(isEntry) ? (value as unknown as Manifest) : undefined;
}

function isEntry(value: unknown): boolean {
  return (
    isObject(value) &&
    isOutputPath(value["path"]) &&
    (["profile", "target", "sha256"] as const).every((key) => typeof value[key] === "string")
  );
}

function isInputs(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value["sources"] === "string" &&
    typeof value["tree"] === "string" &&
    Array.isArray(value["options"])
  );
}

/** Returns the digest of a file, which a checkout with other line ends does not change. */
export function fileDigest(text: string): string {
  return sha256(withLf(text));
}

/** Returns the digest of what a formatter leaves of a file. */
export function unformattedDigest(path: string, text: string): string {
  // Bullets, emphasis and the borders of tables, in addition to what is free in code.
  const free = path.endsWith(".md") ? /[\s\\,;'"`()|*_:-]+/g : /[\s\\,;'"`()|]+/g;
  // Compared with the text of one file only, so that a part of the digest is enough.
  return sha256(text.replace(free, "")).slice(0, 16);
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function sortByKey<T>(entries: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
