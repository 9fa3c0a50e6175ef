import { ownFields } from "../map-shape.js";
import type { Initialize, Protocol } from "../protocol.js";
import type { Shape } from "../shape.js";
import { gatePathText } from "../../schema/json-schema/gate-path.js";
import { gatedPlaces } from "./gated-places.js";
import type { CapabilityGate } from "./places-in-shape.js";

/**
 * Returns everything that the sides can advertise, each as the gate that it opens: the flags in
 * their capabilities, the objects that are flags themselves, and what gates name besides, such as
 * capabilities of vendors. Each path of a side stands once; those of the agent come first.
 */
export function capabilities(protocol: Protocol): readonly CapabilityGate[] {
  const { definitions, methods, initialize } = protocol;
  if (initialize === undefined) return [];
  const placesOf = gatedPlaces(definitions);
  const gates = methods.flatMap((method) => [
    ...(method.gate === undefined ? [] : [method.gate]),
    ...placesOf(method).map(({ gate }) => gate),
  ]);
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  return (["agent", "client"] as const).flatMap((side) => {
    const needed = gates.flatMap((gate) =>
      gate.kind === "capability" && gate.side === side ? [gate as CapabilityGate] : [],
    );
    const all = [...flags(side, initialize, shapes), ...needed];
    return [...new Map(all.map((gate) => [gatePathText(gate.path), gate])).values()];
  });
}

function flags(
  side: "agent" | "client",
  initialize: Initialize,
  shapes: ReadonlyMap<string, Shape>,
): readonly CapabilityGate[] {
  const { definition, capabilities: property } = initialize[side];
  const resolve = (shape: Shape): Shape =>
    shape.kind === "reference" ? resolve(shapes.get(shape.name)!) : shape;
  const flagsIn = (holder: Shape, path: readonly string[]): readonly CapabilityGate[] =>
    ownFields(resolve(holder)).flatMap((field) => {
      // Recursive definitions have no end.
      if (path.includes(field.name)) return [];
      const own = [...path, field.name];
      const shape = resolve(field.shape);
      const gate = { kind: "capability", side, path: own, strength: "must" } as const;
      if (shape.kind === "scalar" && shape.type === "boolean") return [{ ...gate, test: "true" }];
      if (shape.kind !== "object") return [];
      const isFlag = field.default === undefined;
      return [...(isFlag ? [{ ...gate, test: "present" } as const] : []), ...flagsIn(shape, own)];
    });
  const root = ownFields(definition.shape).find(({ name }) => name === property);
  return root === undefined ? [] : flagsIn(root.shape, [root.name]);
}
