import { isPresent } from "./capability.js";
import type { CapabilityGate, GatedPlace, GateStrength } from "../methods.js";
import { addLeaf, emptyTree, visit, type PathTree } from "./path-tree.js";

/** A place in a message that needs a capability which was not advertised. */
export interface UnavailableField {
  /** JSON pointer of the value that needs it. */
  readonly pointer: string;
  /** The path of the capability. */
  readonly capability: string;
  readonly strength: GateStrength;
}

/** What is closed in a place: all values, or some. */
interface UnavailableValue {
  readonly closed: UnavailableField;
  readonly values: readonly string[] | undefined;
}

/** The places of a message whose gates are closed. */
export type UnavailableFields = PathTree<UnavailableValue>;

/** Picks the places whose gates are closed; nothing when none is. */
export function unavailableFields(
  places: readonly GatedPlace[],
  isUnavailable: (gate: CapabilityGate) => boolean,
): UnavailableFields | undefined {
  const found = places.filter(({ gate }) => isUnavailable(gate));
  if (found.length === 0) return undefined;
  const tree: UnavailableFields = emptyTree();
  for (const { path, tag, values, gate } of found) {
    const closed = { pointer: "", capability: gate.path.join("."), strength: gate.strength };
    if (tag === undefined) addLeaf(tree, path, { closed, values });
    else {
      // An object whose tag is closed: the pointer leads on to the tag.
      const pointer = `/${tag.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const leaf = { closed: { ...closed, pointer }, values: undefined };
      addLeaf(tree, [...path, { tag, values: values ?? [] }], leaf);
    }
  }
  return tree;
}

/** The first closed place in a message that it uses. */
export function findUnavailable(
  places: UnavailableFields,
  message: unknown,
): UnavailableField | undefined {
  return visit(places, message, whatIsUsed, undefined);
}

/** An empty list asks for nothing; it is also what a decoder makes of null. */
function whatIsUsed(
  { closed, values }: UnavailableValue,
  value: unknown,
): UnavailableField | undefined {
  if (!isPresent(value) || (Array.isArray(value) && value.length === 0)) return undefined;
  if (values === undefined) return closed;
  const isScalar = typeof value === "string" || typeof value === "number";
  return isScalar && values.includes(`${value}`) ? closed : undefined;
}
