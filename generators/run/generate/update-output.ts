import { compile } from "../../compile.js";
import type { EmitContext, Emitter } from "../../emit/emitter.js";
import { buildProtocol } from "../../model/build/build.js";
import type { Protocol } from "../../model/protocol.js";
import { findDrift, type Drift } from "../../output/drift.js";
import type { VirtualFile } from "../../output/file.js";
import {
  isInScope,
  nextManifest,
  printManifest,
  type Manifest,
  type Scope,
} from "../../output/manifest.js";
import type { Memo } from "../../schema/memo.js";
import { OutputError } from "../../output/output-error.js";
import { isInterrupted, readOutput, recoverOutput, writeOutput } from "../../output/write.js";
import {
  manifestPathOf,
  readManifest,
  SITE_TARGET,
  type GenerateOptions,
  type GenerateResult,
} from "./generate.js";
import { isSameTree, markInputs, type InputDigest } from "./input-digest.js";
import { resolveInputs, type Input } from "../inputs/select-profiles.js";
import { acquireLock } from "./lock.js";
import { namedProfiles, profileFacts, takesNamed } from "./profile-facts.js";
import { openPrintCache } from "./print-cache.js";
import { selectTargets } from "../targets/select-targets.js";
import { hearSignals, onShutdown } from "../../cli/shutdown.js";
import { readTemplates, SCHEMA, toolVersion } from "../installation.js";

/** How long a run waits for others that write to the same folder. */
const LOCK_PATIENCE_MS = 120_000;

/**
 * The long way of `generate`: compiles, compares, writes.
 *
 * @param inputs the digests of the inputs, for the manifest
 * @throws InputError for a mistake in the schema or the options, OutputError when the disk is in the way
 */
export async function generateFiles(
  out: string,
  inputs: InputDigest | undefined,
  options: GenerateOptions,
): Promise<GenerateResult> {
  if (options.targets !== undefined) await selectTargets(options.targets, undefined);
  const cache = options.check ? undefined : openPrintCache(options);
  const sources = resolveInputs(options, options.schema ?? SCHEMA, cache);
  if (options.check) return run(sources, out, inputs, options);
  const unlock = await acquireLock(out, {
    patience: LOCK_PATIENCE_MS,
    onWait: (pid) => options.onProgress?.({ kind: "waiting", pid }),
  });
  const forget = onShutdown(unlock);
  try {
    recoverOutput(out);
    const result = await run(sources, out, inputs, options, cache);
    cache?.save();
    return result;
  } finally {
    forget();
    unlock();
  }
}

async function run(
  sources: readonly Input[],
  out: string,
  inputs: InputDigest | undefined,
  options: GenerateOptions,
  memo?: Memo,
): Promise<GenerateResult> {
  const manifestPath = manifestPathOf(options.targets);
  const previous = readManifest(out, manifestPath);
  const targets = await selectTargets(options.targets, previous);
  const protocols = sources.map(({ bundle, profile }) => {
    const protocol = buildProtocol(bundle, profile);
    options.onProgress?.({ kind: "built", protocol });
    return protocol;
  });
  const scope = scopeOf(protocols, targets, options, previous);
  const kept = (previous?.files ?? []).filter((entry) => !isInScope(entry, scope));
  const version = toolVersion();
  const files = await compile(protocols, targets, {
    ...(await contextOf(options, targets, protocols)),
    kept: kept.map(({ path }) => path),
    ...(memo !== undefined && { memo }),
  });
  options.onProgress?.({ kind: "compiled", files: files.length });
  // Where everything was printed before, nothing has waited so far.
  await hearSignals();
  const drift = findDrift(files, (path) => readOutput(out, path), previous, scope);
  const interrupted = isInterrupted(out);
  const manifest = nextManifest(previous, files, scope, {
    generator: `acp-codegen ${version}`,
    profiles: profileFacts(protocols, options),
  });
  const text = printManifest(markInputs(manifest, previous, inputs));
  if (options.check) {
    const file = {
      path: manifestPath,
      text,
      language: "plain",
      profile: "*",
      target: "*",
    } as const;
    const exists = readOutput(out, manifestPath) !== undefined;
    const stale = isSameTree(manifest, previous) ? [] : [{ file, exists }];
    return { ...drift, write: [...stale, ...drift.write], out, interrupted };
  }
  if (!options.force) refuseForeign(out, drift, previous);
  writeOutput(out, drift, { path: manifestPath, text });
  return { ...drift, out, interrupted };
}

/**
 * Compiles in memory: what a run into an empty folder would write.
 *
 * @returns the files sorted by path
 * @throws InputError for a mistake in the schema or the options
 */
export async function compileProfiles(options: GenerateOptions): Promise<VirtualFile[]> {
  const targets = await selectTargets(options.targets, undefined);
  const sources = resolveInputs(options, options.schema ?? SCHEMA);
  const protocols = sources.map(({ bundle, profile }) => buildProtocol(bundle, profile));
  return compile(protocols, targets, await contextOf(options, targets, protocols));
}

/** What emitters get besides the protocols; more of it when the site is among the targets. */
async function contextOf(
  options: GenerateOptions,
  targets: readonly Emitter[],
  protocols: readonly Protocol[],
): Promise<EmitContext> {
  const templates = readTemplates();
  const version = toolVersion();
  const siteInputs = async (): Promise<Partial<EmitContext>> => {
    const { loadSiteInputs } = await import("../bundles/site-inputs.js");
    return loadSiteInputs(textFolder(options), protocols, templates);
  };
  return {
    templates,
    version,
    ...(targets.some(({ name }) => name === SITE_TARGET) && (await siteInputs())),
    ...(options.package !== undefined && { package: options.package }),
    ...(options.header !== undefined && { header: options.header }),
  };
}

/** Our texts belong to our schema; one that is imported may have none of what they speak of. */
function textFolder({ schemaFile, schema }: GenerateOptions): string | undefined {
  return schemaFile === undefined ? (schema ?? SCHEMA) : undefined;
}

/**
 * What a run is responsible for: the profiles that it makes, and when it was
 * asked for every named profile also those that do not exist any more.
 */
function scopeOf(
  protocols: readonly Protocol[],
  targets: readonly Emitter[],
  options: GenerateOptions,
  previous: Manifest | undefined,
): Scope {
  const made = protocols.map(({ profile }) => profile);
  const takesAll = takesNamed(options) && options.profiles === undefined;
  const vanished = takesAll ? namedProfiles(previous) : [];
  return {
    profiles: new Set([...made, ...vanished]),
    targets: new Set(targets.map(({ name }) => name)),
  };
}

/** A file that no run has made is the user's, until they say otherwise. */
function refuseForeign(out: string, { write }: Drift, previous: Manifest | undefined): void {
  const ours = new Set(previous?.files.map(({ path }) => path));
  const foreign = write
    .filter(({ file, exists }) => exists && !ours.has(file.path))
    .map(({ file }) => file.path)
    .filter((path) => !readOutput(out, path)?.includes("Generated by acp-codegen"));
  if (foreign.length === 0) return;
  const shown = foreign.slice(0, 5).join(", ") + (foreign.length > 5 ? ", …" : "");
  throw new OutputError(
    `files in ${out} are in the way that acp-codegen has not made: ${shown}. ` +
      "Move them, choose another output folder, or overwrite them with --force.",
  );
}
