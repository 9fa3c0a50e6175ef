import { join, resolve } from "node:path";
import { findDamage } from "../output/integrity.js";
import { MANIFEST_FILE, type Manifest } from "../output/manifest.js";
import { isInterrupted, readOutput } from "../output/write.js";
import { isObject, type JsonObject } from "../schema/json-schema/json.js";
import { loadFeature } from "../schema/source/load-sources.js";
import { InputError } from "../schema/problem.js";
import { isBuiltIn } from "../targets.js";
import { generate, readManifest, SITE_TARGET, type GenerateOptions } from "./generate/generate.js";
import { inputDigest } from "./generate/input-digest.js";
import { loadTarget } from "./targets/load-target.js";
import { SCHEMA, toolVersion } from "./installation.js";
import { usageError } from "./usage-error.js";

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

/** What the manifest names, but cannot hold. */
export interface VerifyOptions extends Pick<
  GenerateOptions,
  "schema" | "schemaFile" | "metaFile" | "with" | "targets"
> {
  /** Compare with the manifest only; do not make anything anew. */
  readonly quick?: boolean;
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
  const [manifest, site] = ["", "site"].map((place) =>
    readManifest(out, join(place, MANIFEST_FILE)),
  );
  if (manifest === undefined && site === undefined) {
    throw usageError(
      `there is no manifest in ${folder}`,
      "Name a folder that generate has written.",
    );
  }
  const findings: Finding[] = isInterrupted(out)
    ? [{ message: "a run was killed while it moved files; the next one completes it" }]
    : [];
  let files = 0;
  for (const listed of [manifest, site]) {
    files += listed?.files.length ?? 0;
    findings.push(...(listed === undefined ? [] : damage(listed, out)));
  }
  if (options.quick || manifest === undefined) return { files, rebuilt: [], findings };
  const generator = `acp-codegen ${toolVersion()}`;
  if (manifest.generator !== generator) {
    findings.push({
      path: MANIFEST_FILE,
      message: `made by ${manifest.generator}, so ${generator} cannot make it anew; use that version`,
    });
    return { files, rebuilt: [], findings };
  }
  const { schema } = options;
  const sources = inputDigest({ ...(schema !== undefined && { schema }) })?.sources;
  const named = manifest.inputs?.sources;
  if (named !== undefined && sources !== undefined && named !== sources) {
    findings.push({ path: MANIFEST_FILE, message: "names other sources than those that are here" });
  }
  const own = await loadOwn(options);
  const rebuilt: string[] = [];
  for (const [profile, facts] of Object.entries(manifest.profiles)) {
    const found = await rebuild(profile, facts as JsonObject, manifest, out, { ...options, own });
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

/** What the manifest only knows by name, by that name. */
interface Own {
  /** The files of features. */
  readonly features: ReadonlyMap<string, string>;
  /** The modules of targets. */
  readonly targets: ReadonlyMap<string, string>;
}

async function loadOwn(options: VerifyOptions): Promise<Own> {
  const { with: features = [], targets = [], schema = SCHEMA } = options;
  const loaded = await Promise.all(targets.map((path) => loadTarget(path, new Map())));
  return {
    features: new Map(
      features.map((file) => [loadFeature(file, schema, process.cwd()).name, file]),
    ),
    targets: new Map(loaded.map(({ name, file }) => [name, file])),
  };
}

/** Makes one profile anew from what the manifest says of it, and compares. */
async function rebuild(
  profile: string,
  facts: JsonObject,
  manifest: Manifest,
  out: string,
  options: VerifyOptions & { readonly own: Own },
): Promise<Finding[]> {
  if (facts["origin"] === "import" && options.schemaFile === undefined) {
    return [{ message: `${profile} was made from an imported schema; give it with --schema` }];
  }
  const targets = new Set(
    manifest.files
      .filter((entry) => entry.profile === profile || entry.profile === "*")
      .map(({ target }) => target),
  );
  targets.delete(SITE_TARGET);
  const unknown = [...targets].find((name) => !isBuiltIn(name) && !options.own.targets.has(name));
  if (unknown !== undefined) {
    return [{ message: `${profile} has files of the target "${unknown}"; give it with --target` }];
  }
  const { package: named, header } = facts as Pick<GenerateOptions, "package" | "header">;
  try {
    const { write, remove } = await generate({
      out,
      check: true,
      targets: [...targets].map((name) => options.own.targets.get(name) ?? name),
      ...selectionOf(profile, facts, options),
      ...(isObject(named) && { package: named }),
      ...(Array.isArray(header) && { header }),
      ...(options.schema !== undefined && { schema: options.schema }),
    });
    return [
      ...write.map(({ file: { path } }) => ({ path, message: `is not what ${profile} gives` })),
      ...remove.map((path) => ({ path, message: `is not part of ${profile}` })),
    ];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const hint = facts["origin"] === "selection" ? "; give features of your own with --with" : "";
    return [{ message: `${profile} cannot be made anew: ${error.problems[0]!.message}${hint}` }];
  }
}

function selectionOf(
  profile: string,
  facts: JsonObject,
  { schemaFile, metaFile, own }: VerifyOptions & { readonly own: Own },
): GenerateOptions {
  const protocol = String(facts["protocol"]);
  switch (facts["origin"]) {
    case undefined:
      return { profiles: [profile] };
    case "import":
      return {
        name: profile,
        ...(schemaFile !== undefined && { schemaFile }),
        ...(metaFile === undefined ? { protocol } : { metaFile }),
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

/** The result for people. */
export function printVerified({ files, rebuilt, findings }: Verified, folder: string): string {
  const rows = findings.map(({ path, message }) =>
    path === undefined ? `  ${message}` : `  ${path} ${message}`,
  );
  if (rows.length > 0)
    return [`${folder} is not proved to be what its manifest says:`, ...rows].join("\n");
  const proof =
    rebuilt.length > 0 ? `; made anew and the same: ${rebuilt.join(", ")}` : " (manifest only)";
  return `${folder} is whole: ${files} files${proof}`;
}
