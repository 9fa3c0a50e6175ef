import { posix } from "node:path";
import {
  canonicalJson,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../generators/schema/json-schema/json.js";
import {
  unionKeyword,
  variantName,
  variantsOf,
} from "../../generators/schema/json-schema/variants.js";
import { UNWRITTEN } from "../../generators/schema/lint/rules/documented.js";
import { inVersion } from "../../generators/schema/json-schema/version-texts.js";
import { like, withEntries, type Documents } from "./documents.js";
import { merge, namedParts } from "./merge.js";
import type { Owners, Surfaces } from "./owners.js";
import { completeDefinition, featurePath, referencesIn, type Present } from "./present.js";

/** A protocol version of a release, and its place in the documents. */
export interface FollowedVersion {
  readonly present: Present;
  readonly surfaces: Surfaces;
  readonly owners: Owners;
  /** The methods by the names of their params and results. */
  readonly methods: ReadonlyMap<string, string>;
}

/**
 * Puts the definitions of a release into the documents: where they are while nothing speaks against
 * it, in a document of both versions when both say the same, else into the module that refers to them.
 */
export function layOutDefinitions(
  documents: Documents,
  versions: readonly FollowedVersion[],
): void {
  const wanted = new Map<string, Map<string, Json>>();
  const put = (path: string, name: string, schema: JsonSchema): void => {
    wanted.set(path, (wanted.get(path) ?? new Map<string, Json>()).set(name, schema as Json));
  };
  const merged = versions.map(mergeDefinitions);
  const names = new Set(merged.flatMap((definitions) => [...definitions.keys()]));
  const areas = versions.map((version) => findAreas(version));
  for (const name of names) {
    const users = versions.filter((_, index) => merged[index]!.has(name));
    const [first, second] = users;
    const schemaIn = (version: FollowedVersion): JsonSchema =>
      merged[versions.indexOf(version)]!.get(name)!;
    const pathIn = (version: FollowedVersion, isShared: boolean): string => {
      const feature = version.owners.definitions.get(name)!;
      const today = version.present.definitions.get(name);
      const stays = today?.feature === feature && today.path.startsWith("shared/") === isShared;
      if (stays) return today.path;
      const folder = isShared ? "shared" : version.present.version;
      if (feature !== "") return featurePath(folder, feature);
      const area = areas[versions.indexOf(version)]!.get(name) ?? "json-rpc";
      return isShared ? `shared/${area}.json` : `${folder}/base/${area}.json`;
    };
    if (first !== undefined && second !== undefined) {
      const path = pathIn(first, true);
      const wasApart = users.every(({ present }) => {
        const today = present.definitions.get(name);
        return today !== undefined && !today.path.startsWith("shared/");
      });
      const isSame =
        !wasApart &&
        canonicalJson(schemaIn(first) as Json) === canonicalJson(schemaIn(second) as Json);
      const hasPlace = path.startsWith("shared/features/") || documents.get(path) !== undefined;
      if (isSame && hasPlace && path === pathIn(second, true)) {
        put(path, name, schemaIn(first));
        continue;
      }
    }
    for (const version of users) {
      const schema = schemaIn(version);
      const today = version.present.definitions.get(name);
      const isShared = today?.path.startsWith("shared/") === true;
      const own = isShared ? inVersion(schema, version.present.version, () => {}) : schema;
      put(pathIn(version, false), name, like(schema, own));
    }
  }
  putDefinitions(documents, versions, wanted);
}

/** Puts definitions, by the paths of their documents, in place of those that the documents have. */
function putDefinitions(
  documents: Documents,
  versions: readonly FollowedVersion[],
  wanted: ReadonlyMap<string, ReadonlyMap<string, Json>>,
): void {
  const paths = versions.flatMap(({ present }) => [
    ...present.modules,
    ...[...present.features.values()].flat(),
  ]);
  for (const path of new Set([...paths, ...wanted.keys()])) {
    const document = documents.get(path) ?? newDocument(path);
    const definitions = withEntries(document["$defs"] as JsonObject, wanted.get(path) ?? new Map());
    documents.set(path, withDefinitions(path, document, definitions));
  }
  for (const { present, owners } of versions)
    for (const feature of new Set(owners.definitions.values())) {
      const path = `shared/features/${feature}.json`;
      if (feature !== "" && wanted.has(path))
        include(documents, featurePath(present.version, feature), path);
    }
}

/** Modules always list their definitions; a feature may have none. */
function withDefinitions(
  path: string,
  document: JsonObject,
  definitions: JsonObject,
): JsonObject | undefined {
  const isEmpty = Object.keys(definitions).length === 0;
  if (isEmpty && path.startsWith("shared/features/")) return undefined;
  const { $defs: _, ...rest } = document;
  if (isEmpty && path.includes("/features/")) return like(document, rest);
  return like(document, { ...document, $defs: definitions });
}

/** Merges the definitions of a version with the documents, without what other features add. */
function mergeDefinitions({
  present,
  surfaces,
  owners,
}: FollowedVersion): ReadonlyMap<string, JsonSchema> {
  return new Map(
    [...owners.definitions].map(([name, feature]) => {
      const { stable, unstable } = surfaces;
      const schema =
        feature === "" ? stable.get(name)! : withoutParts(name, unstable.get(name)!, owners);
      return [name, merge(completeDefinition(present, name), schema)] as const;
    }),
  );
}

function withoutParts(name: string, schema: JsonSchema, { parts }: Owners): JsonSchema {
  const own = (ends: string): boolean => !parts.has(name + ends);
  const keyword = unionKeyword(schema);
  const { properties, ...rest } = schema;
  const kept = Object.entries(properties ?? {}).filter(([one]) => own(`.${one}`));
  const variants = [...namedParts(schema)]
    .filter(([end]) => end.startsWith("/") && !own(end))
    .map(([, one]) => one);
  return {
    ...rest,
    ...(kept.length > 0 && { properties: Object.fromEntries(kept) }),
    ...(keyword !== undefined && {
      [keyword]: schema[keyword]!.filter((one) => !variants.includes(one)),
    }),
  };
}

/** Returns the module of the base for each definition: that of its place today, or of what refers to it. */
function findAreas({ present, surfaces, methods }: FollowedVersion): ReadonlyMap<string, string> {
  const areas = new Map<string, string>();
  const methodAreas = new Map<string, string>();
  for (const [name, { path, feature }] of present.definitions) {
    if (feature !== "") continue;
    areas.set(name, posix.basename(path, ".json"));
    const [group] = methods.get(name)?.split("/") ?? [];
    if (group !== undefined && !methodAreas.has(group)) methodAreas.set(group, areas.get(name)!);
  }
  const { stable } = surfaces;
  for (const name of stable.keys()) {
    const area = methodAreas.get(methods.get(name)?.split("/")[0] ?? "");
    if (!areas.has(name) && area !== undefined) areas.set(name, area);
  }
  for (let count = -1; count !== areas.size;) {
    count = areas.size;
    for (const [name, schema] of stable)
      for (const other of areas.has(name) ? referencesIn(schema) : [])
        if (!areas.has(other)) areas.set(other, areas.get(name)!);
  }
  return areas;
}

/** Puts what features add into their documents, and removes features that add nothing. */
export function layOutFeatures(documents: Documents, version: FollowedVersion): void {
  const { present, owners } = version;
  const names = new Set([
    ...present.features.keys(),
    ...owners.definitions.values(),
    ...[...owners.parts.values()].map(({ feature }) => feature),
  ]);
  names.delete("");
  const dead: string[] = [];
  for (const name of names) {
    const path = featurePath(present.version, name);
    const entries = featureEntries(documents, version, name, names);
    if (entries === undefined) dead.push(name);
    documents.set(path, entries && inDocumentOrder(documents.get(path), entries));
  }
  selectFeatures(documents, present, names, dead);
}

/**
 * Returns the entries of the document of a feature; undefined for one that adds nothing.
 *
 * @param names those of all features
 */
function featureEntries(
  documents: Documents,
  version: FollowedVersion,
  name: string,
  names: ReadonlySet<string>,
): ReadonlyMap<string, Json> | undefined {
  const { present, owners, surfaces } = version;
  const path = featurePath(present.version, name);
  const {
    add: oldAdd,
    with: oldWith,
    include: oldInclude = [],
    requires: oldRequires = [],
    ...rest
  } = documents.get(path) ?? newDocument(path);
  const additions = (old: unknown, other?: string): JsonObject =>
    toAdditions(old as JsonObject, additionsOf(version, name, other), surfaces.unstable);
  const add = additions(oldAdd);
  const others = [...owners.parts.values()].flatMap((part) =>
    part.feature === name && part.with ? [part.with] : [],
  );
  const withOthers = withEntries(
    oldWith as JsonObject,
    new Map(
      [...new Set(others)].map((other) => [
        other,
        additions((oldWith as JsonObject)?.[other], other),
      ]),
    ),
  );
  const included = (oldInclude as string[]).filter(
    (one) => documents.get(posix.join(posix.dirname(path), one)) !== undefined,
  );
  const requires = new Set([
    ...(oldRequires as string[]).filter((one) => names.has(one)),
    ...(owners.requires.get(name) ?? []),
  ]);
  const isEmpty = [add, withOthers, (rest["$defs"] ?? {}) as JsonObject].every(
    (one) => Object.keys(one).length === 0,
  );
  const methods = (rest["methods"] ?? []) as JsonObject[];
  if (isEmpty && included.length === 0 && methods.length === 0) return undefined;
  const entries = new Map<string, Json>(Object.entries(rest));
  if (requires.size > 0) entries.set("requires", [...requires]);
  if (included.length > 0) entries.set("include", included);
  if (Object.keys(add).length > 0) entries.set("add", add);
  if (Object.keys(withOthers).length > 0) entries.set("with", withOthers);
  return entries;
}

/** The order of the names in modules and features. */
const KEYS = [
  "$schema",
  "name",
  "protocol",
  "title",
  "description",
  "status",
  "proposal",
  "requires",
  "include",
  "methods",
  "add",
  "with",
  "$defs",
];

/** Returns a document with other entries, in the order of its kind. */
export function inDocumentOrder(
  old: JsonObject | undefined,
  entries: ReadonlyMap<string, Json>,
): JsonObject {
  const isKept = old !== undefined && [...entries.keys()].every((key) => key in old);
  if (isKept) return withEntries(old, entries);
  const sorted = [...entries].sort(([a], [b]) => KEYS.indexOf(a) - KEYS.indexOf(b));
  return like(old, Object.fromEntries(sorted));
}

/** The additions of a feature by definition and part. */
function additionsOf(
  { present, surfaces, owners }: FollowedVersion,
  feature: string,
  other?: string,
): Map<string, Map<string, JsonSchema>> {
  const found = new Map<string, Map<string, JsonSchema>>();
  for (const [name, schema] of surfaces.unstable)
    for (const [end, part] of namedParts(schema)) {
      const owner = owners.parts.get(name + end);
      if (owner?.feature !== feature || owner.with !== other) continue;
      const old =
        present.parts.get(name + end)?.schema ??
        namedParts(completeDefinition(present, name) ?? {}).get(end);
      found.set(
        name,
        (found.get(name) ?? new Map<string, JsonSchema>()).set(
          end,
          merge(old, part, [end.startsWith(".") ? "properties" : "anyOf", end.slice(1)]),
        ),
      );
    }
  return found;
}

/** Returns the additions in the form of a feature, in the order that they have today. */
function toAdditions(
  old: JsonObject | undefined,
  additions: ReadonlyMap<string, ReadonlyMap<string, JsonSchema>>,
  schemas: ReadonlyMap<string, JsonSchema>,
): JsonObject {
  const entries = [...additions].map(([name, parts]) => {
    const before = old?.[name] as JsonObject | undefined;
    const of = (sign: string): [string, Json][] =>
      [...parts]
        .filter(([end]) => end.startsWith(sign))
        .map(([end, one]) => [end.slice(1), one as Json]);
    const addition = new Map<string, Json>();
    if (of(".").length > 0)
      addition.set(
        "properties",
        withEntries(before?.["properties"] as JsonObject, new Map(of("."))),
      );
    const keyword = unionKeyword(schemas.get(name)!)!;
    const today = ((before?.[keyword] ?? []) as unknown as JsonSchema[]).map(variantName);
    const place = (variant: string): number => today.indexOf(variant) + 1 || Infinity;
    const variants = of("/")
      .sort(([a], [b]) => place(a) - place(b) || 0)
      .map(([, one]) => withPredecessors(one as JsonSchema, schemas.get(name)!));
    if (variants.length > 0) addition.set(keyword, variants as unknown as Json);
    return [name, withEntries(before, addition)] as const;
  });
  return withEntries(old, new Map(entries));
}

/** Returns a variant without the predecessors that a union no longer has. */
function withPredecessors(variant: JsonSchema, union: JsonSchema): JsonSchema {
  const { "x-after": after, ...rest } = variant;
  const names = new Set(variantsOf(union).map(variantName));
  const known = after?.filter((name) => names.has(name));
  if (known?.length === after?.length) return variant;
  return like(variant, { ...rest, ...(known?.length && { "x-after": known }) });
}

function newDocument(path: string): JsonObject {
  const [version, folder, file] = path.split("/");
  const texts = { title: UNWRITTEN, description: UNWRITTEN };
  if (folder !== "features" || version === "shared")
    return { $schema: "../../dialect/module.schema.json", ...texts };
  const name = posix.basename(file!, ".json");
  return {
    $schema: "../../dialect/feature.schema.json",
    name,
    protocol: version!,
    ...texts,
    status: "unstable",
  };
}

function include(documents: Documents, path: string, included: string): void {
  const document = documents.get(path) ?? newDocument(path);
  const relative = posix.relative(posix.dirname(path), included);
  const all = (document["include"] ?? []) as string[];
  const entries = new Map(
    Object.entries({ ...document, include: [...new Set([...all, relative])] }),
  );
  documents.set(path, inDocumentOrder(document, entries));
}

/** Keeps the lists of the profiles that have all published features. */
function selectFeatures(
  documents: Documents,
  present: Present,
  names: ReadonlySet<string>,
  dead: readonly string[],
): void {
  const document = documents.get("profiles.json")!;
  const live = [...names].filter((name) => !dead.includes(name));
  const profiles = Object.entries(document["profiles"] as { [name: string]: JsonObject }).map(
    ([name, profile]) => {
      const features = profile["features"] as string[];
      if (
        profile["protocol"] !== present.version ||
        ![...present.features.keys()].every((one) => features.includes(one))
      )
        return [name, profile] as const;
      const others = features.filter((one) => !present.features.has(one));
      const sorted = name === present.version ? features : [...others, ...live].sort();
      return [
        name,
        withEntries(profile, new Map(Object.entries({ ...profile, features: sorted }))),
      ] as const;
    },
  );
  const changed = withEntries(document["profiles"] as JsonObject, new Map(profiles));
  documents.set(
    "profiles.json",
    withEntries(document, new Map(Object.entries({ ...document, profiles: changed }))),
  );
}
