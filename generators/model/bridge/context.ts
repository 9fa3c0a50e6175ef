import type {
  BridgeSource,
  LossCase,
  ConversionDirection,
  PairSource,
  Placed,
} from "../../schema/bridge/bridge-source.js";
import { jsonPointer, type Problem } from "../../schema/problem.js";
import type { Definition, Protocol } from "../protocol.js";
import type { Shape } from "../shape.js";
import { referencesOf } from "../visit-shape.js";
import type { DeclaredLoss, ConversionRule } from "./rules.js";

/** The state of building one direction: what was found so far. */
export interface Context {
  readonly direction: ConversionDirection;
  readonly source: BridgeSource;
  /** The definitions of the version that is converted, and of the one that results. */
  readonly from: ReadonlyMap<string, Definition>;
  readonly to: ReadonlyMap<string, Definition>;
  readonly rows: Map<string, ConversionRule | undefined>;
  readonly losses: DeclaredLoss[];
  readonly problems: Problem[];
  /** Entries and cases that have an effect, as pointers. */
  readonly used: Set<string>;
  /** Definitions that are converted or named as lost, of the version that is converted. */
  readonly covered: Set<string>;
}

/** The pair of definitions in which something stands. */
export interface Pair {
  /** The name in version 1. */
  readonly key: string;
  readonly from: Definition;
  readonly to: Definition;
  readonly entry?: Placed<PairSource>;
}

/** The place of a value in a pair, with the cases that apply to it. */
export interface Place {
  readonly pair: Pair;
  /** The pointer of its entry. */
  readonly path: readonly string[];
  /** For people: `Definition/property`. */
  readonly label: string;
  readonly cases?: readonly LossCase[];
}

/** Finds the rule of two shapes; undefined when every value can be kept. */
export type Align = (
  context: Context,
  from: Shape,
  to: Shape,
  at: Place,
) => ConversionRule | undefined;

export function createConversionContext(
  direction: ConversionDirection,
  source: BridgeSource,
  v1: Protocol,
  v2: Protocol,
): Context {
  const byName = ({ definitions }: Protocol): Map<string, Definition> =>
    new Map(definitions.map((definition) => [definition.name, definition]));
  const [from, to] = direction === "toV2" ? [v1, v2] : [v2, v1];
  return {
    direction,
    source,
    from: byName(from),
    to: byName(to),
    rows: new Map(),
    losses: [],
    problems: [],
    used: new Set(),
    covered: new Set(),
  };
}

/** Reports a place that is neither mapped nor named as lost. */
export function refuse(
  { direction, problems, used }: Context,
  { key, from, entry }: Pair,
  message: string,
  hint: string,
): void {
  const version = direction === "toV2" ? "v1" : "v2";
  if (entry !== undefined) used.add(jsonPointer(["definitions", key]));
  const place =
    entry === undefined
      ? {
          ...(from.file !== undefined && { file: from.file }),
          pointer: jsonPointer(["$defs", from.name]),
        }
      : { file: entry.file, pointer: jsonPointer(["definitions", key]) };
  problems.push({ ...place, message: `${from.name} of ${version}: ${message}`, hint });
}

/** Returns the case for a reason, and counts it as used. */
export function findCase(
  context: Context,
  path: readonly string[],
  cases: readonly LossCase[] | undefined,
  when: string,
): LossCase | undefined {
  const index = cases?.findIndex((one) => one.when === when) ?? -1;
  if (index < 0) return undefined;
  context.used.add(jsonPointer([...path, context.direction, index]));
  return cases![index];
}

/** Declares a loss once. Returns its index, or undefined when nothing is lost. */
export function declareLoss(
  { losses }: Context,
  place: string,
  when: string,
  { loss, text }: { readonly loss?: LossCase["loss"]; readonly text?: string },
): number | undefined {
  if (loss === undefined || loss === "none") return undefined;
  const index = losses.findIndex((other) => other.place === place && other.when === when);
  if (index >= 0) return index;
  return losses.push({ kind: loss, place, when, text: text! }) - 1;
}

/** Counts the definitions that a lost place refers to, directly or through others. */
export function coverReferences({ covered, from }: Context, shape: Shape): void {
  for (const name of referencesOf(shape)) {
    if (covered.has(name)) continue;
    covered.add(name);
    const definition = from.get(name);
    if (definition !== undefined) coverReferences({ covered, from } as Context, definition.shape);
  }
}

/** Returns what a shape refers to when that is a plain value, else the shape. */
export function resolvePlain(shape: Shape, definitions: ReadonlyMap<string, Definition>): Shape {
  if (shape.kind !== "reference") return shape;
  const target = definitions.get(shape.name)!.shape;
  const resolved = resolvePlain(target, definitions);
  return resolved.kind === "scalar" || resolved.kind === "any" ? resolved : shape;
}

/** Returns an object without the members that are undefined. */
export function defined<T extends object>(value: {
  readonly [Key in keyof T]: T[Key] | undefined;
}): T {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as T;
}

/** Returns the entry of the bridge's schema that declares a loss, as an example for messages. */
export function lossEntry(
  key: string,
  direction: ConversionDirection,
  loss: "dropped" | "rejected",
): string {
  return `"${key}": { "${direction}": [{ "when": "present", "loss": "${loss}", "text": "…" }] }`;
}
