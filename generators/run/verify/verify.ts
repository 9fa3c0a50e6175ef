import { findDamage } from "../../output/integrity.js";
import { basename, join, resolve } from "node:path";
import { MANIFEST_FILE, type Manifest, type ManifestEntry } from "../../output/manifest.js";
import { refuseLeadingOut } from "../../output/disk/obstacles.js";
import { isInterrupted, readOutput } from "../../output/disk/write.js";
import { findForeign } from "../generate/foreign-files.js";
import { inputDigest, isSameTree } from "../generate/input-digest.js";
import { InputError } from "../../schema/problem.js";
import { readManifest } from "../generate/manifest-file.js";
import { SITE_TARGET } from "../site-target.js";
import { resolveOptions } from "../defaults.js";
import { SCHEMA, toolVersion } from "../installation.js";
import { displayPath, usageError } from "../messages.js";
import { checkFacts } from "./check-facts.js";
import {
  loadOwn,
  rebuild,
  type OutputFinding,
  type Rebuilt,
  type VerifyOptions,
} from "./rebuild.js";

export type { OutputFinding, VerifyOptions } from "./rebuild.js";

export interface Verified {
  /** The number of checked files. */
  readonly files: number;
  /** The profiles that were generated again and compared. */
  readonly rebuilt: readonly string[];
  readonly findings: readonly OutputFinding[];
  /** Files in generated folders that no run has generated. They are not findings. */
  readonly foreign: readonly string[];
}

/**
 * Verifies that an output folder is complete and matches the inputs that its manifest
 * names: everything is generated again in memory and compared.
 *
 * @param folder an output folder of `generate`
 * @returns the findings; empty when the folder matches its manifest
 * @throws InputError when the folder has no manifest, or one that cannot be from a run; OutputError for a
 *   folder that a link in the working folder leads out to
 */
export async function verify(folder: string, options: VerifyOptions = {}): Promise<Verified> {
  const out = resolve(folder);
  refuseLeadingOut(process.cwd(), out);
  const paths = ["", "site"].map((subfolder) => join(subfolder, MANIFEST_FILE));
  const read = paths.map((path) => readManifest(out, path));
  const damaged = paths.find(
    (path, index) => read[index] === undefined && readOutput(out, path) !== undefined,
  );
  if (damaged !== undefined) {
    const file = displayPath(join(out, damaged));
    const hint = "Restore the file, or generate again.";
    throw new InputError([{ file, message: "is not a manifest of acp-codegen", hint }]);
  }
  const [manifest, site] = read;
  if (manifest !== undefined && isSite(manifest) && basename(out) === "site")
    throw usageError(`${folder} is the site of an output folder`, "Name the folder above it.");
  const manifests = [manifest, site].filter((one) => one !== undefined);
  if (manifests.length === 0) {
    throw usageError(
      `${folder} has no ${MANIFEST_FILE}`,
      "Pass a folder that acp-codegen generate wrote.",
    );
  }
  const findings: OutputFinding[] = isInterrupted(out)
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
  const { schemaDirectory = SCHEMA } = options;
  const sources = inputDigest(resolveOptions({ schemaDirectory }))?.sources;
  const named = manifest.inputs?.sources;
  if (named !== undefined && sources !== undefined && named !== sources) {
    findings.push({
      path: MANIFEST_FILE,
      message: "was generated from sources other than those of this installation",
    });
  }
  const facts = checkFacts(manifest, displayPath(join(out, MANIFEST_FILE)));
  const own = await loadOwn(options);
  const results: Rebuilt[] = [];
  const pairs = new Set(manifest.files.map(({ profile }) => profile));
  for (const profile of facts.keys()) pairs.delete(profile);
  pairs.delete("*");
  for (const profile of [...facts.keys(), ...pairs]) {
    const first = facts.get(profile.split("+")[0]!)!;
    results.push(await rebuild(profile, first, manifest, out, { ...options, own }));
  }
  const compared = withoutOtherRuns(results, manifest);
  findings.push(...compared.flatMap((one) => one.findings));
  const rebuilt = compared.filter((one) => one.findings.length === 0).map(({ profile }) => profile);
  return { files, rebuilt, findings: unique(findings), foreign };
}

/** Returns whether a manifest is that of a site, whose files lie below `site` of the output folder. */
function isSite({ files }: Manifest): boolean {
  return files.length > 0 && files.every(({ target }) => target === SITE_TARGET);
}

function damage(manifest: Manifest, out: string): OutputFinding[] {
  return findDamage(manifest, (path) => readOutput(out, path)).map(({ path, kind }) => ({
    path,
    message: kind === "missing" ? "is missing" : "differs from the manifest",
  }));
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

function unique(findings: readonly OutputFinding[]): OutputFinding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
