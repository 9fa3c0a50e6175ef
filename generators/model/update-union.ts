import { ownFields } from "./map-shape.js";
import { methodWith } from "./method-with.js";
import type { Definition, Protocol } from "./protocol.js";
import type { TaggedShape } from "./shape.js";

/** The definition of session updates. */
export interface UpdateUnion {
  readonly definition: Definition;
  readonly shape: TaggedShape;
}

/** Returns the union in the params of `session/update`. */
export function updateUnion(protocol: Protocol): UpdateUnion | undefined {
  const find = (name: string | undefined): Definition | undefined =>
    protocol.definitions.find((definition) => definition.name === name);
  const method = methodWith(protocol, "updates-session");
  const params = find(method?.params);
  const field = params && ownFields(params.shape).find(({ name }) => name === "update");
  const definition = field?.shape.kind === "reference" ? find(field.shape.name) : undefined;
  return definition?.shape.kind === "tagged" ? { definition, shape: definition.shape } : undefined;
}
