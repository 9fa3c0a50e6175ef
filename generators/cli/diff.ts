import { existsSync } from "node:fs";
import { relative } from "node:path";
import { colors as pc } from "./colors.js";
import { compose } from "../schema/compose.js";
import { diffSchemas, type Difference } from "../schema/diff.js";
import { isObject, type JsonSchema } from "../schema/json.js";
import { loadSources, readJson } from "../schema/load.js";
import { publishSchema } from "../schema/publish.js";
import { InputError } from "../schema/problem.js";
import type { Sources } from "../schema/sources.js";
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
  const [a, b] = [readSide(before, sources), readSide(after, sources)];
  const origin = new Map([...a.features, ...b.features]);
  return diffSchemas(a.schema, b.schema).map((difference) => {
    const definition = /^\/\$defs\/([^/]+)/.exec(difference.pointer)?.[1];
    const feature = definition === undefined ? undefined : origin.get(definition);
    return {
      ...difference,
      ...(definition !== undefined && { definition }),
      ...(feature !== undefined && { feature }),
    };
  });
}

interface Side {
  readonly schema: JsonSchema;
  /** The feature of each definition that a feature adds. */
  readonly features: ReadonlyMap<string, string>;
}

function readSide(name: string, sources: Sources): Side {
  const profile = sources.profiles.get(name);
  if (profile === undefined && !existsSync(name)) {
    throw unknownName("profile or schema file", name, sources.profiles.keys());
  }
  if (profile === undefined) return readFile(name);
  const bundle = compose(sources.protocols.get(profile.protocol)!, profile.features);
  const features = [...bundle.definitions.values()].flatMap((definition): [string, string][] =>
    definition.feature === undefined ? [] : [[definition.name, definition.feature]],
  );
  return { schema: publishSchema(bundle), features: new Map(features) };
}

function readFile(path: string): Side {
  const file = relative(process.cwd(), path) || path;
  const value = readJson(path, file);
  if (isObject(value) && isObject(value["$defs"]))
    return { schema: value as JsonSchema, features: new Map() };
  throw new InputError([
    { file, message: "is not a schema with $defs", hint: "Give a schema in upstream's format." },
  ]);
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
