import { isAbsolute } from "node:path";
import type { ProfileName } from "../../model/build/build.js";
import type { Bundle } from "../../schema/compose/bundle.js";
import { checkExamples } from "../../schema/check/check-examples.js";
import { compose } from "../../schema/compose/compose.js";
import { loadFeature, loadSources } from "../../schema/source/load-sources.js";
import type { Memo } from "../../schema/memo.js";
import { InputError } from "../../schema/problem.js";
import { profileNameProblem } from "../../schema/source/profile-name.js";
import type {
  FeatureSource,
  ProfileSource,
  ProtocolSource,
  Sources,
} from "../../schema/source/sources.js";
import { importInput } from "./import-schema.js";
import { unknownName, usageError } from "../usage-error.js";

/** What a run is to be made from. Without anything: every named profile. */
export interface InputOptions {
  /** Named profiles. */
  readonly profiles?: readonly string[];
  /** A protocol version, for a selection of one's own. */
  readonly protocol?: string;
  /** Features to turn on, by name or as the path of a feature file. */
  readonly with?: readonly string[];
  /** Features to turn off. */
  readonly without?: readonly string[];
  /** The name of a selection of one's own; `<profile>-custom` when absent. */
  readonly name?: string;
  /** A schema in upstream's format, instead of ours. */
  readonly schemaFile?: string;
  /** Its `meta.json`. */
  readonly metaFile?: string;
  /** Keywords to drop from it although the dialect does not know them. */
  readonly allowUnknownKeywords?: readonly string[];
}

/** A bundle and the name that its output gets. */
export interface Input {
  readonly bundle: Bundle;
  readonly profile: ProfileName;
}

/**
 * Composes or imports what the options ask for.
 *
 * @param directory the folder with the canonical schema
 * @throws InputError for names that do not exist, options that exclude each other, and every mistake in a schema
 */
export function resolveInputs(
  options: InputOptions,
  directory: string,
  memo?: Memo,
): readonly Input[] {
  checkFlags(options);
  if (options.schemaFile !== undefined)
    return [importInput(options, options.schemaFile, directory)];
  const sources = loadSources(directory, memo);
  const isCustom = [options.protocol, options.with, options.without, options.name].some(
    (option) => option !== undefined,
  );
  if (isCustom) return [customInput(options, sources, directory)];
  return selectProfiles(sources, options.profiles).map((profile) => ({
    bundle: compose(protocolOf(profile.protocol, sources), profile.features),
    profile,
  }));
}

/** Flags that would be ignored are refused. */
function checkFlags(options: InputOptions): void {
  const problem = options.name === undefined ? undefined : profileNameProblem(options.name);
  if (problem !== undefined) throw usageError(problem, "Choose another --name.");
  const isImport = options.schemaFile !== undefined;
  const selects = [options.profiles, options.with, options.without].some(
    (flag) => flag !== undefined,
  );
  if (isImport && selects) {
    throw usageError(
      "a schema of its own has no profiles and features",
      "Leave --profile, --with and --without out.",
    );
  }
  if (!isImport && (options.metaFile ?? options.allowUnknownKeywords) !== undefined) {
    throw usageError(
      "--meta and --allow-unknown-keywords are about --schema",
      "Give --schema as well.",
    );
  }
}

/** A selection of one's own: a profile or protocol version, plus and minus features. */
function customInput(options: InputOptions, sources: Sources, directory: string): Input {
  const { profiles = [], with: added = [], without = [] } = options;
  if (profiles.length > 1 || (profiles.length === 1 && options.protocol !== undefined)) {
    throw usageError(
      "features are added to one protocol version",
      "Give one --profile, or --protocol.",
    );
  }
  const base = profiles.length === 1 ? selectProfiles(sources, profiles)[0] : undefined;
  const name = base?.protocol ?? options.protocol;
  if (name === undefined)
    throw usageError(
      "it is not said what the features are added to",
      "Give --profile or --protocol.",
    );
  const files = added.filter(isPath).map((file) => loadFeature(file, directory, process.cwd()));
  const protocol = withFeatures(protocolOf(name, sources), files);
  const names = [
    ...(base?.features ?? []),
    ...added.filter((item) => !isPath(item)),
    ...files.map((file) => file.name),
  ];
  for (const removed of without) {
    if (!names.includes(removed)) {
      throw usageError(
        `"${removed}" is not on, so it cannot be left out`,
        `On are: ${names.join(", ") || "none"}.`,
      );
    }
  }
  const kept = names.filter((feature) => !without.includes(feature));
  for (const feature of kept) explainForeign(feature, protocol, sources);
  const start = base?.name ?? protocol.name;
  const bundle = compose(protocol, kept);
  const problems = checkExamples(
    bundle,
    files.map((file) => file.name),
  );
  if (problems.length > 0) throw new InputError(problems);
  return {
    bundle,
    profile: {
      name: options.name ?? (kept.length === 0 ? start : `${start}-custom`),
      title: `${base?.title ?? `ACP ${protocol.name}`}, own selection`,
      description: `Protocol version ${protocol.number} with ${bundle.features.map(({ title }) => title).join(", ") || "no feature"}.`,
    },
  };
}

/** A feature file is given by its path, everything else by name. */
function isPath(item: string): boolean {
  return item.endsWith(".json") || item.includes("/") || isAbsolute(item);
}

/**
 * A protocol version with features of the user's own beside its own ones.
 *
 * @throws InputError for a name that is taken, or a feature for another version
 */
export function withFeatures(
  protocol: ProtocolSource,
  files: readonly FeatureSource[],
): ProtocolSource {
  const features = new Map(protocol.features);
  for (const feature of files) {
    const place = { file: feature.file, pointer: "/name" };
    if (features.has(feature.name)) {
      const message = `there is already a feature "${feature.name}" in ${features.get(feature.name)!.file}`;
      throw new InputError([{ ...place, message, hint: "Rename it." }]);
    }
    if (feature.protocol !== protocol.name) {
      const message = `the feature "${feature.name}" is for ${feature.protocol}, not for ${protocol.name}`;
      throw new InputError(
        [{ ...place, pointer: "/protocol", message, hint: `Use --protocol ${feature.protocol}.` }],
        "usage",
      );
    }
    features.set(feature.name, feature);
  }
  return { ...protocol, features };
}

/** A feature that only another protocol version has deserves a better answer than "unknown". */
function explainForeign(feature: string, protocol: ProtocolSource, sources: Sources): void {
  if (protocol.features.has(feature)) return;
  const others = [...sources.protocols.values()].filter(({ features }) => features.has(feature));
  if (others.length === 0) return;
  const names = others.map(({ name }) => name).join(" and ");
  throw usageError(`${protocol.name} has no feature "${feature}"`, `It is a feature of ${names}.`);
}

function selectProfiles(sources: Sources, names: readonly string[] | undefined): ProfileSource[] {
  if (names === undefined) return [...sources.profiles.values()];
  return [...new Set(names)].map((name) => {
    const profile = sources.profiles.get(name);
    if (profile === undefined) throw unknownName("profile", name, sources.profiles.keys());
    return profile;
  });
}

/** @throws InputError when there is no such protocol version */
export function protocolOf(name: string, sources: Sources): ProtocolSource {
  const protocol = sources.protocols.get(name);
  if (protocol === undefined) throw unknownName("protocol version", name, sources.protocols.keys());
  return protocol;
}
