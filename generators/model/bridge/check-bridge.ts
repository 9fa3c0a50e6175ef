import type { BridgeSource, DirectedCases } from "../../schema/bridge/bridge-source.js";
import { jsonPointer, type Problem } from "../../schema/problem.js";
import type { Protocol } from "../protocol.js";
import { buildBridge, type Bridge } from "./build-bridge.js";

/** The conversions between all profiles that correspond, and the problems of their mapping. */
export interface CheckedBridges {
  readonly bridges: readonly Bridge[];
  readonly problems: readonly Problem[];
}

/**
 * Builds the conversions between the profiles of version 1 and version 2 that have the same name
 * besides the version, e.g. `v1-unstable` and `v2-unstable`.
 *
 * @returns the bridges, those with most features last, and every place that is neither mapped nor
 *   named as lost
 */
export function checkBridges(source: BridgeSource, protocols: readonly Protocol[]): CheckedBridges {
  const built = pairsOf(protocols).map(([v1, v2]) => buildBridge(source, v1, v2));
  const problems = new Map(
    built
      .flatMap((one) => one.problems)
      .map((problem) => [`${problem.file}#${problem.pointer} ${problem.message}`, problem]),
  );
  return {
    bridges: built
      .map(({ bridge }) => bridge)
      .sort((a, b) => a.v1.features.length - b.v1.features.length),
    problems: [...problems.values()],
  };
}

function pairsOf(protocols: readonly Protocol[]): (readonly [v1: Protocol, v2: Protocol])[] {
  const named = (version: string, profile: string): Protocol | undefined =>
    protocols.find((protocol) => protocol.version === version && protocol.profile === profile);
  return protocols.flatMap((v1) => {
    const v2 = named("v2", v1.profile.replace(/^v1/, "v2"));
    return v1.version === "v1" && v2 !== undefined ? [[v1, v2] as const] : [];
  });
}

/** Finds the entries and cases that no pair of profiles needs. */
export function findUnusedEntries(source: BridgeSource, protocols: readonly Protocol[]): Problem[] {
  const used = new Set(
    pairsOf(protocols).flatMap(([v1, v2]) => [...buildBridge(source, v1, v2).used]),
  );
  return entriesOf(source)
    .filter(({ pointer }) => !used.has(pointer))
    .map(({ file, pointer }) => ({
      file,
      pointer,
      message: "the entry has no effect in any pair of profiles",
      hint: "Remove it, or correct its name.",
    }));
}

interface PlacedPointer {
  readonly file: string;
  readonly pointer: string;
}

/** Lists the pointers of everything in the mapping that must have an effect. */
function entriesOf({ definitions, methods }: BridgeSource): PlacedPointer[] {
  return [
    ...[...definitions].flatMap(([key, { file, entry }]) => {
      const { properties = {}, variants = {}, values = {} } = entry;
      const path = ["definitions", key];
      return [
        ...pointers(file, path, entry),
        ...Object.entries(properties).flatMap(([name, property]) =>
          pointers(file, [...path, "properties", name], property),
        ),
        ...Object.entries(variants).flatMap(([tag, variant]) =>
          pointers(file, [...path, "variants", tag], variant),
        ),
        ...Object.keys(values).flatMap((value) => pointers(file, [...path, "values", value], {})),
      ];
    }),
    ...[...methods].flatMap(([name, { file, entry }]) => pointers(file, ["methods", name], entry)),
  ];
}

function pointers(
  file: string,
  path: readonly string[],
  { toV1 = [], toV2 = [] }: DirectedCases,
): PlacedPointer[] {
  const cases = [
    ...toV1.map((_, index) => [...path, "toV1", index]),
    ...toV2.map((_, index) => [...path, "toV2", index]),
  ];
  return [path, ...cases].map((one) => ({ file, pointer: jsonPointer(one) }));
}
