import type { Drift } from "../../output/drift.js";
import {
  fileDigest,
  unformattedDigest,
  type Manifest,
  type ManifestEntry,
} from "../../output/manifest.js";
import { canonicalJson, isObject, type Json } from "../../schema/json-schema/json.js";
import type { InputDigest } from "./input-digest.js";

/** What a run compares. */
interface Compared {
  /** The manifest on disk. */
  readonly previous: Manifest | undefined;
  /** The manifest of this run. */
  readonly manifest: Manifest;
  readonly changes: Changes;
  readonly inputs: InputDigest | undefined;
}

/**
 * Returns why an output is not what would be generated, in sentences: first another compiler, then
 * other inputs, then what happened to the files.
 */
export function findCauses({ previous, manifest, changes, inputs }: Compared): string[] {
  if (previous === undefined) return ["nothing was generated here before: there is no manifest"];
  const compiler = otherCompiler(previous, manifest);
  const profiles = changedProfiles(previous, manifest);
  const files = changedInputs(previous.inputs?.files, inputs?.files);
  const known = previous.inputs?.sources;
  const hasOtherSources = inputs !== undefined && known !== undefined && known !== inputs.sources;
  const sources =
    hasOtherSources && compiler.length === 0
      ? ["the schema, the templates or the code of acp-codegen have changed"]
      : [];
  return [
    ...compiler,
    ...files,
    ...profiles,
    ...sources,
    ...some(changes.edited, "edited since"),
    ...some(changes.formatted, "reformatted: exclude the output from formatters and linters"),
    ...some(changes.deleted, "deleted"),
  ];
}

/** Returns the sentence about an output of another version of the compiler; none otherwise. */
export function otherCompiler(previous: Manifest | undefined, manifest: Manifest): string[] {
  const made = previous?.generator ?? manifest.generator;
  return made === manifest.generator ? [] : [`made by ${made}, this is ${manifest.generator}`];
}

function changedProfiles(previous: Manifest, next: Manifest): string[] {
  const names = new Set([...Object.keys(previous.profiles), ...Object.keys(next.profiles)]);
  return [...names].flatMap((name) => {
    const [before, after] = [previous.profiles[name], next.profiles[name]];
    if (before === undefined) return [`the profile ${name} is new`];
    if (after === undefined) return [`the profile ${name} is gone`];
    return changedFacts(before, after).map((change) => `${name}: ${change}`);
  });
}

function changedFacts(before: Json, after: Json): string[] {
  if (!isObject(before) || !isObject(after)) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [old, now] = [before[key], after[key]];
    if (canonicalJson(old ?? null) === canonicalJson(now ?? null)) return [];
    if (!Array.isArray(old) || !Array.isArray(now)) return [`${key} is another one`];
    const added = now.filter((item) => !old.includes(item)).map((item) => `+${String(item)}`);
    const gone = old.filter((item) => !now.includes(item)).map((item) => `-${String(item)}`);
    return [`${key} ${[...added, ...gone].join(", ") || "in another order"}`];
  });
}

function changedInputs(
  before: { readonly [name: string]: string } = {},
  after: { readonly [name: string]: string } = {},
): string[] {
  return Object.entries(after).flatMap(([name, digest]) =>
    before[name] === undefined || before[name] === digest ? [] : [`${name} has changed`],
  );
}

/** What happened to generated files since, by path. */
export interface Changes {
  readonly edited: readonly string[];
  /** Changed by a formatter only. */
  readonly formatted: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * Returns what happened to the generated files since.
 *
 * @param read returns the text of a file on disk; `undefined` when it does not exist
 */
export function findChanges(
  previous: Manifest | undefined,
  { write }: Drift,
  read: (path: string) => string | undefined,
): Changes {
  const entries = new Map(previous?.files.map((entry) => [entry.path, entry]));
  const found = { edited: [] as string[], formatted: [] as string[], deleted: [] as string[] };
  for (const { file } of write) {
    const [entry, text] = [entries.get(file.path), read(file.path)];
    const change = entry && changeOf(entry, text);
    if (change !== undefined) found[change].push(file.path);
  }
  return found;
}

/**
 * Returns what happened to a generated file since; undefined for nothing, or for line ends only.
 *
 * @param text on disk; undefined when the file does not exist
 */
export function changeOf(
  { path, ...entry }: ManifestEntry,
  text: string | undefined,
): keyof Changes | undefined {
  if (text === undefined) return "deleted";
  if (fileDigest(text) === entry.sha256) return undefined;
  return unformattedDigest(path, text) === entry.unformatted ? "formatted" : "edited";
}

function some([first, ...others]: readonly string[], what: string): string[] {
  if (first === undefined) return [];
  if (others.length === 0) return [`${first} was ${what}`];
  return [`${first} and ${others.length} more were ${what}`];
}
