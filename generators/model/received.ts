import { mapShape } from "./map-shape.js";
import type { Definition } from "./protocol.js";
import type { Shape } from "./shape.js";
import { referencesOf } from "./visit-shape.js";

/**
 * The definitions that differ once received: a lenient receiver keeps
 * values that closed enumerations and closed unions with a tag do not list, so
 * these are open there, and so is whatever holds one.
 *
 * @returns those definitions, by name, in their received form
 */
export function receivedDefinitions(
  definitions: readonly Definition[],
): ReadonlyMap<string, Definition> {
  const received = new Map<string, Definition>();
  for (const definition of definitions) {
    const shape = open(definition.shape);
    if (shape !== definition.shape) received.set(definition.name, { ...definition, shape });
  }
  const hold = definitions.map((definition) => ({
    definition,
    references: referencesOf(definition.shape),
  }));
  for (let before = -1; before < received.size;) {
    before = received.size;
    for (const { definition, references } of hold) {
      if (!received.has(definition.name) && references.some((name) => received.has(name)))
        received.set(definition.name, definition);
    }
  }
  return received;
}

/** Returns the shape with all closed parts opened; the same object when it has none. */
function open(shape: Shape): Shape {
  const opened = mapShape(shape, open);
  if (opened.kind === "enum" && opened.open === undefined)
    return { ...opened, open: { title: "unknown", description: "Unknown to this version." } };
  if (opened.kind !== "tagged" || opened.open !== undefined || opened.fallback !== undefined)
    return opened;
  return {
    ...opened,
    open: {
      title: "unknown",
      description: "A variant that this version does not know, kept as it came.",
      body: { kind: "object", fields: [], extensible: true },
    },
  };
}
