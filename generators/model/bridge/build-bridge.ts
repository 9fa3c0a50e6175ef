import type {
  BridgeSource,
  ConversionDirection,
  Placed,
} from "../../schema/bridge/bridge-source.js";
import { didYouMean, jsonPointer, type Problem } from "../../schema/problem.js";
import type { Method, Protocol } from "../protocol.js";
import { pairOf } from "./align.js";
import {
  coverReferences,
  createConversionContext,
  declareLoss,
  defined,
  findCase,
  lossEntry,
  type Context,
} from "./context.js";
import type { Conversion, MethodRule } from "./rules.js";
import { simplify } from "./simplify.js";

/** Two profiles and how their messages are converted. */
export interface Bridge {
  readonly v1: Protocol;
  readonly v2: Protocol;
  /** The names of the pairs of definitions, by direction: the pair, then the names in both versions. */
  readonly pairs: readonly BridgePair[];
  readonly toV1: Conversion;
  readonly toV2: Conversion;
}

export interface BridgePair {
  readonly key: string;
  readonly v1: string;
  readonly v2: string;
  readonly only?: ConversionDirection;
}

/** A bridge, the problems of its mapping, and the entries that it needed. */
export interface BuiltBridge {
  readonly bridge: Bridge;
  readonly problems: readonly Problem[];
  readonly used: ReadonlySet<string>;
}

/**
 * Builds the conversions between two profiles, and checks that every definition, property, variant,
 * value and method of either is mapped or named as lost.
 */
export function buildBridge(source: BridgeSource, v1: Protocol, v2: Protocol): BuiltBridge {
  const toV2 = createConversionContext("toV2", source, v1, v2);
  const toV1 = createConversionContext("toV1", source, v1, v2);
  const pairs = pairsOf(source, toV2.from, toV1.from);
  for (const { v1: from, v2: to, only } of pairs) {
    if (only !== "toV1") pairOf(toV2, from, to);
    if (only !== "toV2") pairOf(toV1, to, from);
  }
  const methods = {
    toV2: alignMethods(toV2, v1.methods, v2.methods),
    toV1: alignMethods(toV1, v2.methods, v1.methods),
  };
  for (const context of [toV2, toV1]) refuseUncovered(context);
  return {
    bridge: {
      v1,
      v2,
      pairs,
      toV1: { rows: simplify(toV1.rows), losses: toV1.losses, methods: methods.toV1 },
      toV2: { rows: simplify(toV2.rows), losses: toV2.losses, methods: methods.toV2 },
    },
    problems: [...toV2.problems, ...toV1.problems],
    used: new Set([...toV2.used, ...toV1.used]),
  };
}

/** Returns the entries that exist in both profiles, and the definitions of one name. */
function pairsOf(source: BridgeSource, v1: Context["from"], v2: Context["from"]): BridgePair[] {
  const isPlain = (name: string): boolean => v1.get(name)?.envelope === false;
  const named = [...source.definitions].map(([key, { entry }]) =>
    defined<BridgePair>({ key, v1: key, v2: entry.v2 ?? key, only: entry.only }),
  );
  const listed = named.filter((pair) => isPlain(pair.v1) && v2.has(pair.v2));
  const same = [...v1.keys()]
    .filter((name) => isPlain(name) && v2.has(name) && !source.definitions.has(name))
    .map((name): BridgePair => ({ key: name, v1: name, v2: name }));
  return [...listed, ...same].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function alignMethods(
  context: Context,
  from: readonly Method[],
  to: readonly Method[],
): { readonly [method: string]: MethodRule } {
  const { direction, source, problems } = context;
  const rules = from.map((method): readonly [string, MethodRule] => {
    const { name, kind, side, params, result } = method;
    const renamed =
      direction === "toV1" && !to.some((one) => one.name === name)
        ? [...source.methods].find(([, { entry }]) => entry.rename === name)?.[0]
        : undefined;
    const key = renamed ?? name;
    const placed = source.methods.get(key);
    const path = ["methods", key];
    if (placed !== undefined) context.used.add(jsonPointer(path));
    const cases = placed?.entry[direction];
    const target = direction === "toV2" ? (placed?.entry.rename ?? name) : key;
    const other = to.find((one) => one.name === target && one.kind === kind && one.side === side);
    const found = findCase(context, path, cases, "present");
    const loss = found && declareLoss(context, key, "present", found);
    for (const message of [params, result ?? params])
      coverMessage(context, message, other === undefined);
    if (other === undefined && found === undefined)
      problems.push({
        file: placed?.file ?? "schema/bridge",
        pointer: jsonPointer(path),
        message: `the method ${name} of ${direction === "toV2" ? "v1" : "v2"} has no counterpart`,
        hint: `Map it under methods in schema/bridge, or say how it is lost: ${lossEntry(key, direction, "rejected")}.`,
      });
    const rule = {
      side,
      name: other?.name,
      params: other && pairKey(context, params, other.params),
      result: other && result && pairKey(context, result, other.result!),
      loss,
    };
    return [`${kind} ${name}`, defined<MethodRule>(rule)];
  });
  return Object.fromEntries(rules);
}

/** Counts the definitions of a message that cannot be sent as lost. */
function coverMessage(context: Context, name: string, isLost: boolean): void {
  if (!isLost) return;
  context.covered.add(name);
  const definition = context.from.get(name);
  if (definition !== undefined) coverReferences(context, definition.shape);
}

/** Returns the pair of the messages of a method; undefined when they have none, because the bridge's state makes them. */
function pairKey({ direction, source }: Context, from: string, to: string): string | undefined {
  const [key, other] = direction === "toV2" ? [from, to] : [to, from];
  const entry: Placed<{ readonly v2?: string }> | undefined = source.definitions.get(key);
  return (entry?.entry.v2 ?? key) === other ? key : undefined;
}

function refuseUncovered(context: Context): void {
  const { direction, from, covered, problems } = context;
  for (const { name, envelope, file } of from.values()) {
    if (envelope || covered.has(name)) continue;
    problems.push({
      ...(file !== undefined && { file }),
      pointer: jsonPointer(["$defs", name]),
      message: `the definition ${name} of ${direction === "toV2" ? "v1" : "v2"} has no counterpart`,
      hint: didYouMean(name, context.to.keys(), `Pair it under definitions in schema/bridge.`),
    });
  }
}
