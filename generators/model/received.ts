import { mapShape } from "./map-shape.js";
import type { Definition, Method } from "./protocol.js";
import { relayedNames } from "./relayed.js";
import type { EnumShape, Shape } from "./shape.js";
import { referencesOf } from "./visit-shape.js";

/** The forms of definitions whose values differ by direction, by name. */
export interface DirectedForms {
  /**
   * The relayed definitions with an enumeration, which takes any value here: what one side received
   * may be sent to the other. Sending any other value that is not listed is refused at run time.
   */
  readonly sent: ReadonlyMap<string, Definition>;
  /**
   * The definitions that differ once received: a lenient receiver keeps values that enumerations
   * and closed unions with a tag do not list, so these are open, and so is whatever holds one.
   */
  readonly received: ReadonlyMap<string, Definition>;
}

/** Returns the forms of the definitions that are sent or received in another one. */
export function directedForms(
  definitions: readonly Definition[],
  methods: readonly Method[],
): DirectedForms {
  const relayed = relayedNames(definitions, methods);
  const sent = new Map<string, Definition>();
  const received = new Map<string, Definition>();
  for (const definition of definitions) {
    const { name } = definition;
    const shape = relayed.has(name) ? openEnums(definition.shape) : definition.shape;
    if (shape !== definition.shape) sent.set(name, { ...definition, shape });
    const opened = open(shape);
    if (opened !== shape) received.set(name, { ...definition, shape: opened });
  }
  const hold = definitions.map((definition) => ({
    definition: sent.get(definition.name) ?? definition,
    references: referencesOf(definition.shape),
  }));
  for (let before = -1; before < received.size;) {
    before = received.size;
    for (const { definition, references } of hold) {
      if (!received.has(definition.name) && references.some((name) => received.has(name)))
        received.set(definition.name, definition);
    }
  }
  return { sent, received };
}

/** Returns the shape with enumerations that take any value; the same object when it has none. */
function openEnums(shape: Shape): Shape {
  const opened = mapShape(shape, openEnums);
  const description =
    "Accepted by the type, so that received values can be passed on; refused when it is sent.";
  return opened.kind === "enum" ? withAnyValue(opened, { title: "received", description }) : opened;
}

/**
 * Returns the received form of an enumeration; the enumeration itself when the forms do not differ.
 *
 * @param unlisted describes the values that a closed enumeration does not list
 */
function withAnyValue(
  shape: EnumShape,
  unlisted: { readonly title: string; readonly description: string },
): EnumShape {
  const isOpenToAll = shape.open !== undefined && shape.type === "integer";
  if (isOpenToAll || shape.open?.isReceived === true) return shape;
  return { ...shape, open: { ...(shape.open ?? unlisted), isReceived: true } };
}

/** Returns the shape with all closed parts opened; the same object when it has none. */
function open(shape: Shape): Shape {
  const opened = mapShape(shape, open);
  if (opened.kind === "enum")
    return withAnyValue(opened, { title: "unknown", description: "Unknown to this version." });
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
