import { join, resolve } from "node:path";
import { findDamage } from "../output/integrity.js";
import { MANIFEST_FILE, type Manifest } from "../output/manifest.js";
import { isInterrupted, readOutput } from "../output/write.js";
import { isObject, type JsonObject } from "../schema/json.js";
import { InputError } from "../schema/problem.js";
import { generate, readManifest, SITE_TARGET, type GenerateOptions } from "./generate.js";
import { inputDigest } from "./input-digest.js";
import { toolVersion } from "./tool.js";
import { usageError } from "./usage.js";

/** What speaks against an output folder. */
export interface Finding {
  /** The file it is about, relative to the folder. */
  readonly path?: string;
  readonly message: string;
}

export interface Verified {
  /** How many files were looked at. */
  readonly files: number;
  /** The profiles that were made anew and compared. */
  readonly rebuilt: readonly string[];
  readonly findings: readonly Finding[];
}

export interface VerifyOptions {
  /** Compare with the manifest only; do not make anything anew. */
  readonly quick?: boolean;
  /** The folder with the canonical schema; the one that comes with the tool when absent. */
  readonly schema?: string;
}

/**
 * Looks whether an output folder is whole, and whether it came from the inputs
 * that its manifest names: everything is made anew from them, in memory, and
 * compared.
 *
 * @param folder what `generate` has written
 * @returns what speaks against it; it is good when there are no findings
 * @throws InputError when the folder has no manifest
 */
export async function verify(folder: string, options: VerifyOptions = {}): Promise<Verified> {
  const out = resolve(folder);
  const manifest = readManifest(out, MANIFEST_FILE);
  if (manifest === undefined) {
    throw usageError(
      `there is no manifest in ${folder}`,
      "Name a folder that generate has written.",
    );
  }
  const findings: Finding[] = isInterrupted(out)
    ? [{ message: "a run was killed while it moved files; the next one completes it" }]
    : [];
  let files = 0;
  for (const place of ["", "site"]) {
    const listed = readManifest(out, join(place, MANIFEST_FILE));
    files += listed?.files.length ?? 0;
    findings.push(...(listed === undefined ? [] : damage(listed, out)));
  }
  if (options.quick) return { files, rebuilt: [], findings };
  const own = `acp-codegen ${toolVersion()}`;
  if (manifest.generator !== own) {
    findings.push({
      path: MANIFEST_FILE,
      message: `made by ${manifest.generator}, so ${own} cannot make it anew; use that version`,
    });
    return { files, rebuilt: [], findings };
  }
  const sources = inputDigest(options)?.sources;
  const named = manifest.inputs?.sources;
  if (named !== undefined && sources !== undefined && named !== sources) {
    findings.push({ path: MANIFEST_FILE, message: "names other sources than those that are here" });
  }
  const rebuilt: string[] = [];
  for (const [profile, facts] of Object.entries(manifest.profiles)) {
    const found = await rebuild(profile, facts as JsonObject, manifest, out, options);
    if (found.length === 0) rebuilt.push(profile);
    findings.push(...found);
  }
  return { files, rebuilt, findings: unique(findings) };
}

function damage(manifest: Manifest, out: string): Finding[] {
  return findDamage(manifest, (path) => readOutput(out, path)).map(({ path, kind }) => ({
    path,
    message: kind === "missing" ? "is missing" : "is not what the manifest says",
  }));
}

/** Makes one profile anew from what the manifest says of it, and compares. */
async function rebuild(
  profile: string,
  facts: JsonObject,
  manifest: Manifest,
  out: string,
  { schema }: VerifyOptions,
): Promise<Finding[]> {
  if (facts["origin"] === "import") {
    return [{ message: `${profile} was made from an imported schema, which is not here` }];
  }
  const targets = new Set(
    manifest.files
      .filter((entry) => entry.profile === profile || entry.profile === "*")
      .map(({ target }) => target),
  );
  targets.delete(SITE_TARGET);
  const { package: named, header } = facts as Pick<GenerateOptions, "package" | "header">;
  try {
    const { write, remove } = await generate({
      out,
      check: true,
      targets: [...targets],
      ...selectionOf(profile, facts),
      ...(isObject(named) && { package: named }),
      ...(Array.isArray(header) && { header }),
      ...(schema !== undefined && { schema }),
    });
    return [
      ...write.map(({ file: { path } }) => ({ path, message: `is not what ${profile} gives` })),
      ...remove.map((path) => ({ path, message: `is not part of ${profile}` })),
    ];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [{ message: `${profile} cannot be made anew: ${error.problems[0]!.message}` }];
  }
}

function selectionOf(profile: string, facts: JsonObject): GenerateOptions {
  if (facts["origin"] === undefined) return { profiles: [profile] };
  return {
    protocol: String(facts["protocol"]),
    with: facts["features"] as readonly string[],
    name: profile,
  };
}

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** The result for people. */
export function printVerified({ files, rebuilt, findings }: Verified, folder: string): string {
  const rows = findings.map(({ path, message }) =>
    path === undefined ? `  ${message}` : `  ${path} ${message}`,
  );
  if (rows.length > 0) return [`${folder} does not hold what it says:`, ...rows].join("\n");
  const proof =
    rebuilt.length > 0 ? `; made anew and the same: ${rebuilt.join(", ")}` : " (manifest only)";
  return `${folder} is whole: ${files} files${proof}`;
}
