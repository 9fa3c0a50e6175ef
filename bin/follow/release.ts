import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";

/** The published schemas of one release. */
export interface Release {
  /** By profile: `v1`, `v1-unstable`. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** The features that a fact of the unstable schema needs, by version; undefined when unknown. */
  readonly features?: FactsByFeature | undefined;
  /** Names the release in `protocol.json`; undefined for a folder that is not a reference. */
  readonly upstream?: { readonly crate: string; readonly release: string } | undefined;
  /** SHA-256 of the files, by profile and name. */
  readonly digests: ReadonlyMap<string, { readonly [file: string]: string }>;
}

/** Facts by the names of the features without any of which they are absent, separated by spaces. */
export type FactsByFeature = {
  readonly [version: string]: { readonly [features: string]: readonly string[] };
};

/**
 * Reads a release from a folder: a reference of this repository, or the published files in one of
 * the forms `v1.json`, `v1.structure.json`, `v1.schema.json` and `v1/schema.json`. A profile whose
 * file is absent is not followed.
 *
 * @throws Error when the folder has no schema
 */
export function readRelease(folder: string): Release {
  const schemas = new Map<string, JsonSchema>();
  const digests = new Map<string, { readonly [file: string]: string }>();
  for (const profile of ["v1", "v1-unstable", "v2", "v2-unstable"]) {
    const [version, surface] = profile.split("-");
    const names = [".json", ".structure.json", ".schema.json"].map((end) => profile + end);
    names.push(`${version}/schema${surface === undefined ? "" : ".unstable"}.json`);
    const file = names.find((name) => existsSync(join(folder, name)));
    if (file === undefined) continue;
    const text = readFileSync(join(folder, file), "utf8");
    schemas.set(profile, JSON.parse(text) as JsonSchema);
    digests.set(profile, { [file]: createHash("sha256").update(text).digest("hex") });
  }
  if (schemas.size === 0) throw new Error(`${folder} has no schema: v1.json, v1/schema.json`);
  const read = (name: string): unknown =>
    existsSync(join(folder, name))
      ? JSON.parse(readFileSync(join(folder, name), "utf8"))
      : undefined;
  const features = read("features.json") as FactsByFeature | undefined;
  const release = basename(resolve(folder));
  return {
    ...{ schemas, digests, features },
    upstream: features && { crate: "agent-client-protocol-schema", release },
  };
}
