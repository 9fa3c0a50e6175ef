import { basename } from "node:path";
import { checkExamples } from "../../schema/check/check-examples.js";
import { compose } from "../../schema/compose.js";
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
import { unknownName, usageError } from "../messages.js";
import type { OutputOptions, Selection } from "../options.js";
import { importInput } from "./import-schema.js";
import type { Input } from "./input.js";
import { isPath, requireFile } from "./input-files.js";

/**
 * Composes the selected profiles, or imports the selected schema.
 *
 * @param directory the folder of the canonical schema
 * @throws InputError for unknown names, options that exclude each other, and errors in a schema
 */
export function resolveInputs(
  options: Selection & Pick<OutputOptions, "site">,
  directory: string,
  memo?: Memo,
): readonly Input[] {
  checkFlags(options);
  if (options.schema !== undefined)
    return [ownInput(importInput(options, options.schema, directory, memo), options)];
  const sources = loadSources(directory, memo);
  if (!isNamedSelection(options))
    return [{ ...ownInput(customInput(options, sources, directory), options), sources }];
  return selectProfiles(sources, options.profiles).map((profile) => ({
    bundle: compose(protocolOf(profile.protocol, sources), profile.features),
    profile,
    sources,
  }));
}

/** An input that the user has selected, under a name that fits, with the title and the options of the user. */
function ownInput(input: Input, options: Selection & Pick<OutputOptions, "site">): Input {
  return withFlags(withTitle(withNames(ofItsVersion(input), options), options), options);
}

/** Adds the names that the user has chosen for values and properties. */
function withNames(input: Input, { names }: Selection): Input {
  if (names === undefined) return input;
  const { protocol } = input.bundle;
  const partNames = { ...protocol.partNames, ...names };
  return { ...input, bundle: { ...input.bundle, protocol: { ...protocol, partNames } } };
}

/** A profile that the user makes has the title of the user's site, if there is one. */
function withTitle(input: Input, { site }: Pick<OutputOptions, "site">): Input {
  return site?.title === undefined
    ? input
    : { ...input, profile: { ...input.profile, title: site.title } };
}

/** Adds the options that a reader of the output repeats to get the same selection. */
function withFlags(input: Input, options: Selection): Input {
  const named = (flag: string, names: readonly (string | undefined)[] = []): readonly string[] => {
    const values = names.flatMap((name) => {
      if (name === undefined) return [];
      return isPath(name) ? `./${basename(name)}` : name;
    });
    return values.length === 0 ? [] : [`${flag} ${values.join(" ")}`];
  };
  const flags = [
    ...named("--schema", [options.schema]),
    ...named("--methods", [options.methods]),
    ...named("--profile", options.profiles),
    ...named("--protocol", [options.protocol]),
    ...named("--with", options.with),
    ...named("--without", options.without),
    ...named("--name", [options.name]),
  ];
  return { ...input, profile: { ...input.profile, flags: flags.join(" ") } };
}

/** Returns whether options select profiles that the schema names, unchanged. */
export function isNamedSelection({
  protocol,
  with: added,
  without,
  name,
  schema,
}: Selection): boolean {
  return [protocol, added, without, name, schema].every((option) => option === undefined);
}

/** Refuses flags that would be ignored. */
function checkFlags(options: Selection): void {
  const problem = options.name === undefined ? undefined : profileNameProblem(options.name);
  if (problem !== undefined) throw usageError(problem, "Choose another --name.");
  const isImport = options.schema !== undefined;
  const selects = [options.profiles, options.with, options.without].some(
    (flag) => flag !== undefined,
  );
  if (isImport && selects) {
    throw usageError("--schema excludes --profile, --with and --without", "Remove one of them.");
  }
  const { meta, methods, allowUnknownKeywords, allow, rootName, refs } = options;
  const ofImports = [meta, methods, allowUnknownKeywords, allow, rootName, refs];
  if (!isImport && ofImports.some((one) => one !== undefined)) {
    const flags = "--meta, --methods, --allow, --allow-unknown-keywords, --root-name and --ref";
    throw usageError(`${flags} require --schema`, "Add --schema.");
  }
  if (options.names !== undefined && isNamedSelection(options))
    throw usageError(
      '"names" are for a schema or a selection of your own',
      'Add "schema" or "with", or remove "names".',
    );
  if (rootName !== undefined && !/^[A-Z][A-Za-z0-9]*$/.test(rootName))
    throw usageError(
      `--root-name ${rootName} is not the name of a type`,
      "Write words in PascalCase, for example TreeNode.",
    );
  if (allow?.includes("closed-objects") && allow.includes("opened-objects")) {
    throw usageError("--allow has both closed-objects and opened-objects", "Keep one of them.");
  }
}

/** Refuses a profile with the name of another protocol version: programs choose a version by it. */
function ofItsVersion(input: Input): Input {
  const { bundle, profile } = input;
  const version = /^v[0-9]+(?=-|$)/.exec(profile.name)?.[0];
  if (version === undefined || version === bundle.protocol.name) return input;
  throw usageError(
    `the profile name "${profile.name}" stands for ${version}, but the profile is of ${bundle.protocol.name}`,
    "Choose another --name.",
  );
}

/** Composes a custom selection: a profile or protocol version, plus and minus features. */
function customInput(options: Selection, sources: Sources, directory: string): Input {
  const { profiles = [], with: added = [], without = [] } = options;
  if (profiles.length > 1 || (profiles.length === 1 && options.protocol !== undefined)) {
    throw usageError(
      "features can be added to one profile or protocol version only",
      "Give one --profile, or --protocol.",
    );
  }
  const base = profiles.length === 1 ? selectProfiles(sources, profiles)[0] : undefined;
  const name = base?.protocol ?? options.protocol;
  if (name === undefined)
    throw usageError(
      "--with, --without and --name require a profile or protocol version",
      "Add --profile or --protocol.",
    );
  const files = added
    .filter(isPath)
    .map((file) => loadFeature(requireFile(file), directory, process.cwd()));
  const protocol = withFeatures(protocolOf(name, sources), files);
  const names = [
    ...(base?.features ?? []),
    ...added.filter((item) => !isPath(item)),
    ...files.map((file) => file.name),
  ];
  for (const removed of without) {
    if (!names.includes(removed)) {
      throw usageError(
        `the feature "${removed}" is not on, so it cannot be turned off`,
        `Features that are on: ${names.join(", ") || "none"}.`,
      );
    }
  }
  const { promoted = {} } = protocol;
  const kept = names.filter((one) => !without.includes(one) && !Object.hasOwn(promoted, one));
  for (const feature of kept) explainForeign(feature, protocol, sources);
  const start = base?.name ?? protocol.name;
  const bundle = compose(protocol, kept);
  const named = options.name === undefined ? undefined : sources.profiles.get(options.name);
  if (named?.protocol === name && !isSame(named.features, kept))
    throw usageError(
      `the profile name "${named.name}" is that of a profile with other features`,
      "Choose another --name.",
    );
  const problems = checkExamples(
    bundle,
    files.map((file) => file.name),
  );
  if (problems.length > 0) throw new InputError(problems);
  return {
    bundle,
    promoted: names.flatMap((one) =>
      Object.hasOwn(promoted, one) ? [`${one} is part of ${name} since ${promoted[one]}`] : [],
    ),
    profile: {
      name: options.name ?? (kept.length === 0 ? start : `${start}-custom`),
      title: `${base?.title ?? `ACP ${protocol.name}`}, own selection`,
      description: `Protocol version ${protocol.number} with ${bundle.features.map(({ title }) => title).join(", ") || "no feature"}.`,
    },
  };
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name));
}

/**
 * Returns a protocol version with additional features from the user's files.
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
      const message = `the feature "${feature.name}" already exists in ${features.get(feature.name)!.file}`;
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

/** Throws for a feature that only another protocol version has. */
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

/**
 * Returns a protocol version by its name.
 *
 * @throws InputError for an unknown name
 */
export function protocolOf(name: string, sources: Sources): ProtocolSource {
  const protocol = sources.protocols.get(name);
  if (protocol === undefined) throw unknownName("protocol version", name, sources.protocols.keys());
  return protocol;
}
