import type { JsonSchema } from "../json-schema/json.js";
import { jsonPointer } from "../problem.js";
import type { Additions, FeatureSource, MethodSource, ProtocolSource } from "../source/sources.js";
import { variantName, variantsOf } from "../json-schema/variants.js";
import { walk, type Path } from "../json-schema/walk.js";

/** A location in the sources. */
interface Place {
  readonly file: string;
  /** JSON pointer tokens in the file. */
  readonly path: Path;
  /** The feature that it belongs to; absent in the base. */
  readonly feature?: FeatureSource;
}

/** A definition, or what a feature adds to one. */
export interface SourceSchema extends Place {
  /** The definition's name. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Whether it is added to a definition of another module. */
  readonly isAddition: boolean;
  /** The feature that must be on as well, for it to be added. */
  readonly withFeature?: string;
}

export interface SourceMethod extends Place {
  readonly method: MethodSource;
}

/** The contents of a protocol version's files before composition, as the rules read them. */
export interface SourceIndex {
  readonly protocol: ProtocolSource;
  readonly schemas: readonly SourceSchema[];
  readonly methods: readonly SourceMethod[];
}

/** A schema inside a definition or an addition. */
export interface SchemaPart {
  readonly of: SourceSchema;
  readonly schema: JsonSchema;
  /** The path from the definition; empty for the definition itself. */
  readonly path: Path;
}

/** Collects the contents of a protocol version and its features, with their places. */
export function indexSources(protocol: ProtocolSource): SourceIndex {
  const features = [...protocol.features.values()];
  return {
    protocol,
    schemas: [
      ...protocol.modules.flatMap((module) => definitionsOf(module, {})),
      ...features.flatMap((feature) => [
        ...feature.modules.flatMap((module) => definitionsOf(module, { feature })),
        ...additionsOf(feature, feature.add, ["add"]),
        ...Object.entries(feature.with).flatMap(([withFeature, additions]) =>
          additionsOf(feature, additions, ["with", withFeature], withFeature),
        ),
      ]),
    ],
    methods: [
      ...protocol.modules.flatMap(({ file, methods }) => methodsOf(methods, { file })),
      ...features.flatMap((feature) => methodsOf(feature.methods, { file: feature.file, feature })),
    ],
  };
}

function definitionsOf(
  { file, definitions }: FeatureSource["modules"][0],
  origin: Pick<Place, "feature">,
): SourceSchema[] {
  return Object.entries(definitions).map(([name, schema]) => {
    return { ...origin, file, path: ["$defs", name], name, schema, isAddition: false };
  });
}

function additionsOf(
  feature: FeatureSource,
  additions: Additions,
  path: Path,
  withFeature?: string,
): SourceSchema[] {
  return Object.entries(additions).map(([name, schema]) => ({
    file: feature.file,
    path: [...path, name],
    feature,
    name,
    schema,
    isAddition: true,
    ...(withFeature !== undefined && { withFeature }),
  }));
}

function methodsOf(
  methods: readonly MethodSource[],
  origin: Pick<Place, "file" | "feature">,
): SourceMethod[] {
  return methods.map((method, index) => ({ ...origin, path: ["methods", index], method }));
}

/** Returns every schema in the sources, outermost first. */
export function schemaParts({ schemas }: Pick<SourceIndex, "schemas">): SchemaPart[] {
  const parts: SchemaPart[] = [];
  for (const of of schemas) walk(of.schema, (schema, path) => parts.push({ of, schema, path }));
  return parts;
}

/** Returns the JSON pointer of a place inside a definition or an addition. */
export function pointerTo(place: Pick<Place, "path">, within: Path = []): string {
  return jsonPointer([...place.path, ...within]);
}

/** One step of a path into a schema: a keyword and, where it holds several schemas, the key of one. */
export interface SchemaStep {
  readonly keyword: string;
  readonly key?: string | number;
}

const KEYED = ["properties", "oneOf", "anyOf", "allOf"];

/** Splits a path into a schema into steps. A property may have the name of a keyword. */
export function stepsOf(path: Path): SchemaStep[] {
  const steps: SchemaStep[] = [];
  for (let index = 0; index < path.length; index += 1) {
    const keyword = String(path[index]);
    const key = path[index + 1];
    if (KEYED.includes(keyword) && key !== undefined) {
      steps.push({ keyword, key });
      index += 1;
    } else steps.push({ keyword });
  }
  return steps;
}

/**
 * Names a place inside a definition: `Plan.entries`, `ToolKind.read`, `McpServer.http.url`.
 * The name does not depend on the order of variants.
 */
export function placeName({ name, schema }: SourceSchema, path: Path): string {
  let current: JsonSchema | undefined = schema;
  let text = name;
  for (const { keyword, key } of stepsOf(path)) {
    if (keyword === "properties") {
      current = current?.properties?.[String(key)];
      text += `.${key}`;
    } else if (keyword === "oneOf" || keyword === "anyOf") {
      current = current === undefined ? undefined : variantsOf(current)[Number(key)];
      text += `.${(current && variantName(current)) || key}`;
    } else {
      current = undefined;
      text += `.${keyword}`;
    }
  }
  return text;
}
