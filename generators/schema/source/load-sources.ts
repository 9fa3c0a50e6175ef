import { basename, dirname, join, resolve } from "node:path";
import { checkProfiles } from "./check-profiles.js";
import {
  createLoader,
  jsonFiles,
  loadDialect,
  subfolders,
  type Loader,
  type Tolerance,
} from "./load.js";
import { type Json, type JsonObject, isObject } from "../json-schema/json.js";
import type { Definitions } from "../json-schema/references.js";
import type { Memo } from "../memo.js";
import { InputError, jsonPointer } from "../problem.js";
import { profileNameProblem } from "./profile-name.js";
import { inVersion } from "../json-schema/version-texts.js";
import type {
  EnvelopeOptions,
  FeatureSource,
  MethodSource,
  ModuleSource,
  PublishedNames,
  ProtocolSource,
  Sources,
  Upstream,
  Additions,
  ProfileSource,
} from "./sources.js";

/**
 * Reads the canonical schema: the dialect, the profiles, every protocol
 * version with its base modules and its features.
 *
 * @param directory the `schema/` folder
 * @throws InputError with every problem found: unreadable file, broken JSON, a document that
 *   does not follow the dialect, a profile that names what does not exist. Paths in it are
 *   relative to the parent of `directory`.
 */
export function loadSources(directory: string, memo?: Memo, tolerance?: Tolerance): Sources {
  const root = dirname(resolve(directory));
  const loader = createLoader(root, loadDialect(directory, memo), tolerance);
  const profilesFile = join(directory, "profiles.json");
  const profiles = loader.read("profiles", profilesFile);
  const partNames = loadPartNames(loader, directory);
  const protocols = new Map<string, ProtocolSource>();
  for (const name of subfolders(directory)) {
    const folder = join(directory, name);
    const file = join(folder, "protocol.json");
    if (!jsonFiles(folder).includes(file)) continue;
    const protocol = loadProtocol(loader, file);
    if (protocol === undefined) continue;
    protocols.set(name, { ...protocol, partNames: partNames[name] ?? {} });
  }
  const named = toProfiles(profiles);
  for (const name of named.keys()) {
    const problem = profileNameProblem(name);
    if (problem !== undefined) loader.problem(profilesFile, problem, "Rename it.");
  }
  loader.finish();
  // An invalid version is unknown.
  if ((tolerance?.problems ?? []).length > 0) return { protocols, profiles: named };
  const unknown = checkProfiles(loader.display(profilesFile), named, protocols);
  if (tolerance !== undefined) tolerance.problems.push(...unknown);
  else if (unknown.length > 0) throw new InputError(unknown);
  return { protocols, profiles: named };
}

/** Returns the published names of parts by protocol version; none without the file. */
function loadPartNames(
  loader: Loader,
  directory: string,
): { readonly [version: string]: PublishedNames } {
  const file = join(directory, "part-names.json");
  const document = jsonFiles(directory).includes(file)
    ? loader.read("part-names", file)
    : undefined;
  return (document?.["versions"] ?? {}) as { readonly [version: string]: PublishedNames };
}

/**
 * Reads a user's own feature file from anywhere.
 *
 * @param directory the `schema/` folder, for its dialect
 * @param root the folder that problems name files relative to
 * @throws InputError with every problem found
 */
export function loadFeature(file: string, directory: string, root: string): FeatureSource {
  return loadSoundFeature(file, directory, root)!;
}

/**
 * Reads the sound parts of a user's own feature file.
 *
 * @param tolerance receives the problems
 * @returns undefined for a file that is not a document
 */
export function loadSoundFeature(
  file: string,
  directory: string,
  root: string,
  tolerance?: Tolerance,
): FeatureSource | undefined {
  const loader = createLoader(root, loadDialect(directory), tolerance);
  const feature = loadFeatureWith(loader, file);
  loader.finish();
  return feature;
}

function loadProtocol(loader: Loader, file: string): ProtocolSource | undefined {
  const document = loader.read("protocol", file);
  if (document === undefined) return undefined;
  const folder = dirname(file);
  const files = (document["modules"] as readonly string[]).map((path) => join(folder, path));
  for (const found of jsonFiles(join(folder, "base"))) {
    if (!files.includes(found))
      loader.problem(found, "the module is not listed", `List it in ${loader.display(file)}.`);
  }
  const modules = files
    .map((path) => loadModule(loader, path, document["name"] as string))
    .filter((module) => module !== undefined);
  const features = jsonFiles(join(folder, "features"))
    .map((path) => loadFeatureWith(loader, path))
    .filter((feature) => feature !== undefined);
  const name = document["name"] as string;
  if (name !== basename(folder)) {
    loader.problem(
      file,
      `the version is called "${name}", its folder "${basename(folder)}"`,
      "Make them the same.",
    );
  }
  for (const feature of features) {
    if (feature.protocol !== name) {
      loader.problem(
        join(folder, "features", basename(feature.file)),
        `the feature is for ${feature.protocol}`,
        `Move it there, or make it one of ${name}.`,
      );
    }
    if (features.some((other) => other !== feature && other.name === feature.name)) {
      loader.problem(
        join(folder, "features", basename(feature.file)),
        `another file has the feature "${feature.name}" as well`,
        "Rename one of them.",
      );
    }
  }
  return {
    file: loader.display(file),
    name,
    number: document["number"] as number,
    title: document["title"] as string,
    description: document["description"] as string,
    upstream: document["upstream"] as unknown as Upstream,
    promoted: (document["promoted"] ?? {}) as { readonly [feature: string]: string },
    publishes: (document["publishes"] ?? []) as readonly string[],
    envelopes: (document["envelopes"] ?? {}) as EnvelopeOptions,
    modules,
    features: new Map(features.map((feature) => [feature.name, feature])),
  };
}

/** @param version the protocol version whose texts are read */
function loadModule(loader: Loader, file: string, version: string): ModuleSource | undefined {
  const document = loader.read("module", file);
  if (document === undefined) return undefined;
  return {
    file: loader.display(file),
    area: basename(file, ".json"),
    title: document["title"] as string,
    description: document["description"] as string,
    methods: (document["methods"] ?? []) as unknown as readonly MethodSource[],
    definitions: selectTexts(document["$defs"], ["$defs"], version, loader, file),
  };
}

/** Returns the schemas at a place in a document with the texts of one protocol version. */
function selectTexts(
  schemas: Json | undefined,
  place: readonly string[],
  version: string,
  loader: Loader,
  file: string,
): Definitions {
  const entries = Object.entries((schemas ?? {}) as Definitions).map(([name, schema]) => {
    const note: Parameters<typeof inVersion>[2] = (path, message, hint) =>
      loader.problem(file, message, hint, jsonPointer([...place, name, ...path]));
    return [name, inVersion(schema, version, note)] as const;
  });
  return Object.fromEntries(entries);
}

function loadFeatureWith(loader: Loader, file: string): FeatureSource | undefined {
  const document = loader.read("feature", file);
  if (typeof document?.["name"] !== "string" || typeof document["protocol"] !== "string")
    return undefined;
  const included = ((document["include"] ?? []) as readonly string[])
    .map((path) => loadModule(loader, join(dirname(file), path), document["protocol"] as string))
    .filter((module) => module !== undefined);
  const { protocol, ...feature } = toFeature(document);
  const select = (schemas: Json | undefined, ...place: string[]): Definitions =>
    selectTexts(schemas, place, protocol, loader, file);
  const withOthers = Object.entries((document["with"] ?? {}) as JsonObject);
  return {
    file: loader.display(file),
    ...feature,
    protocol,
    add: select(document["add"], "add"),
    with: Object.fromEntries(
      withOthers.map(([other, additions]) => [other, select(additions, "with", other)]),
    ),
    modules: [
      ...included,
      { file: loader.display(file), definitions: select(document["$defs"], "$defs") },
    ],
  };
}

/** A feature as its document states it; the dialect has been checked. */
function toFeature(document: JsonObject): Omit<FeatureSource, "file" | "modules"> {
  const proposal = document["proposal"];
  return {
    name: document["name"] as string,
    protocol: document["protocol"] as string,
    title: document["title"] as string,
    description: document["description"] as string,
    status: document["status"] as FeatureSource["status"],
    ...(typeof proposal === "string" && { proposal }),
    requires: (document["requires"] ?? []) as readonly string[],
    methods: (document["methods"] ?? []) as unknown as readonly MethodSource[],
    add: (document["add"] ?? {}) as Additions,
    with: (document["with"] ?? {}) as FeatureSource["with"],
  };
}

/** The profiles by name: those of one protocol version together, the smallest first. */
function toProfiles(document: JsonObject | undefined): Map<string, ProfileSource> {
  const profiles = document?.["profiles"];
  if (!isObject(profiles)) return new Map();
  const sources = Object.entries(profiles).map(([name, profile]): ProfileSource => ({
    name,
    ...(profile as unknown as Omit<ProfileSource, "name">),
  }));
  sources.sort(
    (a, b) =>
      inOrder(a.protocol, b.protocol) ||
      a.features.length - b.features.length ||
      inOrder(a.name, b.name),
  );
  return new Map(sources.map((profile) => [profile.name, profile]));
}

function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
