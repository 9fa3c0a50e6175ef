import type { Gate } from "../../../model/gate.js";
import type { Definition, Protocol } from "../../../model/protocol.js";
import { shapeParts } from "../model/shape-parts.js";
import { canonicalJson, type Json } from "../../../schema/json-schema/json.js";
import { SAFE, TYPES, type Impacts } from "../../../schema/compare/impact.js";

/** A property, variant or value that both profiles have, and that needs something else in each. */
export interface GateChange extends Impacts {
  readonly definition: string;
  /** The name of the property, variant or value in the definition. */
  readonly part: string;
  readonly before: Gate | "always";
  readonly after: Gate | "always";
}

/** Whether two gates are equal. */
export function sameGate(one: Gate | undefined, other: Gate | undefined): boolean {
  return canonicalJson(one as unknown as Json) === canonicalJson(other as unknown as Json);
}

/**
 * A new strict gate can refuse messages that were always allowed; a removed one
 * lets messages through that a receiver did not have to expect. Where both need
 * a capability, code that reads the old path finds none and sends nothing.
 */
export function gateImpacts(before: Gate | "always", after: Gate | "always"): Impacts {
  const [wasOpen, isOpen] = [isOpenGate(before), isOpenGate(after)];
  if (wasOpen && isOpen) return SAFE;
  if (wasOpen) return { sender: "wire-breaking", receiver: "safe" };
  return isOpen ? { sender: "safe", receiver: "decode-breaking" } : TYPES;
}

/** Finds parts of definitions whose gates differ; an imported schema declares no gates. */
export function compareGates(from: Protocol, to: Protocol): readonly GateChange[] {
  const before = new Map(from.definitions.map((definition) => [definition.name, definition]));
  return to.definitions.flatMap((definition): GateChange[] => {
    const old = before.get(definition.name);
    if (old === undefined) return [];
    const gates = gatesOf(old);
    return [...gatesOf(definition)].flatMap(([part, gate]): GateChange[] => {
      if (!gates.has(part) || sameGate(gates.get(part), gate)) return [];
      const [was, is] = [gates.get(part) ?? "always", gate ?? "always"] as const;
      return [
        { definition: definition.name, part, before: was, after: is, ...gateImpacts(was, is) },
      ];
    });
  });
}

/** The gates of a definition's parts; `ungated` counts as no gate. */
function gatesOf({ shape }: Definition): ReadonlyMap<string, Gate | undefined> {
  return new Map(
    shapeParts(shape).map(({ name, gate }) => [name, isUngated(gate) ? undefined : gate]),
  );
}

function isUngated(gate: Gate | undefined): boolean {
  return gate?.kind === "always" && gate.reason === "ungated";
}

/** Whether no receiver may refuse a message because of the gate. */
function isOpenGate(gate: Gate | "always"): boolean {
  return gate === "always" || gate.kind === "always" || gate.strength !== "must";
}
