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
  specifier,
  type Code,
} from "../../output/code.js";

/**
 * Prints `isUnknown<Name>` for every union that accepts tags this version does not know, or that
 * a receiver keeps with such a tag: tags with a leading `_` and those of later versions.
 *
 * @returns undefined when the protocol has no such union
 */
export function printGuards({ definitions, received }: Protocol): Code | undefined {
  const modules = new Set<Code>();
  const guards = definitions.flatMap((definition) => {
    const { shape } = received.get(definition.name) ?? definition;
    if (shape.kind !== "tagged" || shape.open === undefined) return [];
    const module = received.has(definition.name) ? code`received` : code`types`;
    modules.add(module);
    return [guard(definition, shape, module)];
  });
  if (guards.length === 0) return undefined;
  const imports = [...modules]
    .sort()
    .map((module) => code`import type * as ${module} from ${specifier(`./${module}.js`)};`);
  return joinCode([joinCode(imports, "\n"), ...guards], "\n\n");
}

function guard(definition: Definition, shape: TaggedShape, module: Code): Code {
  const name = identifier(`isUnknown${definition.identifier}`);
  const type = code`${module}.${identifier(definition.identifier)}`;
  const tag = propertyName(shape.tag);
  const known = joinCode(
    shape.variants.map(({ value }) => literal(value)),
    ", ",
  );
  const doc = docComment(
    `Returns whether the \`${shape.tag}\` of a ${docLink(module, definition.identifier)} is unknown to this version.`,
  );
  // A missing tag is not an unknown tag.
  const mayLack = shape.fallback !== undefined || shape.absent !== undefined;
  const check = mayLack
    ? code`tag !== undefined && tag !== null && !known.includes(tag)`
    : code`!known.includes(tag)`;
  const absent = mayLack ? code` | null | undefined` : code``;
  return code`${doc}
export function ${name}(value: ${type}): value is Extract<${type}, { ${tag}: \`_\${string}\` }> {
  const known: readonly string[] = [${known}];
  const tag: string${absent} = value${propertyAccess(shape.tag)};
  return ${check};
}`;
}
