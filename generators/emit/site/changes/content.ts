import type { Protocol } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import { reachable } from "../../../model/visit-shape.js";
import { placedDifferences, type PlacedDifferences } from "../../../schema/compare/changes.js";
import { compareGates, type GateChange } from "./gate-changes.js";

/** The differences between the definitions of two profiles. */
export interface ContentComparison extends PlacedDifferences {
  readonly from: Protocol;
  readonly to: Protocol;
  /** Changes in the gates of parts of definitions that both have. */
  readonly gates: readonly GateChange[];
  /** The definitions that both have and that differ, by their later names. */
  readonly changed: ReadonlySet<string>;
  /** The later names of definitions by their former ones. */
  readonly renames: ReadonlyMap<string, string>;
}

/** The same definition, or the one in its place, in both profiles. */
export type Root = readonly [before: string | undefined, after: string | undefined];

/** The differences in definitions and in everything that they refer to. */
export interface ContentDifference {
  /** The definitions themselves that differ, by their later names. */
  readonly own: readonly string[];
  /** The definitions at any depth below them that both profiles have and that differ. */
  readonly inside: readonly string[];
}

const comparisons = new WeakMap<Protocol, WeakMap<Protocol, ContentComparison>>();

/** Returns what differs between two profiles, computed once. */
export function compareContent(from: Protocol, to: Protocol): ContentComparison {
  const known = comparisons.get(from) ?? new WeakMap<Protocol, ContentComparison>();
  comparisons.set(from, known);
  const found = known.get(to) ?? compare(from, to);
  known.set(to, found);
  return found;
}

function compare(from: Protocol, to: Protocol): ContentComparison {
  const { start, differences } = placedDifferences(from.schema, to.schema);
  const gates = compareGates(from, to);
  const names = differences
    .filter(({ kind, pointer }) => kind !== "renamed" && !/\/(order|not)$/.test(pointer))
    .flatMap(({ definition }) => definition ?? []);
  const renames = differences.flatMap((change) =>
    change.kind === "renamed" ? [[String(change.before), String(change.after)] as const] : [],
  );
  return {
    ...{ from, to, start, differences, gates },
    changed: new Set([...names, ...gates.map(({ definition }) => definition)]),
    renames: new Map(renames),
  };
}

/** Compares definitions of two profiles with everything that they refer to. */
export function contentDifference(
  roots: readonly Root[],
  { from, to, changed, renames }: ContentComparison,
): ContentDifference {
  const present = roots.flatMap(([before, after]) =>
    before === undefined || after === undefined ? [] : [{ before, after }],
  );
  const own = present.filter(
    ({ before, after }) => changed.has(after) || (renames.get(before) ?? before) !== after,
  );
  const old = new Set(
    present
      .flatMap(({ before }) => [...reach(before, from)])
      .map((name) => renames.get(name) ?? name),
  );
  const inside = new Set(present.flatMap(({ after }) => [...reach(after, to)]));
  for (const { after } of present) inside.delete(after);
  return {
    own: own.map(({ after }) => after),
    inside: [...inside].filter((name) => old.has(name) && changed.has(name)).sort(),
  };
}

/** What each definition of a profile refers to, as far as that was asked for. */
interface Reached {
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly names: Map<string, ReadonlySet<string>>;
}

const reached = new WeakMap<Protocol, Reached>();

/** Returns a definition with everything that it refers to, at any depth. */
function reach(name: string, protocol: Protocol): ReadonlySet<string> {
  const { shapes, names } = reached.get(protocol) ?? {
    shapes: new Map(protocol.definitions.map((one) => [one.name, one.shape])),
    names: new Map<string, ReadonlySet<string>>(),
  };
  reached.set(protocol, { shapes, names });
  const own = names.get(name) ?? reachable([name], (inner) => shapes.get(inner)!);
  names.set(name, own);
  return own;
}
