import { Ajv2020 } from "ajv/dist/2020.js";
import type { BundleDefinition } from "../compose/bundle.js";
import { deriveDefinition } from "../compose/derive.js";
import { errorText } from "../json-schema/error-text.js";
import type { JsonSchema } from "../json-schema/json.js";
import { jsonPointer, type Problem } from "../problem.js";
import { referencedName } from "../json-schema/references.js";
import type { FeatureSource } from "../source/sources.js";
import { walk } from "../json-schema/walk.js";

type DefinitionMap = ReadonlyMap<string, BundleDefinition>;

/**
 * Finds defaults in features that do not fit the schema they stand in: a
 * receiver would insert what it would not accept. A test does the same for the
 * base, which would take as long here as all the rest of composing.
 *
 * @param features the features that are on
 * @param definitions the derived definitions
 */
export function checkDefaults(
  features: readonly FeatureSource[],
  definitions: DefinitionMap,
): Problem[] {
  let ajv: Ajv2020 | undefined;
  const problems: Problem[] = [];
  for (const { file, path, schemas } of features.flatMap((one) => sourcesOf(one, features))) {
    for (const [name, schema] of Object.entries(schemas)) {
      walk(schema, (part, inside) => {
        if (part.default === undefined) return;
        ajv ??= new Ajv2020({
          strict: false,
          validateFormats: false,
          validateSchema: false,
          verbose: true,
        });
        // The default of a reference may leave out what is completed.
        const derived = deriveDefinition(part, definitions, {});
        const $defs = reachableFrom(derived, definitions);
        if (ajv.validate({ ...derived, $defs }, derived.default)) return;
        problems.push({
          file,
          pointer: jsonPointer([...path, name, ...inside, "default"]),
          message: `the default does not fit its schema: it ${(ajv.errors ?? []).map(errorText).join(", ")}`,
          hint: "Correct the default or the schema.",
        });
      });
    }
  }
  return problems;
}

/** Schemas in one place of a file. */
interface Source {
  readonly file: string;
  readonly path: readonly string[];
  readonly schemas: { readonly [name: string]: JsonSchema };
}

/** Returns a feature's own schemas and its additions, alone and together with other selected features. */
function sourcesOf(
  { file, modules, add, with: withOthers }: FeatureSource,
  features: readonly FeatureSource[],
): Source[] {
  return [
    ...modules.map((module) => ({
      file: module.file,
      path: ["$defs"],
      schemas: module.definitions,
    })),
    { file, path: ["add"], schemas: add },
    ...features
      .filter(({ name }) => Object.hasOwn(withOthers, name))
      .map(({ name }) => ({ file, path: ["with", name], schemas: withOthers[name]! })),
  ];
}

/** The definitions that a schema leads to: far fewer than there are, so that it is quick to compile. */
function reachableFrom(
  schema: JsonSchema,
  definitions: DefinitionMap,
): { readonly [name: string]: JsonSchema } {
  const found = new Map<string, JsonSchema>();
  const visit = (part: JsonSchema): void => {
    const name = referencedName(part);
    if (name === undefined || found.has(name)) return;
    const target = definitions.get(name)!.schema;
    found.set(name, target);
    walk(target, visit);
  };
  walk(schema, visit);
  return Object.fromEntries(found);
}
