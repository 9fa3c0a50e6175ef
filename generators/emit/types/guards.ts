import type { Definition, Protocol } from "../../model/protocol.js";
import type { TaggedShape } from "../../model/shape.js";
import {
  code,
  docComment,
  docLink,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  propertyName,
  type Code,
} from "../../output/code.js";

/**
 * Prints `isUnknown<Name>` for every union that is open to tags this version
 * does not know: tags with a leading `_` and those of later versions.
 *
 * @returns nothing when the protocol has no such union
 */
export function printGuards(protocol: Protocol): Code | undefined {
  const guards = protocol.definitions.flatMap((definition) =>
    definition.shape.kind === "tagged" && definition.shape.open !== undefined
      ? [guard(definition, definition.shape)]
      : [],
  );
  if (guards.length === 0) return undefined;
  return joinCode([code`import type * as types from "./types.js";`, ...guards], "\n\n");
}

function guard(definition: Definition, shape: TaggedShape): Code {
  const name = identifier(`isUnknown${definition.identifier}`);
  const type = code`types.${identifier(definition.identifier)}`;
  const tag = propertyName(shape.tag);
  const known = joinCode(
    shape.variants.map(({ value }) => literal(value)),
    ", ",
  );
  const doc = docComment(
    `Whether the \`${shape.tag}\` of a ${docLink("types", definition.identifier)} is none that this version knows.`,
  );
  // Without a tag there is nothing that could be unknown.
  const mayLack = shape.fallback !== undefined || shape.absent !== undefined;
  const check = mayLack
    ? code`tag !== undefined && tag !== null && !known.includes(tag)`
    : code`!known.includes(tag)`;
  const nothing = mayLack ? code` | null | undefined` : code``;
  return code`${doc}
export function ${name}(value: ${type}): value is Extract<${type}, { ${tag}: \`_\${string}\` }> {
  const known: readonly string[] = [${known}];
  const tag: string${nothing} = value${propertyAccess(shape.tag)};
  return ${check};
}`;
}
