import type { Json } from "../../schema/json-schema/json.js";
import type { Method, Protocol } from "../protocol.js";
import { capabilities } from "./capabilities.js";
import { gatedPlaces, type GatedPlace } from "./gated-places.js";
import type { CapabilityGate } from "./places-in-shape.js";
import { sessionFacts, type SessionFact } from "./session-facts.js";
import { ownFields } from "../map-shape.js";
import type { Shape } from "../shape.js";

/** A method with what follows from the schema about its messages, for the method tables of runtimes. */
export interface MethodRow {
  readonly method: Method;
  /** The places in its messages that need a capability. */
  readonly places: readonly GatedPlace[];
  /** The parts of its messages that carry the state of a session which gates depend on. */
  readonly facts: readonly SessionFact[];
  /** The value that advertises its capability when its handler is given. */
  readonly advertised?: Json;
  /** What both sides can advertise in its messages: those of `initialize`. */
  readonly capabilities: readonly CapabilityGate[];
  /** Whether the side that handles it cannot leave its handler out. */
  readonly isRequired: boolean;
}

/** Returns the rows of all methods, in their order. */
export function methodRows(protocol: Protocol): readonly MethodRow[] {
  const { definitions, methods } = protocol;
  const placesOf = gatedPlaces(definitions);
  const factsOf = sessionFacts(definitions, methods);
  return methods.map((method) => {
    const { gate, kind } = method;
    const advertised = advertisedValue(method, protocol);
    return {
      method,
      places: placesOf(method),
      facts: factsOf(method),
      ...(advertised !== undefined && { advertised }),
      capabilities: method === protocol.initialize?.method ? capabilities(protocol) : [],
      isRequired: gate?.kind === "always" && gate.reason === "baseline" && kind === "request",
    };
  });
}

/**
 * Returns the value that advertises the capability of a method whose handler is given: `true` or
 * `{}`, by the type at the gate's path.
 *
 * @returns undefined when the gate is not a capability of the handling side, or when the value
 *   does not follow from the handler: a list that must not be empty, or an object with required
 *   properties
 */
function advertisedValue(
  { side, gate }: Method,
  { definitions, initialize }: Protocol,
): Json | undefined {
  if (gate?.kind !== "capability" || gate.side !== side) return undefined;
  if (gate.test === "true") return true;
  const resolve = (shape: Shape | undefined): Shape | undefined =>
    shape?.kind === "reference"
      ? resolve(definitions.find(({ name }) => name === shape.name)?.shape)
      : shape;
  let shape = resolve(initialize?.[gate.side].definition.shape);
  for (const name of gate.path) {
    const fields = shape?.kind === "object" ? ownFields(shape) : [];
    shape = resolve(fields.find((field) => field.name === name)?.shape);
  }
  if (shape?.kind === "scalar") return shape.type === "boolean" ? true : undefined;
  const isEmpty = shape?.kind === "object" && !ownFields(shape).some(({ required }) => required);
  return isEmpty || shape?.kind === "map" ? {} : undefined;
}
