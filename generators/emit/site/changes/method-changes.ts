import type { Gate } from "../../../model/gate.js";
import type { Method } from "../../../model/protocol.js";
import type { Change } from "../../../schema/compare/changes.js";
import { SAFE, TYPES, WIRE, worstOf, type Impacts } from "../../../schema/compare/impact.js";
import { methodKey } from "../../../schema/source/method-key.js";
import { contentDifference, type ContentComparison, type Root } from "./content.js";
import { gateImpacts, sameGate } from "./gate-changes.js";

/** The compared facts of a method; its key is (side, kind, name). JSON has no undefined ones. */
export interface ComparedMethod extends Pick<Method, "side" | "kind" | "name" | "params"> {
  readonly result: string | undefined;
  readonly gate: Gate | undefined;
  readonly feature: string | undefined;
}

/** The methods that come and go, and those whose params, result or gate differ. */
export interface MethodChanges {
  readonly added: readonly (ComparedMethod & Impacts)[];
  readonly removed: readonly (ComparedMethod & Impacts)[];
  readonly changed: readonly MethodChange[];
}

export interface MethodChange extends Impacts {
  readonly before: ComparedMethod;
  readonly after: ComparedMethod;
  /** The types that both profiles have and that differ: params, result, and all types inside. */
  readonly types: readonly string[];
}

/** Compares the methods of two profiles with the content of their params and results. */
export function compareMethods(
  content: ContentComparison,
  changes: readonly Change[],
): MethodChanges {
  const [from, to] = [content.from.methods, content.to.methods];
  const before = new Map(from.map((method) => [methodKey(method), method]));
  const after = new Map(to.map((method) => [methodKey(method), method]));
  return {
    added: to
      .filter((method) => !before.has(methodKey(method)))
      .map((method) => ({ ...factsOf(method), ...SAFE })),
    removed: from
      .filter((method) => !after.has(methodKey(method)))
      .map((method) => ({ ...factsOf(method), ...WIRE })),
    changed: to.flatMap((method): MethodChange[] => {
      const old = before.get(methodKey(method));
      if (old === undefined) return [];
      const { own, inside } = contentDifference(rootsOf(old, method), content);
      const types = [...own, ...inside];
      if (types.length === 0 && sameFacts(old, method)) return [];
      const impacts = worstOf([
        ofType(old.params, method.params, content.renames),
        ofType(old.result, method.result, content.renames),
        ofGate(old.gate, method.gate),
        ...[...changes, ...content.gates].filter(({ definition = "" }) =>
          types.includes(definition),
        ),
      ]);
      return [{ before: factsOf(old), after: factsOf(method), types, ...impacts }];
    }),
  };
}

/** Returns the params and results that a method has in two profiles. */
export function rootsOf(before: Method, after: Method): readonly Root[] {
  return (["params", "result"] as const).map((part) => [before[part], after[part]]);
}

function factsOf({ side, kind, name, params, result, gate, feature }: Method): ComparedMethod {
  return { side, kind, name, params, result, gate, feature };
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
