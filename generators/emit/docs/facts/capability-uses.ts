import { fieldsOf, innerShapes, type Step } from "../../../model/map-shape.js";
import type { Gate } from "../../../model/gate.js";
import type { Method, Protocol } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
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
    walkGates(shape, [], (gate, place) => add(gate, { kind: "place", use: { owner, ...place } }));
  return found;
}

export function openingKey(side: string, path: readonly string[]): string {
  return `${side}:${path.join(".")}`;
}

type Visit = (gate: Gate | undefined, place: Omit<Use, "owner">) => void;

function walkGates(shape: Shape, steps: readonly Step[], visit: Visit): void {
  for (const field of fieldsOf(shape)) {
    const at: readonly Step[] = [...steps, { kind: "field", name: field.name }];
    visit(field.gate, { steps: at });
    for (const gate of Object.values(field.variantGates)) visit(gate, { steps: at });
  }
  if (shape.kind === "tagged")
    for (const { gate, value } of shape.variants)
      visit(gate, { steps: [...steps, { kind: "variant", name: value }] });
  if (shape.kind === "enum")
    for (const { gate, value } of shape.values) visit(gate, { steps, value });
  for (const { shape: inner, step } of innerShapes(shape))
    walkGates(inner, step ? [...steps, step] : steps, visit);
}
