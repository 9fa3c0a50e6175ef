import type { Part } from "./part.js";
import { referencesOf } from "../visit-shape.js";

/**
 * Sorts parts so that each follows those that it refers to, as expressions need that are evaluated
 * when the module is loaded. Parts that contain themselves have no such order; the first one comes last.
 */
export function inDependencyOrder<P extends Part>(parts: readonly P[]): readonly P[] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const sorted = new Set<P>();
  const underWay = new Set<P>();
  const visit = (part: P): void => {
    if (underWay.has(part)) return;
    underWay.add(part);
    for (const name of targetsOf(part)) {
      const target = byName.get(name);
      if (target !== undefined) visit(target);
    }
    sorted.add(part);
  };
  parts.forEach(visit);
  return [...sorted];
}

/** Returns the names of the parts that a part refers to. */
export function targetsOf(part: Part): readonly string[] {
  switch (part.kind) {
    case "record":
      return [...part.fields, ...(part.extra === undefined ? [] : [part.extra])].flatMap(
        ({ shape }) => referencesOf(shape),
      );
    case "choice":
      return [...part.cases.map((one) => one.part), part.fallback, part.absent].flatMap(
        (name) => name ?? [],
      );
    case "union":
      return part.alternatives.flatMap(({ shape }) => referencesOf(shape));
    case "alias":
      return referencesOf(part.shape);
    default:
      return part satisfies never;
  }
}

/** Returns parts with everything that their values can hold. */
export function reachableParts(
  starts: readonly Part[],
  parts: ReadonlyMap<string, Part>,
): ReadonlySet<Part> {
  const found = new Set(starts);
  for (const part of found) {
    const base = part.kind === "record" && part.base !== undefined ? [part.base] : [];
    for (const name of [...targetsOf(part), ...base]) found.add(parts.get(name)!);
  }
  return found;
}
