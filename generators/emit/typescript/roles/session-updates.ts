import type { Definition, Method, Protocol } from "../../../model/protocol.js";
import type { Field, Shape } from "../../../model/shape.js";
import { methodWith } from "../../../model/method-with.js";
import { methodVariants } from "./variants.js";

/** The session updates of a protocol, from which the types of sessions are printed. */
export interface UpdateTypes {
  readonly protocol: Protocol;
  /** The suffix of the runtime's classes. */
  readonly version: "V1" | "V2";
  readonly union: Definition;
  readonly tags: ReadonlySet<string>;
}

/** Returns the updates; undefined for a protocol without them. */
export function sessionUpdates(protocol: Protocol): UpdateTypes | undefined {
  const method = methodWith(protocol, "updates-session");
  const variants = method && methodVariants(method, protocol);
  if (variants?.union.shape.kind !== "tagged" || methodWith(protocol, "starts-turn") === undefined)
    return undefined;
  return {
    protocol,
    version: protocol.versionNumber === 1 ? "V1" : "V2",
    union: variants.union,
    tags: new Set(variants.union.shape.variants.map(({ value }) => value)),
  };
}

/** Returns whether agents and clients of a protocol have sessions. */
export function hasSessions(protocol: Protocol): boolean {
  return protocol.initialize !== undefined && sessionUpdates(protocol) !== undefined;
}

/** Returns whether the params of a method require a `sessionId`. */
export function concernsSession({ params }: Method, protocol: Protocol): boolean {
  const shape = protocol.definitions.find(({ name }) => name === params)?.shape;
  return sharedFields(shape).some(({ name, required }) => name === "sessionId" && required);
}

/** Returns the properties that all values of a shape have. */
function sharedFields(shape: Shape | undefined): readonly Field[] {
  switch (shape?.kind) {
    case "object":
      return shape.fields;
    case "tagged":
    case "union":
      return shape.shared;
    default:
      return [];
  }
}
