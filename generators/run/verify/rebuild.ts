import { join } from "node:path";
import { LANGUAGES } from "../../output/languages.js";
import { MANIFEST_FILE, parseManifest, type Manifest } from "../../output/manifest.js";
import { loadFeature } from "../../schema/source/load-sources.js";
import { InputError } from "../../schema/problem.js";
import { isBuiltIn } from "../../targets.js";
import { generate } from "../generate/generate.js";
import { isPlainFile, requireFile } from "../inputs/input-files.js";
import { SCHEMA } from "../installation.js";
import { recordedOptions } from "../defaults.js";
import type { GenerateOptions } from "../options.js";
import { SITE_TARGET } from "../site-target.js";
import { loadTarget } from "../targets/load-target.js";
import type { Facts } from "./check-facts.js";

/** A difference between an output folder and its manifest. */
export interface OutputFinding {
  /** The file it is about, relative to the folder. */
  readonly path?: string;
  readonly message: string;
}

/** Inputs that the manifest names, but does not contain. */
export interface VerifyOptions extends Pick<
  GenerateOptions,
  "schemaDirectory" | "schema" | "meta" | "with" | "targets"
> {
  /** Compare with the manifest only; do not generate anything. */
  readonly quick?: boolean;
}

/** The paths of the user's inputs, by the names that the manifest has for them. */
export interface OwnInputs {
  readonly features: ReadonlyMap<string, string>;
  readonly targets: ReadonlyMap<string, string>;
}

/**
 * Loads the user's features and targets to learn their names.
 *
 * @throws InputError for a file that cannot be loaded
 */
export async function loadOwn(options: VerifyOptions): Promise<OwnInputs> {
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
export interface Rebuilt {
  readonly profile: string;
  readonly findings: readonly OutputFinding[];
  /** The manifest of the comparison; undefined when generating failed. */
  readonly manifest?: Manifest;
}

/**
 * Generates again from the facts in the manifest, and compares.
 *
 * @param profile a profile, or those that files were made from together, joined by `+`
 * @param facts of the profile, or of the first one
 */
export async function rebuild(
  profile: string,
  facts: Facts,
  manifest: Manifest,
  out: string,
  options: VerifyOptions & { readonly own: OwnInputs },
): Promise<Rebuilt> {
  const profiles = profile.split("+");
  const failed = (message: string): Rebuilt => ({ profile, findings: [{ message }] });
  if (facts.origin === "import" && options.schema === undefined) {
    return failed(`${profile} was generated from an imported schema; add --schema`);
  }
  const targets = new Set(
    manifest.files
      .filter((entry) => [profile, ...profiles, "*"].includes(entry.profile))
      .map(({ target }) => target),
  );
  targets.delete(SITE_TARGET);
  const unknown = [...targets].find((name) => !isBuiltIn(name) && !options.own.targets.has(name));
  if (unknown !== undefined) {
    return failed(`${profile} has files of the target "${unknown}"; add its path with --target`);
  }
  try {
    const { write, remove } = await generate({
      out,
      check: true,
      targets: [...targets].map((name) => options.own.targets.get(name) ?? name),
      ...(profiles.length > 1 ? { profiles } : selectionOf(profile, facts, options)),
      ...identityOf(facts, out),
      ...recordedOptions(facts),
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
    const hint = facts.origin === "selection" ? "; add custom features with --with" : "";
    return failed(`${profile} cannot be generated again: ${error.problems[0]!.message}${hint}`);
  }
}

/**
 * Returns the metadata of the packages. Texts of the user's own are those of the output: the
 * manifest has their digests, and does not say which file they come from.
 */
function identityOf(facts: Facts, out: string): GenerateOptions {
  const { package: named, languages = {}, texts = [] } = facts;
  const find = (text: string, name: string, folders: readonly string[]): string | undefined =>
    texts.includes(text)
      ? folders.map((folder) => join(out, folder, name)).find(isPlainFile)
      : undefined;
  const paths = {
    licenseFile: find("license", "LICENSE", ["typescript", ...LANGUAGES]),
    changelog: find("changelog", "CHANGELOG.md", ["typescript"]),
    readme: find("readme", "README.md", ["typescript"]),
  };
  const given = Object.entries(paths).filter(([, path]) => path !== undefined);
  const own = LANGUAGES.flatMap((language) => {
    const readme = find("readmes", "README.md", [language]);
    const known = languages[language];
    if (known === undefined && readme === undefined) return [];
    return [[language, { ...known, ...(readme !== undefined && { readme }) }] as const];
  });
  return {
    ...((named !== undefined || given.length > 0) && {
      package: { ...named, ...Object.fromEntries(given) },
    }),
    ...Object.fromEntries(own),
  };
}

function selectionOf(
  profile: string,
  { origin, protocol, features }: Facts,
  { schema, meta, own }: VerifyOptions & { readonly own: OwnInputs },
): GenerateOptions {
  switch (origin) {
    case undefined:
      return { profiles: [profile] };
    case "import":
      return {
        name: profile,
        ...(schema !== undefined && { schema }),
        ...(meta === undefined ? { protocol } : { meta }),
      };
    case "selection":
      return {
        protocol,
        with: features.map((name) => own.features.get(name) ?? name),
        name: profile,
      };
    default:
      return origin satisfies never;
  }
}
