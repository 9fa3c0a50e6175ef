import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BundleDefinition } from "../schema/compose/bundle.js";
import { compareSchemas, type Change, type Comparison } from "../schema/compare/changes.js";
import { compose } from "../schema/compose.js";
import type { JsonSchema } from "../schema/json-schema/json.js";
import { loadDialect, readJson } from "../schema/source/load.js";
import { loadSources } from "../schema/source/load-sources.js";
import { publishSchema } from "../schema/compose/publish.js";
import { InputError, jsonPointer } from "../schema/problem.js";
import type { Sources } from "../schema/source/sources.js";
import { unionKeyword, variantName, variantsOf } from "../schema/json-schema/variants.js";
import {
  findReleasedSchema,
  noSuchSchema,
  parseReleased,
  refusePackage,
  withReleased,
} from "./inputs/released.js";
import { SCHEMA } from "./installation.js";
import { displayPath, unknownName } from "./messages.js";

/** A change, and in named profiles the feature that has added what has changed. */
export interface FoundChange extends Change {
  readonly feature?: string;
}

export interface FoundComparison extends Comparison {
  readonly changes: readonly FoundChange[];
}

/**
 * Compares two schemas by structure.
 *
 * @param before a profile's name, the path of a schema file, or `<released package>#<profile>`; likewise `after`
 * @param directory the folder with the canonical schema; the one that comes with the tool when absent
 * @returns the changes by pointer with their impact, and the worst impact
 * @throws InputError when one of them does not exist or is not a schema
 */
export async function diff(
  before: string,
  after: string,
  directory: string = SCHEMA,
): Promise<FoundComparison> {
  const sources = loadSources(directory);
  const [a, b] = [
    await readSide(before, sources, directory).catch(asUsage),
    await readSide(after, sources, directory).catch(asUsage),
  ];
  const origin = new Map([...a.features, ...b.features]);
  const comparison = compareSchemas(a.schema, b.schema);
  const changes = comparison.changes.map((change): FoundChange => {
    const feature = featureAt(change.pointer, origin);
    return { ...change, ...(feature !== undefined && { feature }) };
  });
  return { ...comparison, changes };
}

/** Throws a schema's errors as wrong use, which exits with another code than a difference. */
function asUsage(error: unknown): never {
  if (error instanceof InputError) throw new InputError(error.problems, "usage");
  throw error;
}

/** Returns the feature that has added the innermost element around a pointer. */
function featureAt(pointer: string, origin: ReadonlyMap<string, string>): string | undefined {
  for (let path = pointer; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const feature = origin.get(path);
    if (feature !== undefined) return feature;
  }
  return undefined;
}

interface Side {
  readonly schema: JsonSchema;
  /** The feature of what a feature adds, by pointer. */
  readonly features: ReadonlyMap<string, string>;
}

async function readSide(name: string, sources: Sources, directory: string): Promise<Side> {
  if (sources.profiles.has(name)) return readProfile(name, sources);
  if (existsSync(name)) {
    refusePackage(name);
    return readFile(name, displayPath(name), directory);
  }
  const released = parseReleased(name);
  if (released === undefined) {
    throw unknownName("profile or schema file", name, sources.profiles.keys());
  }
  return withReleased(released, (folder) => {
    const schema = join(folder, "schema");
    if (existsSync(join(schema, "profiles.json"))) {
      const packaged = loadSources(schema);
      if (packaged.profiles.has(released.name)) return readProfile(released.name, packaged);
      throw noSuchSchema(released, packaged.profiles.keys());
    }
    const path = findReleasedSchema(folder, released);
    return readFile(join(folder, path), `${released.path}#${path}`, directory);
  });
}

function readProfile(name: string, sources: Sources): Side {
  const profile = sources.profiles.get(name)!;
  const bundle = compose(sources.protocols.get(profile.protocol)!, profile.features);
  const pointers = [...bundle.definitions.values()].flatMap(featurePointers);
  return { schema: publishSchema(bundle), features: new Map(pointers) };
}

function featurePointers({ name, schema, feature }: BundleDefinition): [string, string][] {
  const pointers: [string, string][] = [];
  const add = (path: readonly string[], by: string | undefined): void => {
    if (by !== undefined) pointers.push([jsonPointer(["$defs", name, ...path]), by]);
  };
  add([], feature);
  for (const [property, value] of Object.entries(schema.properties ?? {})) {
    add(["properties", property], value["x-feature"]);
  }
  for (const variant of variantsOf(schema)) {
    add([unionKeyword(schema)!, "variants", variantName(variant)], variant["x-feature"]);
  }
  return pointers;
}

/** @param file the name of the file in problems */
function readFile(path: string, file: string, directory: string): Side {
  const value = readJson(path, file);
  const problems = loadDialect(directory)("published", value, file);
  if (problems.length > 0) throw new InputError(problems);
  return { schema: value as JsonSchema, features: new Map() };
}
