import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../compile.js";
import type { Emitter } from "../emit/emitter.js";
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
import { readOutput, recoverOutput, writeOutput } from "../output/write.js";
import type { Json } from "../schema/json.js";
import { TARGETS } from "../targets.js";
import { resolveInputs, type InputOptions } from "./inputs.js";
import { loadSiteInputs } from "./site-inputs.js";
import { unknownName } from "./usage.js";

export interface GenerateOptions extends InputOptions {
  /** Targets by name; all but the documentation when absent. */
  readonly targets?: readonly string[];
  /** The output folder; `out` when absent. */
  readonly out?: string;
  /** Compare only, write nothing. */
  readonly check?: boolean;
  /** The folder with the canonical schema; the one that comes with the tool when absent. */
  readonly schema?: string;
  /** Told about each step. */
  readonly onProgress?: (step: Step) => void;
}

/** Something that a run has done. */
export type Step =
  | { readonly kind: "built"; readonly protocol: Protocol }
  | { readonly kind: "compiled"; readonly files: number };

export interface GenerateResult extends Drift {
  /** The output folder. */
  readonly out: string;
}

/** The folder that holds `schema/`, `templates/` and the package manifest; two above this file. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The canonical schema that comes with the tool. */
export const SCHEMA = join(ROOT, "schema");
const MANIFEST = "acp-codegen.manifest.json";
/** The documentation is a build product: it is made by `docs`, and its manifest stands beside it. */
const SITE_TARGET = "docs";

/**
 * Composes the profiles, compiles the targets and brings the output folder up
 * to date, or with `check` only compares.
 *
 * @returns what differed; after a run without `check` nothing differs any more
 * @throws InputError for a mistake in the schema or the options, OutputError when the disk is in the way
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  const out = resolve(options.out ?? "out");
  const targets = selectTargets(options.targets);
  const protocols = resolveInputs(options, options.schema ?? SCHEMA).map(({ bundle, profile }) => {
    const protocol = buildProtocol(bundle, profile);
    options.onProgress?.({ kind: "built", protocol });
    return protocol;
  });
  if (!options.check) recoverOutput(out);
  const isSite = targets.every(({ name }) => name === SITE_TARGET);
  const manifestPath = isSite ? `site/${MANIFEST}` : MANIFEST;
  const previousText = readOutput(out, manifestPath);
  const previous = previousText === undefined ? undefined : parseManifest(previousText);
  const scope: Scope = {
    profiles: new Set(protocols.map(({ profile }) => profile)),
    targets: new Set(targets.map(({ name }) => name)),
  };
  const kept = (previous?.files ?? []).filter((entry) => !isInScope(entry, scope));
  const version = toolVersion();
  const templates = readTemplates();
  const hasSite = targets.some(({ name }) => name === SITE_TARGET);
  const files = await compile(protocols, targets, {
    templates,
    version,
    ...(hasSite && (await loadSiteInputs(textFolder(options), protocols, templates, version))),
    kept: kept.map(({ path }) => path),
  });
  options.onProgress?.({ kind: "compiled", files: files.length });
  const drift = findDrift(files, (path) => readOutput(out, path), previous, scope);
  if (!options.check) {
    const manifest = nextManifest(previous, files, scope, manifestFacts(protocols, version));
    writeOutput(out, drift, { path: manifestPath, text: printManifest(manifest) });
  }
  return { ...drift, out };
}

/** Our texts belong to our schema; one that is imported may have none of what they speak of. */
function textFolder({ schemaFile, schema }: GenerateOptions): string | undefined {
  return schemaFile === undefined ? (schema ?? SCHEMA) : undefined;
}

function selectTargets(names: readonly string[] | undefined): Emitter[] {
  if (names === undefined) return TARGETS.filter(({ onRequest }) => !onRequest);
  const chosen = new Set<string>();
  const add = (name: string): void => {
    const target = TARGETS.find((candidate) => candidate.name === name);
    if (target === undefined)
      throw unknownName(
        "target",
        name,
        TARGETS.map((known) => known.name),
      );
    chosen.add(name);
    target.requires?.forEach(add);
  };
  names.forEach(add);
  return TARGETS.filter(({ name }) => chosen.has(name));
}

function manifestFacts(
  protocols: readonly Protocol[],
  version: string,
): Pick<Manifest, "generator" | "profiles"> {
  const facts = protocols.map((protocol): [string, Json] => [
    protocol.profile,
    {
      protocol: protocol.version,
      features: protocol.features.map(({ name }) => name),
      upstream: { package: protocol.upstream.package, release: protocol.upstream.release },
    },
  ]);
  return { generator: `acp-codegen ${version}`, profiles: Object.fromEntries(facts) };
}

/** The text of every file below `templates/`, by its path there. */
export function readTemplates(): ReadonlyMap<string, string> {
  const folder = join(ROOT, "templates");
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths
      .sort()
      .map((path) => [
        path.slice(folder.length + 1).replaceAll("\\", "/"),
        readFileSync(path, "utf8"),
      ]),
  );
}

/** The version in the tool's own package manifest. */
export function toolVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string })
    .version;
}
