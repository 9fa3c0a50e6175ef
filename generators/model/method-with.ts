import type { MethodKind, MethodTrait } from "../schema/source/sources.js";
import type { Method, Protocol } from "./protocol.js";

/** Returns the first method with a trait, of a kind if one is given; undefined when there is none. */
export function methodWith(
  { methods }: Pick<Protocol, "methods">,
  trait: MethodTrait,
  kind?: MethodKind,
): Method | undefined {
  return methods.find(
    (method) =>
      method.traits?.includes(trait) === true && (kind === undefined || method.kind === kind),
  );
}
