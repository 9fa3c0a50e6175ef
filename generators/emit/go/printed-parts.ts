import { fieldsOf } from "../../model/parts/fields-of.js";
import type { Part } from "../../model/parts/part.js";
import type { Protocol } from "../../model/protocol.js";
import { reachable, referencesOf } from "../../model/visit-shape.js";

/**
 * Returns the parts that have types in Go. Where there are roles, envelopes have none, since no function
 * takes one; nor has what only envelopes refer to, or the body of variants that nothing else has.
 */
export function printedParts(
  parts: ReadonlyMap<string, Part>,
  { definitions, methods, initialize }: Pick<Protocol, "definitions" | "methods" | "initialize">,
): readonly Part[] {
  if (initialize === undefined) return [...parts.values()];
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  const messages = methods.flatMap(({ params, result = params }) => [params, result]);
  const envelopes = definitions.filter(({ envelope }) => envelope).map(({ name }) => name);
  const spoken = reachable([...messages, ...envelopes], (name) => shapes.get(name)!);
  const others = [...shapes.keys()].filter((name) => !spoken.has(name));
  const printed = new Set([...messages, ...others]);
  // Iterating a Set also visits items that are added meanwhile.
  for (const name of printed)
    for (const next of typesIn(parts.get(name)!, parts)) printed.add(next);
  return [...parts.values()].filter(({ name }) => printed.has(name));
}

/**
 * Returns the definitions whose names variants take: a definition that has no type of its own and is
 * the body of one variant alone.
 *
 * @returns by variant
 */
export function takenNames(printed: readonly Part[]): ReadonlyMap<string, string> {
  const names = new Set(printed.map(({ name }) => name));
  const bodies = printed.flatMap((part) =>
    part.kind === "record" && part.base !== undefined && !names.has(part.base)
      ? [{ part, base: part.base }]
      : [],
  );
  const taken = bodies.filter(
    ({ part, base }) =>
      part.fields.length === 0 && bodies.filter((one) => one.base === base).length === 1,
  );
  return new Map(taken.map(({ part, base }) => [part.name, base]));
}

/** Returns the parts whose types stand in that of a part. */
function typesIn(part: Part, parts: ReadonlyMap<string, Part>): readonly string[] {
  switch (part.kind) {
    case "record":
      return fieldsOf(part, parts).flatMap(({ shape }) => referencesOf(shape));
    case "alias":
      return referencesOf(part.shape);
    case "choice":
      return [...part.cases.map((one) => one.part), part.fallback, part.absent].flatMap(
        (name) => name ?? [],
      );
    case "union":
      return part.alternatives.flatMap(({ shape }) => referencesOf(shape));
    default:
      return part satisfies never;
  }
}
