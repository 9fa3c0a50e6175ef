import { join, resolve } from "node:path";
import { findDamage } from "../output/integrity.js";
import {
  MANIFEST_FILE,
  parseManifest,
  type Manifest,
  type ManifestEntry,
} from "../output/manifest.js";
import { isInterrupted, readOutput } from "../output/disk/write.js";
import { isObject, type JsonObject } from "../schema/json-schema/json.js";
import { loadFeature } from "../schema/source/load-sources.js";
import { InputError } from "../schema/problem.js";
import { isBuiltIn } from "../targets.js";
import { findForeign } from "./generate/foreign-files.js";
import { generate } from "./generate/generate.js";
import { inputDigest, isSameTree } from "./generate/input-digest.js";
import { readManifest, SITE_TARGET } from "./generate/manifest-file.js";
import { requireFile } from "./inputs/input-files.js";
import { SCHEMA, toolVersion } from "./installation.js";
import { usageError } from "./messages.js";
import type { GenerateOptions } from "./options.js";
import { loadTarget } from "./targets/load-target.js";

/** A difference between an output folder and its manifest. */
export interface Finding {
  /** The file it is about, relative to the folder. */
  readonly path?: string;
  readonly message: string;
}

export interface Verified {
  /** The number of checked files. */
  readonly files: number;
  /** The profiles that were generated again and compared. */
  readonly rebuilt: readonly string[];
  readonly findings: readonly Finding[];
  /** Files in generated folders that no run has generated. They are not findings. */
  readonly foreign: readonly string[];
}

/** Inputs that the manifest names, but does not contain. */
export interface VerifyOptions extends Pick<
  GenerateOptions,
  "schemaDirectory" | "schema" | "meta" | "with" | "targets"
> {
  /** Compare with the manifest only; do not generate anything. */
  readonly quick?: boolean;
}

/**
 * Verifies that an output folder is whole and came from the inputs that its manifest
 * names: everything is generated again in memory and compared.
 *
 * @param folder an output folder of `generate`
 * @returns the findings; empty when the folder matches its manifest
 * @throws InputError when the folder has no manifest
 */
export async function verify(folder: string, options: VerifyOptions = {}): Promise<Verified> {
  const out = resolve(folder);
  const [manifest, site] = ["", "site"].map((subfolder) =>
    readManifest(out, join(subfolder, MANIFEST_FILE)),
  );
  const manifests = [manifest, site].filter((one) => one !== undefined);
  if (manifests.length === 0) {
    throw usageError(`${folder} does not contain a manifest`, "Name an output folder of generate.");
  }
  const findings: Finding[] = isInterrupted(out)
    ? [{ message: "a run was killed while it moved files; the next run completes it" }]
    : [];
  findings.push(...manifests.flatMap((one) => damage(one, out)));
  const files = manifests.reduce((sum, one) => sum + one.files.length, 0);
  const foreign = findForeign(out, manifests);
  if (options.quick || manifest === undefined) return { files, rebuilt: [], findings, foreign };
  const generator = `acp-codegen ${toolVersion()}`;
  if (manifest.generator !== generator) {
    findings.push({
      path: MANIFEST_FILE,
      message: `made by ${manifest.generator}, so ${generator} cannot generate it again; use that version`,
    });
    return { files, rebuilt: [], findings, foreign };
  }
  const { schemaDirectory } = options;
  const sources = inputDigest({
    ...(schemaDirectory !== undefined && { schemaDirectory }),
  })?.sources;
  const named = manifest.inputs?.sources;
  if (named !== undefined && sources !== undefined && named !== sources) {
    findings.push({
      path: MANIFEST_FILE,
      message: "was generated from sources other than those of this installation",
    });
  }
  const own = await loadOwn(options);
  const results: Rebuilt[] = [];
  for (const [profile, facts] of Object.entries(manifest.profiles)) {
    results.push(await rebuild(profile, facts as JsonObject, manifest, out, { ...options, own }));
  }
  const compared = withoutOtherRuns(results, manifest);
  findings.push(...compared.flatMap((one) => one.findings));
  const rebuilt = compared.filter((one) => one.findings.length === 0).map(({ profile }) => profile);
  return { files, rebuilt, findings: unique(findings), foreign };
}

function damage(manifest: Manifest, out: string): Finding[] {
  return findDamage(manifest, (path) => readOutput(out, path)).map(({ path, kind }) => ({
    path,
    message: kind === "missing" ? "is missing" : "differs from the manifest",
  }));
}

/** The paths of the user's inputs, by the names that the manifest has for them. */
interface OwnInputs {
  readonly features: ReadonlyMap<string, string>;
  readonly targets: ReadonlyMap<string, string>;
}

async function loadOwn(options: VerifyOptions): Promise<OwnInputs> {
  const { with: features = [], targets = [], schemaDirectory = SCHEMA } = options;
  const loaded = await Promise.all(targets.map((path) => loadTarget(path, new Map())));
  const nameOf = (file: string): string =>
    loadFeature(requireFile(file), schemaDirectory, process.cwd()).name;
  return {
    features: new Map(features.map((file) => [nameOf(file), file])),
    targets: new Map(loaded.map(({ name, file }) => [name, file])),
  };
}

/** The comparison of a folder with one profile that was generated again. */
interface Rebuilt {
  readonly profile: string;
  readonly findings: readonly Finding[];
  /** The manifest of the comparison; undefined when generating failed. */
  readonly manifest?: Manifest;
}

/**
 * Leaves out the findings about files that profiles share when another profile gives
 * exactly these files, or could not be generated: they have the header and the package of
 * the run that wrote them last.
 */
function withoutOtherRuns(results: readonly Rebuilt[], manifest: Manifest): readonly Rebuilt[] {
  const isGiven = ({ path, profile }: ManifestEntry): boolean =>
    profile === "*" &&
    results.some(
      ({ manifest, findings }) =>
        manifest === undefined || findings.every((finding) => finding.path !== path),
    );
  const given = new Set(manifest.files.filter(isGiven).map(({ path }) => path));
  const withoutGiven = (one: Manifest): Manifest => ({
    ...one,
    files: one.files.filter(({ path }) => !given.has(path)),
  });
  return results.map((result) => {
    const isSame =
      result.manifest !== undefined &&
      isSameTree(withoutGiven(result.manifest), withoutGiven(manifest));
    const findings = result.findings.filter(
      ({ path = "" }) => !given.has(path) && !(isSame && path === MANIFEST_FILE),
    );
    return { ...result, findings };
  });
}

/** Generates one profile again from the facts in the manifest, and compares. */
async function rebuild(
  profile: string,
  facts: JsonObject,
  manifest: Manifest,
  out: string,
  options: VerifyOptions & { readonly own: OwnInputs },
): Promise<Rebuilt> {
  const failed = (message: string): Rebuilt => ({ profile, findings: [{ message }] });
  if (facts["origin"] === "import" && options.schema === undefined) {
    return failed(`${profile} was generated from an imported schema; add --schema`);
  }
  const targets = new Set(
    manifest.files
      .filter((entry) => entry.profile === profile || entry.profile === "*")
      .map(({ target }) => target),
  );
  targets.delete(SITE_TARGET);
  const unknown = [...targets].find((name) => !isBuiltIn(name) && !options.own.targets.has(name));
  if (unknown !== undefined) {
    return failed(`${profile} has files of the target "${unknown}"; add its path with --target`);
  }
  const {
    package: named,
    header,
    layout,
  } = facts as Pick<GenerateOptions, "package" | "header" | "layout">;
  try {
    const { write, remove } = await generate({
      out,
      check: true,
      targets: [...targets].map((name) => options.own.targets.get(name) ?? name),
      ...selectionOf(profile, facts, options),
      ...(isObject(named) && { package: named }),
      ...(Array.isArray(header) && { header }),
      ...(layout === "flat" && { layout }),
      ...(options.schemaDirectory !== undefined && { schemaDirectory: options.schemaDirectory }),
    });
    const stale = write.find(({ file: { path } }) => path === MANIFEST_FILE)?.file.text;
    const findings = [
      ...write.map(({ file: { path } }) => ({
        path,
        message: `differs from the output for ${profile}`,
      })),
      ...remove.map((path) => ({ path, message: `is not part of the output for ${profile}` })),
    ];
    return {
      profile,
      findings,
      manifest: (stale === undefined ? undefined : parseManifest(stale)) ?? manifest,
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const hint = facts["origin"] === "selection" ? "; add custom features with --with" : "";
    return failed(`${profile} cannot be generated again: ${error.problems[0]!.message}${hint}`);
  }
}

function selectionOf(
  profile: string,
  facts: JsonObject,
  { schema, meta, own }: VerifyOptions & { readonly own: OwnInputs },
): GenerateOptions {
  const protocol = String(facts["protocol"]);
  switch (facts["origin"]) {
    case undefined:
      return { profiles: [profile] };
    case "import":
      return {
        name: profile,
        ...(schema !== undefined && { schema }),
        ...(meta === undefined ? { protocol } : { meta }),
      };
    default: {
      const features = facts["features"] as readonly string[];
      return {
        protocol,
        with: features.map((name) => own.features.get(name) ?? name),
        name: profile,
      };
    }
  }
}

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
