import type { Protocol } from "../protocol.js";
import { buildParts } from "./build-parts.js";
import { propertyPath } from "./name-parts.js";
import type { Part } from "./part.js";

/**
 * Returns the names of all parts inside of definitions, and of alternatives and values of
 * enumerations, which a release publishes, and those that have been chosen for properties.
 *
 * @param protocols the protocol of each profile
 * @returns the names by version and path, sorted
 */
export function publishedNames(protocols: readonly Protocol[]): {
  readonly [version: string]: { readonly [path: string]: string };
} {
  const versions = [...new Set(protocols.map(({ version }) => version))].sort();
  return Object.fromEntries(
    versions.map((version) => {
      const parts = protocols
        .filter((protocol) => protocol.version === version)
        .flatMap((protocol) =>
          [...buildParts(protocol).values()].map((part) => [part, protocol.partNames] as const),
        );
      const names = parts.flatMap(([part, pins]) => [...namesOf(part), ...pinsOf(part, pins)]);
      return [version, Object.fromEntries(names.sort(([one], [other]) => (one < other ? -1 : 1)))];
    }),
  );
}

/** Returns the names that have been chosen for properties of a record, by path. */
function pinsOf(
  part: Part,
  pins: Protocol["partNames"],
): readonly (readonly [path: string, name: string])[] {
  if (part.kind !== "record") return [];
  const paths = [...part.words.keys()].map((property) => propertyPath(part.path, property));
  return paths.flatMap((path) => (pins[path] === undefined ? [] : [[path, pins[path]] as const]));
}

/** Returns the names in a part that are none of definitions, by path. */
function namesOf(part: Part): readonly (readonly [path: string, name: string])[] {
  const path = part.path.join("/");
  const own = part.path.length > 1 ? [[path, part.name] as const] : [];
  if (part.kind === "alias")
    return [
      ...own,
      ...(part.values ?? []).map(({ value, name }) => [`${path}/${value}`, name] as const),
    ];
  if (part.kind !== "union") return own;
  const others = part.alternatives.filter(({ shape }) => shape.kind !== "reference");
  return [...own, ...others.map(({ title, name }) => [`${path}/${title}`, name] as const)];
}
