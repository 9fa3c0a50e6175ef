import { ownFields, type Step } from "../../../model/map-shape.js";
import type { Protocol } from "../../../model/protocol.js";
import type { Field, Shape } from "../../../model/shape.js";
import type { Use } from "./type-uses.js";

/**
 * Finds the documentation of a capability: the property at the end of a path into
 * what a side advertises in its initialize message.
 *
 * @returns undefined when the protocol does not document the path
 */
export function findCapability(
  protocol: Protocol,
  side: "agent" | "client",
  path: readonly string[],
): Use | undefined {
  let owner = protocol.initialize?.[side].definition.name;
  let steps: readonly Step[] = [];
  let shape: Shape | undefined =
    owner === undefined ? undefined : { kind: "reference", name: owner };
  for (const name of path) {
    // An alias of an alias is possible; a circle of them is not worth following.
    for (let hops = 0; shape?.kind === "reference" && hops < 8; hops++) {
      owner = shape.name;
      steps = [];
      shape = protocol.definitions.find((definition) => definition.name === owner)?.shape;
    }
    const field: Field | undefined = shape && ownFields(shape).find((item) => item.name === name);
    if (field === undefined) return undefined;
    steps = [...steps, { kind: "field", name }];
    shape = field.shape;
  }
  return owner === undefined ? undefined : { owner, steps };
}
