import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../generators/schema/json-schema/json.js";
import { posix } from "node:path";
import { unionKeyword } from "../../generators/schema/json-schema/variants.js";
import type { Documents } from "./documents.js";
import { namedParts } from "./merge.js";

/** A definition in a document; the feature is empty in the base. */
export interface PresentDefinition {
  readonly path: string;
  readonly feature: string;
  readonly schema: JsonSchema;
}

/** What a feature adds to a definition, with another feature or alone. */
export interface PresentPart {
  readonly feature: string;
  readonly with?: string;
  readonly schema: JsonSchema;
}

/** What the documents say of one protocol version, as far as upstream publishes it. */
export interface Present {
  readonly version: string;
  /** The paths of the modules of the base. */
  readonly modules: readonly string[];
  /** The features that upstream publishes, with the paths of their documents. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  /** The features that a feature requires. */
  readonly requires: ReadonlyMap<string, readonly string[]>;
  readonly definitions: ReadonlyMap<string, PresentDefinition>;
  /** By definition and part: `Plan.entries`, `ToolKind/read`. */
  readonly parts: ReadonlyMap<string, PresentPart>;
  /** The documents with methods, and the feature of each. */
  readonly methods: ReadonlyMap<string, string>;
}

/** Reads what the documents say of a protocol version. */
export function readPresent(documents: Documents, version: string): Present {
  const profiles = documents.get("profiles.json")!["profiles"] as JsonObject;
  const { features: published } = profiles[`${version}-unstable`] as { features: string[] };
  const { modules: listed } = documents.get(`${version}/protocol.json`) as unknown as {
    modules: string[];
  };
  const modules = listed.map((path) => posix.join(version, path));
  const definitions = new Map<string, PresentDefinition>();
  const parts = new Map<string, PresentPart>();
  const read = (path: string, feature: string): void => {
    const { $defs = {} } = documents.get(path) as { $defs?: JsonObject };
    for (const [name, schema] of Object.entries($defs))
      definitions.set(name, { path, feature, schema: schema as JsonSchema });
  };
  for (const path of modules) read(path, "");
  const features = new Map<string, readonly string[]>();
  const requires = new Map<string, readonly string[]>();
  for (const feature of published) {
    const path = featurePath(version, feature);
    const document = documents.get(path)!;
    requires.set(feature, (document["requires"] ?? []) as string[]);
    const included = ((document["include"] ?? []) as string[]).map((one) =>
      posix.join(posix.dirname(path), one),
    );
    features.set(feature, [path, ...included]);
    for (const one of [path, ...included]) read(one, feature);
    const add = (additions: Json | undefined, other?: string): void => {
      for (const [name, addition] of Object.entries(
        (additions ?? {}) as { [name: string]: JsonSchema },
      ))
        for (const [end, schema] of namedParts(addition))
          parts.set(name + end, { feature, schema, ...(other !== undefined && { with: other }) });
    };
    add(document["add"]);
    for (const [other, additions] of Object.entries((document["with"] ?? {}) as JsonObject))
      add(additions, other);
  }
  const methods = new Map([
    ...modules.map((path) => [path, ""] as const),
    ...published.map((feature) => [featurePath(version, feature), feature] as const),
  ]);
  return { version, modules, features, requires, definitions, parts, methods };
}

export function featurePath(version: string, feature: string): string {
  return `${version}/features/${feature}.json`;
}

/** Returns a definition with all that features add to it, so that no text is lost when it moves. */
export function completeDefinition(present: Present, name: string): JsonSchema | undefined {
  const known = present.definitions.get(name)?.schema;
  if (known === undefined) return undefined;
  const added = [...present.parts].filter(([place]) => place.split(/[./]/)[0] === name);
  return added.reduce(
    (schema, [place, part]) => withPart(schema, place.slice(name.length), part.schema),
    known,
  );
}

function withPart(schema: JsonSchema, end: string, part: JsonSchema): JsonSchema {
  if (end.startsWith("."))
    return { ...schema, properties: { ...schema.properties, [end.slice(1)]: part } };
  const keyword = unionKeyword(schema) ?? "anyOf";
  const { "x-after": _, ...variant } = part;
  return { ...schema, [keyword]: [...(schema[keyword] ?? []), variant] };
}

/** Returns the definitions that a value refers to. */
export function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value as Json)) return [];
  return Object.entries(value as JsonObject).flatMap(([key, part]) =>
    key === "$ref" && typeof part === "string"
      ? [part.slice("#/$defs/".length)]
      : referencesIn(part),
  );
}
