import type { Drift } from "../../output/drift.js";
import { fileDigests, type Manifest } from "../../output/manifest.js";
import { canonicalJson, isObject, type Json } from "../../schema/json-schema/json.js";
import type { InputDigest } from "./input-digest.js";

/** What a run compares. */
interface Compared {
  /** The manifest on disk. */
  readonly previous: Manifest | undefined;
  /** The manifest of this run. */
  readonly manifest: Manifest;
  readonly drift: Drift;
  readonly inputs: InputDigest | undefined;
}

/**
 * Returns why an output is not what would be generated, in sentences: first another compiler, then
 * other inputs, then what happened to the files.
 *
 * @param read returns the text of a file on disk; `undefined` when it does not exist
 */
export function findCauses(
  { previous, manifest, drift, inputs }: Compared,
  read: (path: string) => string | undefined,
): string[] {
  if (previous === undefined) return ["nothing was generated here before: there is no manifest"];
  const isOther = previous.generator !== manifest.generator;
  const compiler = isOther ? [`made by ${previous.generator}, this is ${manifest.generator}`] : [];
  const profiles = changedProfiles(previous, manifest);
  const files = changedInputs(previous.inputs?.files, inputs?.files);
  const known = previous.inputs?.sources;
  const hasOtherSources = inputs !== undefined && known !== undefined && known !== inputs.sources;
  const sources =
    hasOtherSources && !isOther
      ? ["the schema, the templates or the code of acp-codegen have changed"]
      : [];
  return [...compiler, ...files, ...profiles, ...sources, ...changedFiles(previous, drift, read)];
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

/** Returns what happened to the generated files since. */
function changedFiles(
  previous: Manifest,
  { write }: Drift,
  read: (path: string) => string | undefined,
): string[] {
  const entries = new Map(previous.files.map((entry) => [entry.path, entry]));
  const edited: string[] = [];
  const formatted: string[] = [];
  const deleted: string[] = [];
  for (const {
    file: { path },
  } of write) {
    const [entry, text] = [entries.get(path), read(path)];
    if (entry === undefined) continue;
    if (text === undefined) {
      deleted.push(path);
      continue;
    }
    const now = fileDigests(path, text);
    if (now.sha256 === entry.sha256) continue;
    (now.unformatted === entry.unformatted ? formatted : edited).push(path);
  }
  return [
    ...some(edited, "edited since"),
    ...some(formatted, "reformatted: exclude the output from formatters and linters"),
    ...some(deleted, "deleted"),
  ];
}

function some([first, ...others]: readonly string[], what: string): string[] {
  if (first === undefined) return [];
  if (others.length === 0) return [`${first} was ${what}`];
  return [`${first} and ${others.length} more were ${what}`];
}
