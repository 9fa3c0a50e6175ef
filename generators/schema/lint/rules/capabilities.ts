import { pathsBelow, readGatePath, resolvePath } from "../../json-schema/gate-path.js";
import type { GateSource, JsonSchema } from "../../json-schema/json.js";
import { referencedName } from "../../json-schema/references.js";
import { findInitialize } from "../../source/find-initialize.js";
import type { FeatureSource } from "../../source/sources.js";
import { walk } from "../../json-schema/walk.js";
import type { SourceIndex } from "../source-index.js";

type Features = Pick<ReadonlySet<string>, "has">;

/** No feature: the capabilities of the base alone. */
export const NO_FEATURE: Features = new Set<string>();

/** All features: every capability there is. */
export const ANY_FEATURE: Features = { has: () => true };

/** Returns the names of a feature, of the features that it requires, and of the one that its addition depends on. */
export function withRequired(
  feature: FeatureSource,
  withFeature: string | undefined,
  { protocol }: SourceIndex,
): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [feature.name, ...(withFeature === undefined ? [] : [withFeature])];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...(protocol.features.get(name)?.requires ?? []));
  }
  return found;
}

/** Looks up definitions with the properties that some features add to them. */
export function createLookup(
  { schemas }: SourceIndex,
  on: Features,
): (name: string) => JsonSchema | undefined {
  const known = new Map<string, JsonSchema>();
  const isOn = ({ feature, withFeature }: SourceIndex["schemas"][0]): boolean =>
    (feature === undefined || on.has(feature.name)) &&
    (withFeature === undefined || on.has(withFeature));
  // Definitions come first, so that additions find what they add to.
  const index = schemas.filter(isOn).sort((a, b) => Number(a.isAddition) - Number(b.isAddition));
  for (const { name, schema, isAddition } of index) {
    const present = known.get(name);
    if (!isAddition) known.set(name, schema);
    else if (present !== undefined)
      known.set(name, { ...present, properties: { ...present.properties, ...schema.properties } });
  }
  return (name) => known.get(name);
}

/**
 * Whether the path of a gate is in an initialize message, as far as these
 * features are on. Gates on a session's state and gates that are always open
 * have no such path.
 */
export function hasCapability(gate: GateSource, index: SourceIndex, on: Features): boolean {
  const schemaOf = createLookup(index, on);
  const { client, agent } = advertisements(index);
  return [
    [gate.client, client],
    [gate.agent, agent],
  ].every(([path, message]) => {
    if (path === undefined) return true;
    const start = message === undefined ? undefined : schemaOf(message);
    return resolvePath(readGatePath(path), start, schemaOf) !== undefined;
  });
}

/** The paths of all capabilities that a side can advertise. */
export function capabilityPaths(index: SourceIndex, side: "agent" | "client"): readonly string[] {
  const schemaOf = createLookup(index, ANY_FEATURE);
  const message = advertisements(index)[side];
  const schema = message === undefined ? undefined : schemaOf(message);
  return schema === undefined ? [] : [...pathsBelow(schema, schemaOf)];
}

/** The names of the definitions that capabilities consist of. */
export function capabilityDefinitions(index: SourceIndex): ReadonlySet<string> {
  const schemaOf = createLookup(index, ANY_FEATURE);
  const found = new Set<string>();
  const visit = (schema: JsonSchema): void =>
    walk(schema, (part) => {
      const name = referencedName(part);
      const target = name === undefined || found.has(name) ? undefined : schemaOf(name);
      if (name === undefined || target === undefined) return;
      found.add(name);
      visit(target);
    });
  for (const message of Object.values(advertisements(index))) {
    const properties = message === undefined ? {} : schemaOf(message)?.properties;
    for (const [name, property] of Object.entries(properties ?? {}))
      if (/capabilities$/i.test(name)) visit(property);
  }
  return found;
}

/** The definitions of the messages in which each side advertises. */
function advertisements({ methods }: SourceIndex): {
  readonly client: string | undefined;
  readonly agent: string | undefined;
} {
  const initialize = findInitialize(methods.map(({ method }) => method));
  return { client: initialize?.params, agent: initialize?.result };
}
