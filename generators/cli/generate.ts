import { join, resolve } from "node:path";
import { compile } from "../compile.js";
import type { Emitter, PackageFacts } from "../emit/emitter.js";
import { buildProtocol } from "../model/build.js";
import type { Protocol } from "../model/protocol.js";
import { findDrift, type Drift } from "../output/drift.js";
import {
  isInScope,
  nextManifest,
  parseManifest,
  printManifest,
  type Manifest,
  type Scope,
} from "../output/manifest.js";
import { OutputError } from "../output/output-error.js";
import { isInterrupted, readOutput, recoverOutput, writeOutput } from "../output/write.js";
import { resolveInputs, type Input, type InputOptions } from "./inputs.js";
import { acquireLock } from "./lock.js";
import { namedProfiles, profileFacts, takesNamed } from "./profile-facts.js";
import { selectTargets, SITE_TARGET } from "./select-targets.js";
import { onShutdown } from "./shutdown.js";
import { loadSiteInputs } from "./site-inputs.js";
import { readTemplates, SCHEMA, toolVersion } from "./tool.js";

export interface GenerateOptions extends InputOptions {
  /** Targets by name; all but the documentation when absent. */
  readonly targets?: readonly string[];
  /** The output folder; `out` when absent. */
  readonly out?: string;
  /** What the package's manifest says, e.g. a name of one's own. */
  readonly package?: PackageFacts;
  /** Lines to put at the top of generated TypeScript and Markdown. */
  readonly header?: readonly string[];
  /** Compare only, write nothing. */
  readonly check?: boolean;
  /** Overwrite files that are in the way although no run has made them. */
  readonly force?: boolean;
  /** The folder with the canonical schema; the one that comes with the tool when absent. */
  readonly schema?: string;
  /** Told about each step. */
  readonly onProgress?: (step: Step) => void;
}

/** Something that a run has done. */
export type Step =
  | { readonly kind: "waiting"; readonly pid: number }
  | { readonly kind: "built"; readonly protocol: Protocol }
  | { readonly kind: "compiled"; readonly files: number };

export interface GenerateResult extends Drift {
  /** The output folder. */
  readonly out: string;
  /** Whether an earlier run was killed while it moved files; the next run that writes completes it. */
  readonly interrupted: boolean;
}

/** How long a run waits for others that write to the same folder. */
const LOCK_PATIENCE_MS = 120_000;

/**
 * Composes the profiles, compiles the targets and brings the output folder up
 * to date, or with `check` only compares.
 *
 * @returns what differed; after a run without `check` nothing differs any more
 * @throws InputError for a mistake in the schema or the options, OutputError when the disk is in the way
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  const out = resolve(options.out ?? "out");
  if (options.targets !== undefined) selectTargets(options.targets, undefined);
  const inputs = resolveInputs(options, options.schema ?? SCHEMA);
  if (options.check) return run(inputs, out, options);
  const unlock = await acquireLock(out, {
    patience: LOCK_PATIENCE_MS,
    onWait: (pid) => options.onProgress?.({ kind: "waiting", pid }),
  });
  const forget = onShutdown(unlock);
  try {
    recoverOutput(out);
    return await run(inputs, out, options);
  } finally {
    forget();
    unlock();
  }
}

async function run(
  inputs: readonly Input[],
  out: string,
  options: GenerateOptions,
): Promise<GenerateResult> {
  const manifestPath = manifestPathOf(options.targets);
  const previousText = readOutput(out, manifestPath);
  const previous = previousText === undefined ? undefined : parseManifest(previousText);
  const targets = selectTargets(options.targets, previous);
  const protocols = inputs.map(({ bundle, profile }) => {
    const protocol = buildProtocol(bundle, profile);
    options.onProgress?.({ kind: "built", protocol });
    return protocol;
  });
  const scope = scopeOf(protocols, targets, options, previous);
  const kept = (previous?.files ?? []).filter((entry) => !isInScope(entry, scope));
  const version = toolVersion();
  const templates = readTemplates();
  const hasSite = targets.some(({ name }) => name === SITE_TARGET);
  const files = await compile(protocols, targets, {
    templates,
    version,
    ...(hasSite && (await loadSiteInputs(textFolder(options), protocols, templates, version))),
    ...(options.package !== undefined && { package: options.package }),
    ...(options.header !== undefined && { header: options.header }),
    kept: kept.map(({ path }) => path),
  });
  options.onProgress?.({ kind: "compiled", files: files.length });
  const drift = findDrift(files, (path) => readOutput(out, path), previous, scope);
  const interrupted = isInterrupted(out);
  if (!options.check) {
    if (!options.force) refuseForeign(out, drift, previous);
    const manifest = nextManifest(previous, files, scope, {
      generator: `acp-codegen ${version}`,
      profiles: profileFacts(protocols, options),
    });
    writeOutput(out, drift, { path: manifestPath, text: printManifest(manifest) });
  }
  return { ...drift, out, interrupted };
}

/** Our texts belong to our schema; one that is imported may have none of what they speak of. */
function textFolder({ schemaFile, schema }: GenerateOptions): string | undefined {
  return schemaFile === undefined ? (schema ?? SCHEMA) : undefined;
}

/** The manifest that lists what a run makes; the site has its own. */
export function manifestPathOf(targets: readonly string[] | undefined): string {
  const isSite = targets?.length === 1 && targets[0] === SITE_TARGET;
  return join(isSite ? "site" : "", "acp-codegen.manifest.json");
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
