import { isPresent, pathText } from "./capability.js";
import type { CapabilityGate, GatedPlace, GateStrength } from "../methods.js";
import { pointerToken } from "../validate/report-text.js";
import { addLeaf, emptyTree, visit, type PathTree } from "./path-tree.js";

/** A field of a message that needs a capability which was not advertised. */
export interface UnavailableField {
  /** JSON pointer to the value that needs the capability. */
  readonly pointer: string;
  /** The path of the capability. */
  readonly capability: string;
  /** The side that would have to advertise it. */
  readonly side: CapabilityGate["side"];
  readonly strength: GateStrength;
}

/** The unavailable values of a field: all of them, or some. */
interface UnavailableValue {
  readonly closed: UnavailableField;
  readonly values: readonly string[] | undefined;
}

/** The fields of a message whose gates are closed. */
export type UnavailableFields = PathTree<UnavailableValue>;

/** Selects the fields whose gates are closed; undefined when there are none. */
export function unavailableFields(
  places: readonly GatedPlace[],
  isUnavailable: (gate: CapabilityGate) => boolean,
): UnavailableFields | undefined {
  const found = places.filter(({ gate }) => isUnavailable(gate));
  if (found.length === 0) return undefined;
  const tree: UnavailableFields = emptyTree();
  for (const { path, tag, values, gate } of found) {
    const { path: capability, side, strength } = gate;
    const closed = { pointer: "", capability: pathText(capability), side, strength };
    if (tag === undefined) addLeaf(tree, path, { closed, values });
    else {
      // For an object with a gated tag, the pointer leads to the tag.
      const leaf = { closed: { ...closed, pointer: pointerToken(tag) }, values: undefined };
      addLeaf(tree, [...path, { tag, values: values ?? [] }], leaf);
    }
  }
  return tree;
}

/** Returns the first unavailable field that a message uses; undefined when it uses none. */
export function findUnavailable(
  places: UnavailableFields,
  message: unknown,
): UnavailableField | undefined {
  return visit(places, message, gatedUse, undefined);
}

/**
 * Returns the field when its value is gated. An empty list needs no capability; decoders also
 * return it for null.
 */
function gatedUse(
  { closed, values }: UnavailableValue,
  value: unknown,
): UnavailableField | undefined {
  if (!isPresent(value) || (Array.isArray(value) && value.length === 0)) return undefined;
  if (values === undefined) return closed;
  const isScalar = typeof value === "string" || typeof value === "number";
  return isScalar && values.includes(`${value}`) ? closed : undefined;
}
