import type { Target } from "../../emit/emitter.js";
import { buildProtocol } from "../../model/build/build.js";
import type { Protocol } from "../../model/protocol.js";
import { findDrift } from "../../output/drift.js";
import { emittedPath, layoutPath } from "../../output/layout.js";
import {
  isInScope,
  nextManifest,
  printManifest,
  type Manifest,
  type Scope,
} from "../../output/manifest.js";
import { isInterrupted, readOutput, recoverOutput, writeOutput } from "../../output/disk/write.js";
import type { Memo } from "../../schema/memo.js";
import type { Input } from "../inputs/input.js";
import { resolveInputs } from "../inputs/select-profiles.js";
import { SCHEMA, toolVersion } from "../installation.js";
import type { GenerateOptions } from "../options.js";
import { selectTargets } from "../targets/select-targets.js";
import { onShutdown, yieldToSignals } from "./cleanup.js";
import { compileTargets } from "./compile-profiles.js";
import { findForeign } from "./foreign-files.js";
import type { GenerateResult } from "./generate-result.js";
import { inputDigest, isSameTree, markInputs } from "./input-digest.js";
import { acquireLock } from "./lock.js";
import { manifestPathOf, readManifest } from "./manifest-file.js";
import { refuseLosses } from "./refuse-losses.js";
import { openPrintCache } from "./print-cache.js";
import { isNamedSelection, namedProfiles, profileFacts } from "./profile-facts.js";

/** How long a run waits for others that write to the same folder. */
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Compiles, compares, and unless `check` is set writes.
 *
 * @param out the output folder, absolute
 * @throws InputError for an error in the schema or the options, OutputError when writing fails
 */
export async function updateOutput(out: string, options: GenerateOptions): Promise<GenerateResult> {
  // Wrong targets are reported before anything is composed.
  const named =
    options.targets &&
    (await selectTargets(options.targets, readManifest(out, manifestPathOf(options.targets))));
  const cache = options.check ? undefined : openPrintCache(options);
  const inputs = resolveInputs(options, options.schemaDirectory ?? SCHEMA, cache);
  if (options.check) return run(inputs, named, out, options);
  const unlock = await acquireLock(out, {
    timeoutMs: LOCK_TIMEOUT_MS,
    onWait: (lock) => options.onProgress?.({ kind: "waiting", ...lock }),
  });
  const forget = onShutdown(unlock);
  try {
    recoverOutput(out);
    const result = await run(inputs, named, out, options, cache);
    cache?.save();
    return result;
  } finally {
    forget();
    unlock();
  }
}

async function run(
  inputs: readonly Input[],
  named: readonly Target[] | undefined,
  out: string,
  options: GenerateOptions,
  memo?: Memo,
): Promise<GenerateResult> {
  const { targets: names, layout = "package", onProgress } = options;
  const manifestPath = manifestPathOf(names);
  const previous = readManifest(out, manifestPath);
  const targets = named ?? (await selectTargets(undefined, previous));
  const protocols = inputs.map(({ bundle, profile }) => {
    const protocol = buildProtocol(bundle, profile);
    onProgress?.({ kind: "built", protocol });
    return protocol;
  });
  const scope = scopeOf(protocols, targets, options, previous);
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
    profiles: profileFacts(protocols, options),
  });
  const printed = (): string => printManifest(markInputs(manifest, previous, inputDigest(options)));
  if (!options.check) {
    if (!options.force) refuseLosses(out, drift, previous);
    writeOutput(out, drift, { path: manifestPath, text: printed() });
    return { ...drift, out, interrupted, foreign: [] };
  }
  const foreign = findForeign(out, [manifest]);
  if (isSameTree(manifest, previous)) return { ...drift, out, interrupted, foreign };
  const stale = {
    file: { path: manifestPath, text: printed(), language: "plain", profile: "*", target: "*" },
    exists: readOutput(out, manifestPath) !== undefined,
  } as const;
  return { ...drift, write: [stale, ...drift.write], out, interrupted, foreign };
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
): Scope {
  const made = protocols.map(({ profile }) => profile);
  const isEvery = isNamedSelection(options) && options.profiles === undefined;
  const earlier = isEvery ? namedProfiles(previous) : [];
  return {
    profiles: new Set([...made, ...earlier]),
    targets: new Set(targets.map(({ name }) => name)),
  };
}
