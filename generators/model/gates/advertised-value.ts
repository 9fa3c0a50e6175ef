import { fieldsOf } from "../map-shape.js";
import type { Method, Protocol } from "../protocol.js";
import type { Shape } from "../shape.js";
import type { Json } from "../../schema/json-schema/json.js";

/**
 * Returns the value that advertises the capability of a method whose handler is given: `true` or
 * `{}`, by the type at the gate's path.
 *
 * @returns undefined when the gate is not a capability of the handling side, or when the value
 *   does not follow from the handler: a list that must not be empty, or an object with required
 *   properties
 */
export function advertisedValue(
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
    const fields = shape?.kind === "object" ? fieldsOf(shape) : [];
    shape = resolve(fields.find((field) => field.name === name)?.shape);
  }
  if (shape?.kind === "scalar") return shape.type === "boolean" ? true : undefined;
  const isEmpty = shape?.kind === "object" && !fieldsOf(shape).some(({ required }) => required);
  return isEmpty || shape?.kind === "map" ? {} : undefined;
}
