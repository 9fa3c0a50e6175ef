import { diffSchemas, type Difference } from "../../generators/schema/compare/diff.js";
import { compose } from "../../generators/schema/compose.js";
import { publishSchema } from "../../generators/schema/compose/publish.js";
import type { Json, JsonObject, JsonSchema } from "../../generators/schema/json-schema/json.js";
import { InputError } from "../../generators/schema/problem.js";
import { KEYWORDS } from "../../generators/schema/json-schema/keywords.js";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import { Documents, withEntries } from "./documents.js";
import { layOutDefinitions, layOutFeatures, type FollowedVersion } from "./lay-out.js";
import { toSource } from "./merge.js";
import { forgetMethods, layOutMethods, readMethods } from "./methods.js";
import { orderVariants } from "./order-variants.js";
import { findOwners } from "./owners.js";
import { featurePath, readPresent } from "./present.js";
import type { Release } from "./release.js";

/** What following a release has done, and what it could not do. */
export interface FollowedRelease {
  /** The documents that were written or removed, below the schema's folder. */
  readonly changed: readonly string[];
  /** What no edit expresses, by profile: a feature only adds. */
  readonly differences: ReadonlyMap<string, readonly Difference[]>;
}

/**
 * Edits the modules and features of a schema until they compose to a release. Texts are kept with
 * what they describe; places without a text are left to `lint`.
 *
 * @param folder the canonical schema
 * @throws InputError when the edited documents do not compose
 */
export async function followRelease(release: Release, folder: string): Promise<FollowedRelease> {
  const documents = new Documents(folder);
  const schemas = withOwn(release, folder);
  const read = ["v1", "v2"].map((version) => {
    const [stable, unstable] = [schemas.get(version)!, schemas.get(`${version}-unstable`)!];
    return { version, stable, unstable, methods: readMethods(unstable, version) };
  });
  const versions = read.map(({ version, stable, unstable, methods }): FollowedVersion => {
    const present = readPresent(documents, version);
    const surfaces = { stable: sourcesOf(stable), unstable: sourcesOf(unstable) };
    const carried = methods.flatMap(({ name, params, result }) =>
      [params, result ?? []].flat().map((one) => [one, name] as const),
    );
    const facts = release.features?.[version];
    const owners = findOwners(surfaces, present, facts, new Map(carried));
    return { present, surfaces, owners, methods: new Map(carried) };
  });
  forgetMethods(
    documents,
    versions,
    new Set(read.flatMap(({ methods }) => methods.map(({ name }) => name))),
  );
  layOutDefinitions(documents, versions);
  for (const [index, version] of versions.entries()) {
    layOutMethods(documents, version, read[index]!.methods);
    layOutFeatures(documents, version);
    orderVariants(documents, version);
    nameRelease(documents, version, read[index]!.unstable, release);
  }
  const changed = await documents.write();
  const sources = loadSources(folder);
  const differences = [...schemas].map(([profile, schema]) => {
    const { protocol, features } = sources.profiles.get(profile)!;
    const own = publishSchema(compose(sources.protocols.get(protocol)!, features));
    return [profile, diffSchemas(own, schema)] as const;
  });
  return { changed, differences: new Map(differences) };
}

/** Returns the schemas of a release; of a version that it does not have, those of today. */
function withOwn(release: Release, folder: string): ReadonlyMap<string, JsonSchema> {
  const { protocols, profiles } = loadSources(folder);
  const schemas = new Map(release.schemas);
  for (const version of ["v1", "v2"]) {
    const both = [version, `${version}-unstable`];
    const missing = both.filter((profile) => !schemas.has(profile));
    if (missing.length === 1)
      throw new InputError([
        {
          message: `the release has no ${missing[0]}`,
          hint: `Add it: ${both.join(" and ")} are followed together.`,
        },
      ]);
    for (const profile of missing) {
      const { features } = profiles.get(profile)!;
      schemas.set(profile, publishSchema(compose(protocols.get(version)!, features)));
    }
  }
  return schemas;
}

function sourcesOf({ $defs = {} }: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const definitions = Object.entries($defs).filter(([, schema]) => !schema["x-docs-ignore"]);
  return new Map(definitions.map(([name, schema]) => [name, toSource(schema)]));
}

/** Writes the JSON-RPC forms of a version, its annotations, promotions and the release into its document. */
function nameRelease(
  documents: Documents,
  { present, surfaces }: FollowedVersion,
  schema: JsonSchema,
  release: Release,
): void {
  const { version } = present;
  const path = `${version}/protocol.json`;
  const { envelopes: _, publishes: __, promoted: old = {}, ...document } = documents.get(path)!;
  const batches = schema.anyOf?.some(({ title }) => title?.endsWith("BatchCall")) === true;
  const error = schema.$defs?.["AgentResponse"]?.anyOf?.find(({ title }) => title === "Error");
  const ids = error?.properties?.["id"]?.anyOf;
  const nullErrorId = ids === undefined || ids.some(({ type }) => type === "null");
  const envelopes = { ...(batches && { batches }), ...(!nullErrorId && { nullErrorId }) };
  const text = JSON.stringify(schema);
  const markers = Object.keys(KEYWORDS).filter((keyword) => KEYWORDS[keyword] === "marker");
  const publishes = markers.filter((keyword) => text.includes(`"${keyword}":`));
  const entries = new Map<string, Json>(Object.entries(document));
  const isGone = (feature: string): boolean =>
    documents.get(featurePath(version, feature)) === undefined;
  const promoted = new Map(Object.entries(old as JsonObject).filter(([name]) => isGone(name)));
  for (const [name, { feature }] of present.definitions)
    if (feature !== "" && isGone(feature) && surfaces.stable.has(name))
      promoted.set(feature, release.upstream?.release ?? "the next release");
  if (promoted.size > 0) entries.set("promoted", withEntries(old as JsonObject, promoted));
  if (publishes.length > 0) entries.set("publishes", publishes);
  if (Object.keys(envelopes).length > 0) entries.set("envelopes", envelopes);
  if (release.upstream !== undefined && release.digests.has(version)) {
    const digests = Object.assign(
      {},
      ...[version, `${version}-unstable`].map((one) => release.digests.get(one)),
    );
    entries.set(
      "upstream",
      withEntries(
        document["upstream"] as JsonObject,
        new Map(Object.entries({ ...release.upstream, digests })),
      ),
    );
  }
  documents.set(path, withEntries(documents.get(path), entries));
}
