import type { Definition } from "../../../model/protocol.js";
import type { CodeSpan } from "../../../output/markup.js";
import type { Change } from "../../../schema/compare/changes.js";
import { parsePointer } from "../../../schema/problem.js";
import { alternativesOf, shapeParts, type ShapePart } from "../model/shape-parts.js";
import { typeCode } from "../components/type-code.js";
import type { TypeLinks } from "../model/site.js";

/** A definition on one side of a comparison, and where the pages of that side are. */
export interface ComparedSide {
  readonly definition: Definition;
  readonly links: TypeLinks;
}

/** The path of a change below its definition. */
export function pathInside({ pointer }: Change): readonly string[] {
  return parsePointer(pointer).slice(2);
}

const STRUCTURE = ["properties", "variants", "anyOf", "oneOf", "allOf", "items"];

/** A readable path: the names of properties and variants, and the last keyword. */
export function partName(path: readonly string[]): string {
  return path
    .filter(
      (token, index) =>
        isName(path, index) || index === path.length - 1 || !STRUCTURE.includes(token),
    )
    .join(".");
}

export function isName(path: readonly string[], index: number): boolean {
  const owner = path[index - 1];
  return (owner === "properties" || owner === "variants") && !isName(path, index - 1);
}

/** The type of a direct property or variant of a definition; undefined for deeper parts. */
export function codeAt(
  path: readonly string[],
  { definition, links }: ComparedSide,
): CodeSpan | undefined {
  const part =
    path.length === (path[0] === "properties" ? 2 : 3) ? partAt(path, definition) : undefined;
  return part?.slot && typeCode(part.slot, links);
}

/** The feature of the property, variant or value that a path starts with. */
export function featureAt(path: readonly string[], definition: Definition): string | undefined {
  return partAt(path, definition)?.feature;
}

function partAt(
  [root, second, third]: readonly string[],
  { shape }: Definition,
): ShapePart | undefined {
  if (root === "properties") return shapeParts(shape).find(({ name }) => name === second);
  if (second !== "variants") return undefined;
  return alternativesOf(shape).find(({ name }) => name === third);
}
