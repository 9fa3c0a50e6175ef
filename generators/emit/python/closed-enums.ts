import type { Part } from "../../model/parts/part.js";
import type { Protocol } from "../../model/protocol.js";
import { relayedNames } from "../../model/relayed.js";

/**
 * Returns the names of the enumerations that take only listed texts from a program. Receivers keep
 * other texts, so what one reads may be any. Enumerations that both sides receive are open: what came
 * from one may be sent to the other.
 */
export function closedEnums(
  parts: ReadonlyMap<string, Part>,
  { definitions, methods }: Pick<Protocol, "definitions" | "methods">,
): ReadonlySet<string> {
  const relayed = relayedNames(definitions, methods);
  const closed = [...parts.values()].filter(
    (part) =>
      part.kind === "alias" &&
      part.shape.kind === "enum" &&
      part.shape.type === "string" &&
      part.shape.values.length > 0 &&
      part.shape.open === undefined &&
      !relayed.has(part.path[0]!),
  );
  return new Set(closed.map(({ name }) => name));
}
