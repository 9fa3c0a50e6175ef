import { existsSync } from "node:fs";
import { relative } from "node:path";
import { colors as pc } from "./colors.js";
import type { BundleDefinition } from "../schema/bundle.js";
import { compose } from "../schema/compose.js";
import { diffSchemas, type Difference } from "../schema/diff.js";
import type { JsonSchema } from "../schema/json.js";
import { loadDialect, loadSources, readJson } from "../schema/load.js";
import { publishSchema } from "../schema/publish.js";
import { InputError, jsonPointer } from "../schema/problem.js";
import type { Sources } from "../schema/sources.js";
import { unionKeyword, variantName, variantsOf } from "../schema/variants.js";
import { unknownName } from "./usage.js";

/** A difference, and what it is part of. */
export interface FoundDifference extends Difference {
  /** The definition it is in; absent for the root of the schema. */
  readonly definition?: string;
  /** The feature that adds the definition, in our own profiles. */
  readonly feature?: string;
}

/**
 * Compares two schemas by structure.
 *
 * @param before a profile's name or the path of a schema file; likewise `after`
 * @returns the differences sorted by definition
 * @throws InputError when one of them does not exist or is not a schema
 */
export function diff(before: string, after: string, directory: string): FoundDifference[] {
  const sources = loadSources(directory);
  const [a, b] = [readSide(before, sources, directory), readSide(after, sources, directory)];
  const origin = new Map([...a.features, ...b.features]);
  return diffSchemas(a.schema, b.schema).map((difference) => {
    const definition = /^\/\$defs\/([^/]+)/.exec(difference.pointer)?.[1];
    const feature = featureAt(difference.pointer, origin);
    return {
      ...difference,
      ...(definition !== undefined && { definition }),
      ...(feature !== undefined && { feature }),
    };
  });
}

/** The feature of the innermost place around a pointer that a feature adds. */
function featureAt(pointer: string, origin: ReadonlyMap<string, string>): string | undefined {
  for (let place = pointer; place !== ""; place = place.slice(0, place.lastIndexOf("/"))) {
    const feature = origin.get(place);
    if (feature !== undefined) return feature;
  }
  return undefined;
}

interface Side {
  readonly schema: JsonSchema;
  /** The feature of what a feature adds, by its place in a difference. */
  readonly features: ReadonlyMap<string, string>;
}

function readSide(name: string, sources: Sources, directory: string): Side {
  const profile = sources.profiles.get(name);
  if (profile === undefined && !existsSync(name)) {
    throw unknownName("profile or schema file", name, sources.profiles.keys());
  }
  if (profile === undefined) return readFile(name, directory);
  const bundle = compose(sources.protocols.get(profile.protocol)!, profile.features);
  const places = [...bundle.definitions.values()].flatMap(featurePlaces);
  return { schema: publishSchema(bundle), features: new Map(places) };
}

function featurePlaces({ name, schema, feature }: BundleDefinition): [string, string][] {
  const places: [string, string][] = [];
  const add = (path: readonly string[], by: string | undefined): void => {
    if (by !== undefined) places.push([jsonPointer(["$defs", name, ...path]), by]);
  };
  add([], feature);
  for (const [property, value] of Object.entries(schema.properties ?? {})) {
    add(["properties", property], value["x-feature"]);
  }
  for (const variant of variantsOf(schema)) {
    add([unionKeyword(schema)!, "variants", variantName(variant)], variant["x-feature"]);
  }
  return places;
}

function readFile(path: string, directory: string): Side {
  const file = relative(process.cwd(), path) || path;
  const value = readJson(path, file);
  const problems = loadDialect(directory)("published", value, file);
  if (problems.length > 0) throw new InputError(problems);
  return { schema: value as JsonSchema, features: new Map() };
}

/** The differences for people, grouped by definition. */
export function printDifferences(differences: readonly FoundDifference[]): string {
  const groups = new Map<string, FoundDifference[]>();
  for (const difference of differences) {
    const { definition = "(root)", feature } = difference;
    const title = feature === undefined ? definition : `${definition} [${feature}]`;
    groups.set(title, [...(groups.get(title) ?? []), difference]);
  }
  const blocks = [...groups].map(([title, members]) =>
    [pc.bold(title), ...members.map(printDifference)].join("\n"),
  );
  return [...blocks, `${differences.length} differences in ${groups.size} definitions`].join("\n");
}

function printDifference({ pointer, kind, before, after }: FoundDifference): string {
  const place = pointer.replace(/^\/\$defs\/[^/]+/, "") || "/";
  switch (kind) {
    case "added":
      return pc.green(`  + ${place}: ${short(after)}`);
    case "removed":
      return pc.red(`  - ${place}: ${short(before)}`);
    case "changed":
      return pc.yellow(`  ~ ${place}: ${short(before)} -> ${short(after)}`);
    default:
      return kind satisfies never;
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
