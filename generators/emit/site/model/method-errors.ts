import { gatePathText } from "../../../schema/json-schema/gate-path.js";
import type { Gate } from "../../../model/gate.js";
import type { Method } from "../../../model/protocol.js";
import { isOf, type ErrorSource } from "../../../schema/source/docs-source.js";
import type { Site } from "./site.js";

export const ERRORS_PATH = "errors.html";

const METHOD_NOT_FOUND = -32601;

/**
 * Returns the errors of a request: those that the documentation lists for it, and -32601 where
 * the side that handles it must advertise a capability.
 */
export function methodErrors(method: Method, { docs, protocol }: Site): readonly ErrorSource[] {
  if (method.kind === "notification") return [];
  const own = Object.hasOwn(docs.errors, method.name) ? docs.errors[method.name]! : [];
  const listed = own.filter((entry) => isOf(entry, protocol.version));
  const when = missingCapability(method);
  if (when === undefined || listed.some(({ code }) => code === METHOD_NOT_FOUND)) return listed;
  return [...listed, { code: METHOD_NOT_FOUND, when }];
}

/** Describes the receiver without the capability that a method requires of it. */
function missingCapability({ gate, side }: Method): string | undefined {
  if (gate === undefined || gate.kind === "always" || gate.side !== side) return undefined;
  const path = gatePathText(gate.path);
  return isList(gate)
    ? `The ${side} lists no entries in \`${path}\`.`
    : `The ${side} did not advertise \`${path}\`.`;
}

function isList(gate: Gate): boolean {
  return gate.kind === "entry" || (gate.kind === "capability" && gate.test === "filled");
}
