import type { Json } from "../../schema/json-schema/json.js";
import type { Method, Protocol } from "../protocol.js";
import { advertisedValue } from "./advertised-value.js";
import { gatedPaths, type GatedPath } from "./gated-paths.js";
import { sessionFacts, type SessionFact } from "./session-facts.js";

/** A method with what follows from the schema about its messages, for the method tables of runtimes. */
export interface MethodRow {
  readonly method: Method;
  /** The places in its messages that need a capability. */
  readonly places: readonly GatedPath[];
  /** The parts of its messages that carry the state of a session which gates depend on. */
  readonly facts: readonly SessionFact[];
  /** The value that advertises its capability when its handler is given. */
  readonly advertised?: Json;
  /** Whether the side that handles it cannot leave its handler out. */
  readonly isRequired: boolean;
}

/** Returns the rows of all methods, in their order. */
export function methodRows(protocol: Protocol): readonly MethodRow[] {
  const { definitions, methods } = protocol;
  const placesOf = gatedPaths(definitions);
  const factsOf = sessionFacts(definitions, methods);
  return methods.map((method) => {
    const { gate, kind } = method;
    const advertised = advertisedValue(method, protocol);
    return {
      method,
      places: placesOf(method),
      facts: factsOf(method),
      ...(advertised !== undefined && { advertised }),
      isRequired: gate?.kind === "always" && gate.reason === "baseline" && kind === "request",
    };
  });
}
