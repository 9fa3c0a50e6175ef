import type { Json, JsonSchema } from "../../schema/json-schema/json.js";
import type { Path } from "../../schema/json-schema/walk.js";
import { InputError } from "../../schema/problem.js";
import type { Shape } from "../shape.js";
import type { GateContext } from "./build-gate.js";

/** The context in which a shape is built. */
export type ShapeContext = GateContext & {
  /** Builds the shape of a schema inside another. */
  readonly shapeOf: (schema: JsonSchema, context: ShapeContext, path: Path) => Shape;
  /** The definitions whose properties are being copied because of an `allOf`, from the outside in. */
  readonly copying?: readonly string[];
  /** The number of properties in the definition so far, at any depth. */
  readonly counter: { fields: number };
};

/** The error for a schema that follows the dialect but has no shape in the model. */
export function unsupported(
  context: ShapeContext,
  path: Path,
  message: string,
  hint: string,
): InputError {
  return new InputError([{ ...context.place(path), message, hint }]);
}

/** A JSON value that can be an enumeration's value. */
export function isEnumValue(value: Json): value is string | number {
  return typeof value === "string" || Number.isInteger(value);
}
