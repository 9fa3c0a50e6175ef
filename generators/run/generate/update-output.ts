import type { Target } from "../../emit/emitter.js";
import { buildProtocol } from "../../model/build/build.js";
import { renamedParts } from "../../model/parts/build-parts.js";
import type { Protocol } from "../../model/protocol.js";
import { findDrift, type Drift } from "../../output/drift.js";
import { LANGUAGES } from "../../output/languages.js";
import { emittedPath, layoutPath } from "../../output/layout.js";
import {
  isInScope,
  nextManifest,
  printManifest,
  type Manifest,
  type OutputScope,
} from "../../output/manifest.js";
import { isInterrupted, readOutput, recoverOutput, writeOutput } from "../../output/disk/write.js";
import type { Memo } from "../../schema/memo.js";
import type { Input } from "../inputs/input.js";
import { packageFacts, textPaths } from "../inputs/package-options.js";
import { isNamedSelection, resolveInputs } from "../inputs/select-profiles.js";
import { toolVersion } from "../installation.js";
import { recordedOptions, type ResolvedOptions } from "../defaults.js";
import type { GenerateOptions, ProgressStep } from "../options.js";
import { fitTargets, selectTargets } from "../targets/select-targets.js";
import { onShutdown, yieldToSignals } from "../cleanup.js";
import { compileTargets } from "./compile-profiles.js";
import { changeOf, findCauses, findChanges, otherCompiler } from "./find-causes.js";
import { findForeign } from "./foreign-files.js";
import type { GenerateResult } from "./generate-result.js";
import { isSameTree, markInputs, type InputDigest } from "./input-digest.js";
import { acquireLock } from "./lock.js";
import { manifestPathOf, readManifest } from "./manifest-file.js";
import { openPrintCache } from "./print-cache.js";
import { hasHeader } from "../../output/header.js";
import { OutputError } from "../../output/output-error.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";

/** How long a run waits for others that write to the same folder. */
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Compiles, compares, and unless `check` is set writes.
 *
 * @param previous the manifest on disk
 * @param digest of the inputs, before anything is read
 * @throws InputError for an error in the schema or the options, OutputError when writing fails
 */
export async function updateOutput(
  options: ResolvedOptions,
  previous: Manifest | undefined,
  digest: InputDigest | undefined,
): Promise<GenerateResult> {
  const { out, check, targets, schemaDirectory } = options;
  // Wrong targets are reported before anything is composed.
  const named = targets && (await selectTargets(targets, previous));
  const cache = check ? undefined : openPrintCache(options);
  const inputs = resolveInputs(options, schemaDirectory, cache);
  if (check) return run(options, { inputs, named, previous, digest });
  const unlock = await acquireLock(out, {
    timeoutMs: LOCK_TIMEOUT_MS,
    onWait: (lock) => options.onProgress?.({ kind: "waiting", ...lock }),
  });
  const forget = onShutdown(unlock);
  try {
    recoverOutput(out);
    // The run that was waited for has written another.
    const latest = readManifest(out, manifestPathOf(targets));
    const result = await run(options, { inputs, named, previous: latest, digest }, cache);
    cache?.save();
    return result;
  } finally {
    forget();
    unlock();
  }
}

/** What a run starts from. */
interface Start {
  readonly inputs: readonly Input[];
  /** The targets that the options name. */
  readonly named: readonly Target[] | undefined;
  readonly previous: Manifest | undefined;
  readonly digest: InputDigest | undefined;
}

async function run(
  options: ResolvedOptions,
  { inputs, named, previous, digest }: Start,
  memo?: Memo,
): Promise<GenerateResult> {
  const { out, targets: names, layout, onProgress } = options;
  const manifestPath = manifestPathOf(names);
  const selected = named ?? (await selectTargets(undefined, previous));
  const protocols = inputs.map((input) => buildInput(input, onProgress));
  const { targets, leftOut } = fitTargets(selected, names, protocols);
  // The names of our own schema are known.
  const isImported = inputs[0]?.sources === undefined;
  if (onProgress) reportRenames(protocols, targets, isImported, onProgress);
  if (leftOut.length > 0) onProgress?.({ kind: "without-roles", targets: leftOut });
  // Files of a target that was left out are obsolete.
  const scope = scopeOf(protocols, selected, options, previous);
  const kept = (previous?.files ?? []).filter((entry) => !isInScope(entry, scope));
  const files = await compileTargets(options, targets, protocols, inputs[0]?.sources, {
    kept: kept.map(({ path }) => emittedPath(path, layout)),
    keptText: (path) => readOutput(out, layoutPath(path, layout)),
    ...(memo !== undefined && { memo }),
  });
  onProgress?.({ kind: "compiled", files: files.length });
  // When the cache has every text, the run has not yielded so far.
  await yieldToSignals();
  const drift = findDrift(files, (path) => readOutput(out, path), previous, scope);
  const interrupted = isInterrupted(out);
  const manifest = nextManifest(previous, files, scope, {
    generator: `acp-codegen ${toolVersion()}`,
    profiles: profileFacts(protocols, options, inputs[0]),
  });
  const printed = (): string => printManifest(markInputs(manifest, previous, digest));
  if (!options.check) {
    if (!options.force) refuseLosses(out, drift, previous);
    const manifestFile = { path: manifestPath, text: printed() };
    writeOutput(out, drift, manifestFile, (done, total) =>
      onProgress?.({ kind: "running", what: "files written", done, total }),
    );
    const causes = otherCompiler(previous, manifest);
    return { ...drift, out, interrupted, foreign: [], causes, edited: [] };
  }
  const foreign = findForeign(out, [manifest]);
  const isSame = isSameTree(manifest, previous);
  if (isSame && drift.write.length + drift.remove.length === 0)
    return { ...drift, out, interrupted, foreign, causes: [], edited: [] };
  const changes = findChanges(previous, drift, (path) => readOutput(out, path));
  const causes = findCauses({ previous, manifest, changes, inputs: digest });
  const checked = { ...drift, out, interrupted, foreign, causes, edited: changes.edited };
  if (isSame) return checked;
  const stale = {
    file: {
      path: manifestPath,
      text: printed(),
      language: "plain",
      profile: "*",
      target: "*",
    },
    exists: readOutput(out, manifestPath) !== undefined,
  } as const;
  // Last, since it says nothing that the others do not say.
  return { ...checked, write: [...drift.write, stale] };
}

/** Builds the model of an input, and reports what the input does not have, or has otherwise than its source. */
function buildInput(
  { bundle, profile, promoted, renamed, allowed, lost, undecided }: Input,
  onProgress: GenerateOptions["onProgress"],
): Protocol {
  const protocol = buildProtocol(bundle, profile);
  for (const text of promoted ?? []) onProgress?.({ kind: "promoted", text });
  if (renamed !== undefined && renamed.size > 0) onProgress?.({ kind: "renamed", names: renamed });
  if (undecided !== undefined && Object.keys(undecided).length > 0)
    onProgress?.({ kind: "undecided", methods: undecided });
  if (allowed !== undefined) onProgress?.({ kind: "allowed", forms: allowed });
  if (lost !== undefined) onProgress?.({ kind: "lost", parts: lost });
  onProgress?.({ kind: "built", protocol });
  return protocol;
}

/** Reports the parts that a language names otherwise than the schema. */
function reportRenames(
  protocols: readonly Protocol[],
  targets: readonly Target[],
  isImported: boolean,
  onProgress: (step: ProgressStep) => void,
): void {
  const hasLanguage = targets.some(({ name }) => LANGUAGES.some((language) => language === name));
  for (const protocol of protocols) {
    const names = hasLanguage ? renamedParts(protocol) : new Map();
    if (names.size > 0) onProgress({ kind: "renamed-parts", names });
  }
  if (!isImported) return;
  for (const { name: target, renames } of targets)
    for (const protocol of protocols) {
      const names = renames?.(protocol) ?? new Map();
      if (names.size > 0) onProgress({ kind: "renamed-in-target", target, names });
    }
}

/**
 * Returns the part of the output that a run is responsible for: its own profiles,
 * and after a run for every named profile also those that no longer exist.
 */
function scopeOf(
  protocols: readonly Protocol[],
  targets: readonly Target[],
  options: GenerateOptions,
  previous: Manifest | undefined,
): OutputScope {
  const made = protocols.map(({ profile }) => profile);
  const isEvery = isNamedSelection(options) && options.profiles === undefined;
  const earlier = isEvery ? namedProfiles(previous) : [];
  return {
    profiles: new Set([...made, ...earlier]),
    targets: new Set(targets.map(({ name }) => name)),
  };
}

/**
 * Refuses a run that would overwrite or remove text that no run has generated: files that the
 * manifest does not list, and files that were changed since they were generated. The manifest is
 * part of the folder, so a file must also agree with the digest there.
 *
 * @throws OutputError naming the files
 */
function refuseLosses(out: string, drift: Drift, previous: Manifest | undefined): void {
  const entries = new Map(previous?.files.map((entry) => [entry.path, entry]));
  const changed = new Set<string>();
  const foreign = new Set<string>();
  const replaced = drift.write.filter(({ exists }) => exists).map(({ file }) => file.path);
  for (const path of [...replaced, ...drift.remove]) {
    const text = readOutput(out, path);
    const entry = entries.get(path);
    if (text === undefined) continue;
    if (entry === undefined) {
      if (!hasHeader(text)) foreign.add(path);
    } else if (changeOf(entry, text) === "edited") changed.add(path);
  }
  if (foreign.size > 0) {
    throw new OutputError(
      `files that acp-codegen has not generated are in the way in ${out}: ${list(foreign)}. ` +
        "Move them, choose another output folder, or overwrite them with --force.",
    );
  }
  if (changed.size > 0) {
    throw new OutputError(
      `files were changed in ${out} since acp-codegen generated them: ${list(changed)}. ` +
        "Copy your changes to another folder, then discard them with --force.",
    );
  }
}

function list(paths: ReadonlySet<string>): string {
  return [...paths].slice(0, 5).join(", ") + (paths.size > 5 ? ", …" : "");
}

/**
 * Returns the facts about each profile that the manifest records: what it was
 * generated from. Custom selections and imported schemas have an `origin`; a run
 * for every named profile is not responsible for them.
 */
function profileFacts(
  protocols: readonly Protocol[],
  options: ResolvedOptions,
  { allowed, lost }: Pick<Input, "allowed" | "lost"> = {},
): { readonly [profile: string]: Json } {
  const { package: named, languages } = packageFacts(options);
  const texts = Object.keys(textPaths(options));
  const entries = protocols.map(({ profile, version, features, upstream }): [string, Json] => [
    profile,
    {
      protocol: version,
      ...(!isNamedSelection(options) && { origin: options.schema ? "import" : "selection" }),
      ...(allowed !== undefined && { allowed: json(allowed) }),
      ...(lost !== undefined && { lost: json(lost) }),
      features: features.map(({ name }) => name),
      upstream: { crate: upstream.crate, release: upstream.release, digests: upstream.digests },
      ...(named !== undefined && { package: json(named) }),
      ...(languages !== undefined && { languages: json(languages) }),
      ...(texts.length > 0 && { texts }),
      ...json(recordedOptions(options)),
    },
  ]);
  return Object.fromEntries(entries);
}

function json(facts: object): { readonly [key: string]: Json } {
  return { ...(facts as { readonly [key: string]: Json }) };
}

/** Returns the named profiles of earlier runs. */
function namedProfiles(manifest: Manifest | undefined): string[] {
  return Object.entries(manifest?.profiles ?? {})
    .filter(([, facts]) => isObject(facts) && facts["origin"] === undefined)
    .map(([name]) => name);
}
