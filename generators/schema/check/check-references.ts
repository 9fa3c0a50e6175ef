import type { BundleDefinition } from "../compose/bundle.js";
import type { JsonSchema } from "../json-schema/json.js";
import { jsonPointer, type Problem } from "../problem.js";
import { leadsToItself, referencedName, targetsFirst } from "../json-schema/references.js";

/** A value that does not match any of them is compared with all of them in turn. */
const MOST_ALTERNATIVES = 10_000;

/**
 * Reports circular references, and definitions that expand to too many alternatives: 30 levels of
 * two alternatives each give 2^30.
 */
export function checkReferences(
  definitions: ReadonlyMap<string, BundleDefinition>,
  problems: Problem[],
): void {
  const arrows = new Map(
    [...definitions].map(([name, { schema }]) => [name, directReferences(schema)]),
  );
  const add = (name: string, problem: Problem): void => {
    const file = definitions.get(name)?.file;
    const pointer = jsonPointer(["$defs", name]);
    problems.push({ ...(file !== undefined && { file }), pointer, ...problem });
  };
  const order = targetsFirst(arrows);
  const alternatives = new Map<string, number>();
  for (const name of order) {
    const parts = arrows.get(name)!.map((target) => alternatives.get(target) ?? 0);
    const count = parts.reduce((sum, part) => sum + part, 1);
    // Only the first of a chain is named.
    alternatives.set(name, Math.min(count, MOST_ALTERNATIVES));
    if (count > MOST_ALTERNATIVES && parts.every((part) => part < MOST_ALTERNATIVES)) {
      add(name, {
        message: `"${name}" expands to more than ${MOST_ALTERNATIVES} alternatives`,
        hint: "Refer to each definition once.",
      });
    }
  }
  const ended = new Set(order);
  for (const name of arrows.keys()) {
    if (ended.has(name) || !leadsToItself(name, (other) => arrows.get(other) ?? [])) continue;
    add(name, {
      message: `"${name}" refers only to itself`,
      hint: "Give it a type, or refer to another definition.",
    });
  }
}

/** Returns the references of a schema itself and of its alternatives, not of properties or items. */
function directReferences(schema: JsonSchema): string[] {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const own = referencedName(schema);
  return [...(own === undefined ? [] : [own]), ...parts.flatMap(directReferences)];
}
