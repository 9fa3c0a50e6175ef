import type { JsonSchema } from "../json-schema/json.js";
import { jsonPointer } from "../problem.js";
import type { Additions, FeatureSource, MethodSource, ProtocolSource } from "../source/sources.js";
import { variantName, variantsOf } from "../json-schema/variants.js";
import { walk, type Path } from "../json-schema/walk.js";

/** Where something is stated. */
interface Place {
  readonly file: string;
  /** JSON pointer tokens in the file. */
  readonly path: Path;
  /** The feature that states it; absent in the base. */
  readonly feature?: FeatureSource;
}

/** A definition, or what a feature adds to one. */
export interface StatedSchema extends Place {
  /** The definition's name. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Whether it is added to a definition that is stated elsewhere. */
  readonly isAddition: boolean;
  /** The feature that must be on as well, for it to be added. */
  readonly beside?: string;
}

export interface StatedMethod extends Place {
  readonly method: MethodSource;
}

/** Everything that the files of a protocol version state, not yet composed, for rules to look at. */
export interface Stated {
  readonly protocol: ProtocolSource;
  readonly schemas: readonly StatedSchema[];
  readonly methods: readonly StatedMethod[];
}

/** A schema inside a definition or an addition. */
export interface Part {
  readonly of: StatedSchema;
  readonly schema: JsonSchema;
  /** The way to it from the definition; empty for the definition itself. */
  readonly inside: Path;
}

/** Lays out what a protocol version and its features state, with its places. */
export function layOut(protocol: ProtocolSource): Stated {
  const features = [...protocol.features.values()];
  return {
    protocol,
    schemas: [
      ...protocol.modules.flatMap((module) => definitionsOf(module, {})),
      ...features.flatMap((feature) => [
        ...feature.modules.flatMap((module) => definitionsOf(module, { feature })),
        ...additionsOf(feature, feature.add, ["add"]),
        ...Object.entries(feature.with).flatMap(([beside, additions]) =>
          additionsOf(feature, additions, ["with", beside], beside),
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
): StatedSchema[] {
  return Object.entries(definitions).map(([name, schema]) => {
    return { ...origin, file, path: ["$defs", name], name, schema, isAddition: false };
  });
}

function additionsOf(
  feature: FeatureSource,
  additions: Additions,
  path: Path,
  beside?: string,
): StatedSchema[] {
  return Object.entries(additions).map(([name, schema]) => ({
    file: feature.file,
    path: [...path, name],
    feature,
    name,
    schema,
    isAddition: true,
    ...(beside !== undefined && { beside }),
  }));
}

function methodsOf(
  methods: readonly MethodSource[],
  origin: Pick<Place, "file" | "feature">,
): StatedMethod[] {
  return methods.map((method, index) => ({ ...origin, path: ["methods", index], method }));
}

/** Every schema that is stated, outermost first. */
export function partsOf({ schemas }: Pick<Stated, "schemas">): Part[] {
  const parts: Part[] = [];
  for (const of of schemas) walk(of.schema, (schema, inside) => parts.push({ of, schema, inside }));
  return parts;
}

/** The JSON pointer of a place inside a definition or an addition. */
export function pointerTo({ path }: Pick<Place, "path">, inside: Path = []): string {
  return jsonPointer([...path, ...inside]);
}

/** One step on the way into a schema: a keyword and, where it holds several schemas, which one. */
export interface SchemaStep {
  readonly keyword: string;
  readonly key?: string | number;
}

const KEYED = ["properties", "oneOf", "anyOf", "allOf"];

/** The way into a schema, step by step. A property may be called like a keyword. */
export function stepsOf(inside: Path): SchemaStep[] {
  const steps: SchemaStep[] = [];
  for (let index = 0; index < inside.length; index += 1) {
    const keyword = String(inside[index]);
    const key = inside[index + 1];
    if (KEYED.includes(keyword) && key !== undefined) {
      steps.push({ keyword, key });
      index += 1;
    } else steps.push({ keyword });
  }
  return steps;
}

/**
 * What people call a place inside a definition: `Plan.entries`, `ToolKind.read`,
 * `McpServer.http.url`. It stays the same when the order of variants changes.
 */
export function nameOf({ name, schema }: StatedSchema, inside: Path): string {
  let current: JsonSchema | undefined = schema;
  let text = name;
  for (const { keyword, key } of stepsOf(inside)) {
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
