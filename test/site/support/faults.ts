import type { Protocol } from "../../../generators/model/protocol.js";
import { ownFields } from "../../../generators/model/map-shape.js";
import type { Field, Shape } from "../../../generators/model/shape.js";
import type { Json, JsonObject } from "../../../generators/schema/json-schema/json.js";

/** A message with one thing wrong in it. */
export interface Fault {
  readonly method: string;
  readonly message: JsonObject;
  /** Where it is wrong. */
  readonly path: string;
}

/**
 * Faults in the examples of a protocol: each required property of the params
 * left out, and each property that has a value given one of another kind, at
 * any depth that can be derived from the shape alone.
 */
export function faultsOf({ methods, definitions }: Protocol): readonly Fault[] {
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  return methods
    .filter(({ side }) => side !== "proxy")
    .flatMap(({ name, kind, params, examples }) =>
      examples.flatMap((example) =>
        places({ kind: "reference", name: params }, example.params, [], shapes).flatMap(
          ({ path, field }): Fault[] => {
            const fault = (value: Json | undefined): Fault => ({
              method: name,
              message: {
                jsonrpc: "2.0",
                ...(kind === "request" && { id: 1 }),
                method: name,
                params: put(example.params, path, value),
              },
              path: ["/params", ...path.map(String)].join("/"),
            });
            const wrong = wrongValue(field);
            return [
              ...(field.required ? [fault(undefined)] : []),
              ...(wrong === undefined ? [] : [fault(wrong)]),
            ];
          },
        ),
      ),
    );
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly field: Field;
}

/** The properties of a value whose fields are certain: of objects and of variants that a tag chooses. */
function places(
  shape: Shape,
  value: Json,
  path: Place["path"],
  shapes: ReadonlyMap<string, Shape>,
): readonly Place[] {
  if (shape.kind === "reference") return places(shapes.get(shape.name)!, value, path, shapes);
  if (shape.kind === "list" && Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) =>
      places(shape.items.shape, item, [...path, index], shapes),
    );
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const object = value as JsonObject;
  const own = ownFields(shape)
    .filter(({ name }) => Object.hasOwn(object, name))
    .flatMap((field) => [
      { path: [...path, field.name], field },
      ...places(field.shape, object[field.name]!, [...path, field.name], shapes),
    ]);
  if (shape.kind !== "tagged") return own;
  const variant = shape.variants.find((item) => item.value === object[shape.tag]);
  return variant === undefined ? own : [...own, ...places(variant.body, value, path, shapes)];
}

/** A value that the property cannot have, whatever its type; nothing where anything goes. */
function wrongValue({ shape }: Field): Json | undefined {
  switch (shape.kind) {
    case "any":
      return undefined;
    case "scalar":
      return shape.type === "boolean" ? 5 : false;
    default:
      return false;
  }
}

/** The value with another one at a place, or without the place. */
function put(value: Json, [first, ...rest]: Place["path"], given: Json | undefined): Json {
  if (first === undefined) return given!;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, index) =>
      index === first ? put(item, rest, given) : item,
    );
  const { [String(first)]: old, ...others } = value as JsonObject;
  if (rest.length === 0 && given === undefined) return others;
  return { ...others, [String(first)]: put(old!, rest, given) };
}
