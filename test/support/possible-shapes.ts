import { ownFields, innerShapes } from "../../generators/model/map-shape.js";
import type { Protocol } from "../../generators/model/protocol.js";
import type { Field, Shape } from "../../generators/model/shape.js";
import { isObject, type Json } from "../../generators/schema/json-schema/json.js";

/** The shapes that a value may have: of a union all, or by its tag the variant that is meant. */
export function possibleShapes(
  shape: Shape,
  value: Json,
  definitions: Protocol["definitions"],
): readonly Shape[] {
  if (shape.kind === "reference") {
    const target = definitions.find(({ name }) => name === shape.name)!;
    return possibleShapes(target.shape, value, definitions);
  }
  if (shape.kind !== "tagged" && shape.kind !== "union") return [shape];
  const tag = shape.kind === "tagged" && isObject(value) ? value[shape.tag] : undefined;
  const known = shape.kind === "tagged" ? shape.variants.map((variant) => variant.value) : [];
  const meant = known.find((each) => each === tag);
  const inner = innerShapes(shape).filter(
    ({ step }) =>
      step?.kind === "variant" &&
      (meant === undefined ? !known.includes(step.name) : step.name === meant),
  );
  return [shape, ...inner.flatMap((variant) => possibleShapes(variant.shape, value, definitions))];
}

/** The fields of a name that shapes declare; a tag and `_meta` are declared without one. */
export function declaredFields(
  name: string,
  shapes: readonly Shape[],
): readonly Field[] | undefined {
  const fields = shapes.flatMap(ownFields).filter((field) => field.name === name);
  const isTag = shapes.some((shape) => shape.kind === "tagged" && shape.tag === name);
  return fields.length > 0 || isTag || name === "_meta" ? fields : undefined;
}
