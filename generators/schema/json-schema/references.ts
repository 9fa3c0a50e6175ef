import type { JsonSchema } from "./json.js";

/** Definitions by their names. */
export type Definitions = { readonly [name: string]: JsonSchema };

const PREFIX = "#/$defs/";

/** Returns the name of the definition that a schema's own `$ref` points to; `undefined` without a local one. */
export function referencedName({ $ref }: { readonly $ref?: unknown }): string | undefined {
  return typeof $ref === "string" && $ref.startsWith(PREFIX)
    ? $ref.slice(PREFIX.length)
    : undefined;
}

/**
 * Returns the definition that a schema's own `$ref` points to; `undefined` without a local one, and
 * for a name that is not defined.
 */
export function referencedSchema(
  schema: JsonSchema,
  definitions: Definitions,
): JsonSchema | undefined {
  const name = referencedName(schema);
  return name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** Checks whether following arrows from a name leads back to it. */
export function leadsToItself(start: string, next: (name: string) => readonly string[]): boolean {
  const seen = new Set<string>();
  const queue = [...next(start)];
  while (queue.length > 0) {
    const name = queue.pop()!;
    if (name === start) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...next(name));
  }
  return false;
}

/**
 * Orders names so that each follows all that its arrows lead to. Names
 * that lead into a circle have no place and are left out.
 */
export function targetsFirst(arrows: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const sources = new Map<string, string[]>();
  const waiting = new Map<string, number>();
  for (const [name, targets] of arrows) {
    const known = targets.filter((target) => arrows.has(target));
    waiting.set(name, known.length);
    for (const target of known) {
      const others = sources.get(target);
      if (others === undefined) sources.set(target, [name]);
      else others.push(name);
    }
  }
  const order = [...arrows.keys()].filter((name) => waiting.get(name) === 0);
  for (const name of order) {
    for (const source of sources.get(name) ?? []) {
      const left = waiting.get(source)! - 1;
      waiting.set(source, left);
      if (left === 0) order.push(source);
    }
  }
  return order;
}
