import type { Definition, Method, Protocol } from "../../../model/protocol.js";

/** The tagged union in the params of a method. */
export interface MethodVariants {
  /** The property of the params. */
  readonly field: string;
  /** The tag of the union. */
  readonly tag: string;
  readonly union: Definition;
}

/**
 * Returns the union whose variants can have separate handlers: the only property of a
 * notification's params that holds a tagged union, e.g. `update` of `session/update`.
 */
export function methodVariants(method: Method, protocol: Protocol): MethodVariants | undefined {
  if (method.kind !== "notification") return undefined;
  const shape = find(method.params, protocol).shape;
  if (shape.kind !== "object") return undefined;
  const found = shape.fields.flatMap(({ name, required, shape: field }) => {
    const union = field.kind === "reference" ? find(field.name, protocol) : undefined;
    return required && union?.shape.kind === "tagged"
      ? [{ field: name, tag: union.shape.tag, union }]
      : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

function find(name: string, { definitions }: Protocol): Definition {
  return definitions.find((definition) => definition.name === name)!;
}
