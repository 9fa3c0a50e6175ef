import type { Gate } from "../../../model/gate.js";
import type { Method } from "../../../model/protocol.js";
import type { Change } from "../../../schema/compare/changes.js";
import { worst, type Impacts } from "../../../schema/compare/impact.js";
import { gateImpacts, sameGate } from "./gate-changes.js";

/** The compared facts of a method; its key is (side, kind, name). */
export type MethodFacts = Pick<
  Method,
  "side" | "kind" | "name" | "params" | "result" | "gate" | "feature"
>;

/** The methods that come and go, and those whose params, result or gate differ. */
export interface MethodChanges {
  readonly added: readonly (MethodFacts & Impacts)[];
  readonly removed: readonly (MethodFacts & Impacts)[];
  readonly changed: readonly MethodChange[];
}

export interface MethodChange extends Impacts {
  readonly before: MethodFacts;
  readonly after: MethodFacts;
}

const SAFE: Impacts = { sender: "safe", receiver: "safe" };
const TYPES: Impacts = { sender: "type-breaking", receiver: "type-breaking" };
const WIRE: Impacts = { sender: "wire-breaking", receiver: "wire-breaking" };

/**
 * Compares the methods of two profiles. Changes inside their params and
 * results are among those of the types.
 *
 * @param changes between the schemas, which know what only has another name
 */
export function compareMethods(
  from: readonly Method[],
  to: readonly Method[],
  changes: readonly Change[],
): MethodChanges {
  const before = new Map(from.map((method) => [methodKey(method), method]));
  const after = new Map(to.map((method) => [methodKey(method), method]));
  const renames = new Map(
    changes.flatMap((change) =>
      change.kind === "renamed" ? [[String(change.before), String(change.after)] as const] : [],
    ),
  );
  return {
    added: to
      .filter((method) => !before.has(methodKey(method)))
      .map((method) => ({ ...factsOf(method), ...SAFE })),
    removed: from
      .filter((method) => !after.has(methodKey(method)))
      .map((method) => ({ ...factsOf(method), ...WIRE })),
    changed: to.flatMap((method): MethodChange[] => {
      const old = before.get(methodKey(method));
      if (old === undefined || sameFacts(old, method)) return [];
      const impacts = [
        ofType(old.params, method.params, renames),
        ofType(old.result, method.result, renames),
        ofGate(old.gate, method.gate),
      ].reduce((one, other) => ({
        sender: worst(one.sender, other.sender),
        receiver: worst(one.receiver, other.receiver),
      }));
      return [{ before: factsOf(old), after: factsOf(method), ...impacts }];
    }),
  };
}

/** A method in a list: `agent request session/new`. */
export function methodKey({ side, kind, name }: MethodFacts): string {
  return `${side} ${kind} ${name}`;
}

function factsOf({ side, kind, name, params, result, gate, feature }: Method): MethodFacts {
  return {
    side,
    kind,
    name,
    params,
    ...(result !== undefined && { result }),
    ...(gate !== undefined && { gate }),
    ...(feature !== undefined && { feature }),
  };
}

function sameFacts(one: Method, other: Method): boolean {
  return (
    one.params === other.params && one.result === other.result && sameGate(one.gate, other.gate)
  );
}

/** A renamed type with the same content changes programs, not messages. */
function ofType(
  before: string | undefined,
  after: string | undefined,
  renames: ReadonlyMap<string, string>,
): Impacts {
  if (before === after) return SAFE;
  return before !== undefined && renames.get(before) === after ? TYPES : WIRE;
}

/** An imported schema does not say what is gated. */
function ofGate(before: Gate | undefined, after: Gate | undefined): Impacts {
  if (before === undefined || after === undefined || sameGate(before, after)) return SAFE;
  return gateImpacts(before, after);
}
