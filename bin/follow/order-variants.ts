import type { Json, JsonObject, JsonSchema } from "../../generators/schema/json-schema/json.js";
import { insertVariants } from "../../generators/schema/compose/feature-additions.js";
import {
  unionKeyword,
  variantName,
  variantsOf,
} from "../../generators/schema/json-schema/variants.js";
import { like, withEntries, type Documents } from "./documents.js";
import type { FollowedVersion } from "./lay-out.js";
import { predecessors } from "./methods.js";
import { featurePath } from "./present.js";

/** Says of added variants after which others they stand, where a union's order is otherwise another. */
export function orderVariants(
  documents: Documents,
  { present, surfaces, owners }: FollowedVersion,
): void {
  const features = [...new Set([...owners.parts.values()].map(({ feature }) => feature))].sort();
  for (const [name, schema] of surfaces.unstable) {
    const keyword = unionKeyword(schema);
    if (keyword === undefined) continue;
    const published = variantsOf(schema).map(variantName);
    const base = variantsOf(schema).filter(
      (one) => !owners.parts.has(`${name}/${variantName(one)}`),
    );
    const names = new Set(base.map(variantName));
    const added = (): JsonSchema[] =>
      features.flatMap((feature) => {
        const document = documents.get(featurePath(present.version, feature));
        const all = [document?.["add"], ...Object.values((document?.["with"] ?? {}) as JsonObject)];
        return all.flatMap(
          (one) =>
            ((one as { [name: string]: JsonSchema })?.[name]?.[keyword] ?? []) as JsonSchema[],
        );
      });
    const isRight = (): boolean =>
      insertVariants(base, added()).every((one, index) => variantName(one) === published[index]);
    for (const isNew of [true, false]) {
      if (isRight()) break;
      for (const feature of features) {
        const path = featurePath(present.version, feature);
        const edit = (additions: JsonObject | undefined): JsonObject | undefined => {
          const addition = additions?.[name] as JsonObject | undefined;
          if (addition?.[keyword] === undefined) return additions;
          const variants = (addition[keyword] as unknown as JsonSchema[]).map((variant) => {
            const known = present.parts.has(`${name}/${variantName(variant)}`);
            const after = predecessors(published, variantName(variant), (one) => names.has(one));
            if ((isNew && known) || after.length === 0) return variant as Json;
            return like(variant, { ...(variant as JsonObject), "x-after": after });
          });
          const now = withEntries(
            addition,
            new Map(Object.entries({ ...addition, [keyword]: variants })),
          );
          return withEntries(additions, new Map(Object.entries({ ...additions, [name]: now })));
        };
        const document = documents.get(path)!;
        const changed = { ...document };
        if (document["add"] !== undefined) changed["add"] = edit(document["add"] as JsonObject)!;
        documents.set(path, like(document, changed));
      }
    }
  }
}
