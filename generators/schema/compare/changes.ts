import { diffSchemas, normalText, type Difference } from "./diff.js";
import { classifyDifference, worstOf, type Impact, type Impacts } from "./impact.js";
import type { JsonSchema } from "../json-schema/json.js";
import { unionKeyword, variantsOf } from "../json-schema/variants.js";
import { jsonPointer, parsePointer } from "../problem.js";
import { applyRenames, findRenames } from "./renames.js";

/** A difference and what it is part of. */
export interface PlacedDifference extends Difference {
  /** The definition it is in, by its new name; absent for the root of the schema. */
  readonly definition?: string;
}

/** A difference, what it is part of and what it does. */
export interface Change extends PlacedDifference, Impacts {}

/** The comparison of two schemas, definition by definition. */
export interface Comparison {
  /** By name: renamed definitions count as removed and added. */
  readonly counts: {
    readonly common: number;
    readonly identical: number;
    readonly changed: number;
    readonly added: number;
    readonly removed: number;
    readonly renamed: number;
  };
  /** The worst of all changes. */
  readonly sender: Impact;
  readonly receiver: Impact;
  /** Sorted by location. */
  readonly changes: readonly Change[];
}

/**
 * Compares two published schemas and says what each change does to senders and
 * receivers.
 */
export function compareSchemas(before: JsonSchema, after: JsonSchema): Comparison {
  return classifyAll(placedDifferences(before, after), before, after);
}

/** Says what differences of two schemas do; as `compareSchemas`, for differences that are known. */
export function classifyAll(
  { start, differences }: PlacedDifferences,
  before: JsonSchema,
  after: JsonSchema,
): Comparison {
  const changes = differences.map((difference): Change => ({
    ...difference,
    ...classifyDifference(difference, { before: start, after }),
  }));
  const renamed = changes.filter(({ kind }) => kind === "renamed").length;
  return { counts: { ...countDefinitions(before, after), renamed }, ...worstOf(changes), changes };
}

/** The differences of two schemas. */
export interface PlacedDifferences {
  /** The former schema with the later names of definitions. */
  readonly start: JsonSchema;
  /** Those from `start`, sorted by location. */
  readonly differences: readonly PlacedDifference[];
}

/** Compares two published schemas. */
export function placedDifferences(before: JsonSchema, after: JsonSchema): PlacedDifferences {
  const renames = findRenames(before, after);
  const start = applyRenames(before, renames);
  const moved = renames.map(({ from, to }): Difference => ({
    pointer: jsonPointer(["$defs", to]),
    kind: "renamed",
    before: from,
    after: to,
  }));
  const differences = [...moved, ...diffSchemas(start, after), ...retitled(start, after)]
    .map((difference): PlacedDifference => {
      const name = definitionOf(difference.pointer);
      return name === undefined ? difference : { ...difference, definition: name };
    })
    .sort((a, b) => (a.pointer < b.pointer ? -1 : a.pointer > b.pointer ? 1 : 0));
  return { start, differences };
}

/** Finds integers with other titles than before: titles name the generated constants. */
function retitled(
  { $defs: before = {} }: JsonSchema,
  { $defs: after = {} }: JsonSchema,
): Difference[] {
  return Object.entries(after).flatMap(([name, schema]) => {
    const old = new Map(variantsOf(before[name] ?? {}).map((one) => [one.const, one.title]));
    return variantsOf(schema).flatMap(({ const: value, title }): Difference[] => {
      const former = old.get(value);
      if (typeof value !== "number" || former === undefined || title === undefined) return [];
      if (former === title) return [];
      const pointer = jsonPointer([
        "$defs",
        name,
        unionKeyword(schema)!,
        "variants",
        `${value}`,
        "title",
      ]);
      return [{ pointer, kind: "changed", before: former, after: title }];
    });
  });
}

function countDefinitions(
  { $defs: before = {} }: JsonSchema,
  { $defs: after = {} }: JsonSchema,
): Omit<Comparison["counts"], "renamed"> {
  const common = Object.keys(before).filter((name) => Object.hasOwn(after, name));
  const identical = common.filter((name) => normalText(before[name]!) === normalText(after[name]!));
  return {
    common: common.length,
    identical: identical.length,
    changed: common.length - identical.length,
    added: Object.keys(after).length - common.length,
    removed: Object.keys(before).length - common.length,
  };
}

/** The definition that a pointer leads into. */
export function definitionOf(pointer: string): string | undefined {
  const [area, name] = parsePointer(pointer);
  return area === "$defs" ? name : undefined;
}
