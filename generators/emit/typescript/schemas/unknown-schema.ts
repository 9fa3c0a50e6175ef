import type { Definition } from "../../../model/protocol.js";
import { code, identifier, joinCode, literal, type Code } from "../../../output/code.js";

/**
 * Prints the type and the value of the schema of a union that accepts tags this version does not
 * know, or that a receiver keeps with such a tag: tags with a leading `_` and those of later
 * versions.
 *
 * @param received the received form of the definition
 * @returns undefined for other definitions
 */
export function printUnknownSchema(
  definition: Definition,
  { shape }: Definition,
  sentType: Code,
  receivedType: Code,
): Code | undefined {
  if (shape.kind !== "tagged" || shape.open === undefined) return undefined;
  const unknown = code`_Unknown<${receivedType}, ${literal(shape.tag)}>`;
  const known = joinCode(
    shape.variants.map(({ value }) => literal(value)),
    ", ",
  );
  // A missing tag is not an unknown tag.
  const mayLack = shape.fallback !== undefined || shape.absent !== undefined;
  const check = code`_checks.${identifier(definition.identifier)}`;
  return code`_UnknownSchema<${sentType}, ${receivedType}, ${unknown}> = /* @__PURE__ */ _unknownSchema(${literal(definition.name)}, ${check}, ${literal(shape.tag)}, [${known}]${mayLack ? code`, 1` : code``})`;
}
