import type { BundleDefinition } from "./bundle.js";
import type { JsonSchema } from "../json-schema/json.js";
import { unionKeyword, variantName, variantsOf } from "../json-schema/variants.js";
import { jsonPointer, type Problem } from "../problem.js";
import type { Additions, FeatureSource } from "../source/sources.js";

type Path = readonly (string | number)[];

/**
 * Returns the file and pointer of a part of a definition: in the file of the feature that has added
 * the part, otherwise in that of the definition.
 *
 * @param path the part in the composed definition
 * @param features the features that are on
 */
export function locatePart(
  { name, schema, file }: BundleDefinition,
  path: Path,
  features: readonly FeatureSource[],
): Pick<Problem, "file" | "pointer"> {
  const [keyword, key, ...inside] = path;
  const part =
    keyword === "properties"
      ? schema.properties?.[String(key)]
      : keyword !== undefined && keyword === unionKeyword(schema)
        ? variantsOf(schema)[Number(key)]
        : undefined;
  const feature = features.find((one) => one.name === part?.["x-feature"]);
  if (part !== undefined && feature !== undefined) {
    const withOthers = Object.entries(feature.with).map(([other, one]) => ({
      at: ["with", other],
      additions: one,
    }));
    for (const { at, additions } of [{ at: ["add"], additions: feature.add }, ...withOthers]) {
      const own = indexIn(additions, name, String(keyword), String(key), part);
      if (own !== undefined)
        return {
          file: feature.file,
          pointer: jsonPointer([...at, name, keyword!, own, ...inside]),
        };
    }
  }
  return {
    ...(file !== undefined && { file }),
    pointer: jsonPointer(["$defs", name, ...path]),
  };
}

/** Returns the name or index of an added part among the additions of a feature. */
function indexIn(
  additions: Additions,
  definition: string,
  keyword: string,
  key: string,
  part: JsonSchema,
): string | number | undefined {
  const addition = Object.hasOwn(additions, definition) ? additions[definition]! : {};
  if (keyword === "properties")
    return Object.hasOwn(addition.properties ?? {}, key) ? key : undefined;
  const index = variantsOf(addition).findIndex(
    (variant) => variantName(variant) === variantName(part),
  );
  return index < 0 ? undefined : index;
}
