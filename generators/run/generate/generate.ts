import { join, resolve } from "node:path";
import type { PackageFacts } from "../../emit/emitter.js";
import type { Protocol } from "../../model/protocol.js";
import type { Drift } from "../../output/drift.js";
import { findDamage } from "../../output/integrity.js";
import { MANIFEST_FILE, parseManifest, type Manifest } from "../../output/manifest.js";
import { isInterrupted, readOutput } from "../../output/write.js";
import { inputDigest, isFrom, type InputDigest } from "./input-digest.js";
import type { InputOptions } from "../inputs/select-profiles.js";

/** The documentation is a build product: it is made by `docs`, and its manifest stands beside it. */
export const SITE_TARGET = "docs";

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

/**
 * Composes the profiles, compiles the targets and brings the output folder up
 * to date, or with `check` only compares. When the manifest says that the same
 * inputs have made what is there, that is all: nothing heavy is even imported.
 *
 * @returns what differed; after a run without `check` nothing differs any more
 * @throws InputError for a mistake in the schema or the options, OutputError when the disk is in the way
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  const out = resolve(options.out ?? "out");
  const inputs = inputDigest(options);
  if (inputs !== undefined && !options.check) {
    const files = findUpToDate(out, inputs, options);
    if (files !== undefined) {
      return { out, write: [], remove: [], unchanged: files, interrupted: false };
    }
  }
  const { generateFiles } = await import("./update-output.js");
  return generateFiles(out, inputs, options);
}

/**
 * How many files there are when all of them are what these inputs give. A check
 * does not take the manifest's word for it: it compares.
 */
function findUpToDate(
  out: string,
  inputs: InputDigest,
  options: GenerateOptions,
): number | undefined {
  const manifest = readManifest(out, manifestPathOf(options.targets));
  if (manifest === undefined || !isFrom(manifest, inputs) || isInterrupted(out)) return undefined;
  const isWhole = findDamage(manifest, (path) => readOutput(out, path)).length === 0;
  return isWhole ? manifest.files.length : undefined;
}

/** The manifest of an output folder; nothing when there is none that can be read. */
export function readManifest(out: string, path: string): Manifest | undefined {
  const text = readOutput(out, path);
  return text === undefined ? undefined : parseManifest(text);
}

/** The manifest that lists what a run makes; the site has its own. */
export function manifestPathOf(targets: readonly string[] | undefined): string {
  const isSite = targets?.length === 1 && targets[0] === SITE_TARGET;
  return join(isSite ? "site" : "", MANIFEST_FILE);
}
