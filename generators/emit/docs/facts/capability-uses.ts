import type { Gate } from "../../../model/gate.js";
import type { Method, Protocol } from "../../../model/protocol.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { Use } from "./references.js";

/** Something that a capability opens. */
export type Opening =
  | { readonly kind: "method"; readonly method: Method }
  | { readonly kind: "place"; readonly use: Use };

/** What capabilities open, by `<side>:<path with dots>`. */
export function findOpenings(protocol: Protocol): ReadonlyMap<string, readonly Opening[]> {
  const found = new Map<string, Opening[]>();
  const add = (gate: Gate | undefined, opening: Opening): void => {
    if (gate === undefined || gate.kind === "always" || gate.side === "session") return;
    const key = openingKey(gate.side, gate.path);
    found.set(key, [...(found.get(key) ?? []), opening]);
  };
  for (const method of protocol.methods) add(method.gate, { kind: "method", method });
  for (const { name: owner, shape } of protocol.definitions)
    visitShape(shape, {
      field: ({ gate, variantGates }, steps) => {
        for (const each of [gate, ...Object.values(variantGates)])
          add(each, { kind: "place", use: { owner, steps } });
      },
      variant: ({ gate }, steps) => add(gate, { kind: "place", use: { owner, steps } }),
      value: ({ gate, value }, steps) => add(gate, { kind: "place", use: { owner, steps, value } }),
    });
  return found;
}

export function openingKey(side: string, path: readonly string[]): string {
  return `${side}:${path.join(".")}`;
}
