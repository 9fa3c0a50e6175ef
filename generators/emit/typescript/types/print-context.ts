import type { Protocol } from "../../../model/protocol.js";
import type { Memo } from "../../../schema/memo.js";
import type { PrintContext } from "./print.js";

/** Returns what printing the types of a protocol needs. */
export function printContext(protocol: Protocol, memo?: Memo): PrintContext {
  const identifiers = new Map(
    protocol.definitions.map(({ name, identifier }) => [name, identifier]),
  );
  const shapes = new Map(protocol.definitions.map(({ name, shape }) => [name, shape]));
  const titles = new Map(
    protocol.features.map(({ name, title, status }) => [name, `${title} (${status})`]),
  );
  return {
    identifierOf: (name) => identifiers.get(name)!,
    shapeOf: (name) => shapes.get(name)!,
    findIdentifier: (name) => identifiers.get(name),
    isVendors: (name) =>
      protocol.features.some((feature) => feature.name === name && feature.status === "vendor"),
    featureTitle: (name) => titles.get(name) ?? name,
    methods: protocol.methods,
    ...(memo !== undefined && { memo }),
  };
}
