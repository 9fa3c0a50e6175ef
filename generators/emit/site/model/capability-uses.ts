import { gatePathText } from "../../../schema/json-schema/gate-path.js";
import type { Gate } from "../../../model/gate.js";
import type { Method, Protocol } from "../../../model/protocol.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { Use } from "./type-uses.js";

/** A method or a part of a type that needs a capability. */
export type CapabilityUse =
  | { readonly kind: "method"; readonly method: Method }
  | { readonly kind: "part"; readonly use: Use };

/** Collects the uses of each capability, by `<side>:<path>`. */
export function findCapabilityUses(
  protocol: Protocol,
): ReadonlyMap<string, readonly CapabilityUse[]> {
  const found = new Map<string, CapabilityUse[]>();
  const add = (gate: Gate | undefined, use: CapabilityUse): void => {
    if (gate === undefined || gate.kind === "always" || gate.side === "session") return;
    const key = capabilityKey(gate.side, gate.path);
    found.set(key, [...(found.get(key) ?? []), use]);
  };
  for (const method of protocol.methods) add(method.gate, { kind: "method", method });
  for (const { name: owner, shape } of protocol.definitions)
    visitShape(shape, {
      field: ({ gate, variantGates }, steps) => {
        for (const each of [gate, ...Object.values(variantGates)])
          add(each, { kind: "part", use: { owner, steps } });
      },
      variant: ({ gate }, steps) => add(gate, { kind: "part", use: { owner, steps } }),
      value: ({ gate, value }, steps) => add(gate, { kind: "part", use: { owner, steps, value } }),
    });
  return found;
}

export function capabilityKey(side: string, path: readonly string[]): string {
  return `${side}:${gatePathText(path)}`;
}
