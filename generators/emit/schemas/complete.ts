import type { Definition } from "../../model/protocol.js";
import type { Field } from "../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  propertyKey,
  type Code,
} from "../../output/code.js";
import type { Find } from "./shape-queries.js";

/** Returns the name of the function that completes values of a definition. */
export function completeName(identifierOfType: string): Code {
  return identifier(`complete${identifierOfType}`);
}

/**
 * Prints the function that inserts the defaults of absent properties, in an object and in the
 * objects of its properties, so that a value that only lacks defaults needs no slow path. The
 * function returns a value itself when it inserts nothing.
 *
 * @returns undefined for a definition without such properties
 */
export function printComplete(definition: Definition, find: Find): Code | undefined {
  const fields = completedFields(definition, find);
  if (fields.length === 0) return undefined;
  const variables = fields.map((_, index) => identifier(`v${index + 1}`));
  const reads = fields.map((field, index) => {
    const value = code`v${propertyAccess(field.name)}`;
    const target = completedTarget(field, find);
    const present =
      target === undefined ? value : code`${completeName(target.identifier)}(${value})`;
    const completed =
      field.default === undefined
        ? present
        : code`${value} === undefined ? ${literal(field.default)} : ${present}`;
    return code`const ${variables[index]!} = ${completed};`;
  });
  const same = fields.map(
    ({ name }, index) => code`${variables[index]!} === v${propertyAccess(name)}`,
  );
  const entries = fields.map(({ name }, index) => code`${propertyKey(name)}: ${variables[index]!}`);
  return code`function ${completeName(definition.identifier)}(v: any): unknown {
if (!isObject(v)) return v;
${joinCode(reads, "\n")}
return ${same.reduce((all, one) => code`${all} && ${one}`)} ? v : withFields(v, { ${joinCode(entries, ", ")} });
}`;
}

/** Returns the fields of an object that have a default, or whose values get one inside. */
function completedFields({ shape }: Definition, find: Find): readonly Field[] {
  if (shape.kind !== "object") return [];
  return shape.fields.filter(
    (field) =>
      // Every object inherits a few names, which look present.
      !(field.name in {}) &&
      (field.default !== undefined || completedTarget(field, find) !== undefined),
  );
}

/** Returns the definition of a field's values if they are completed. */
function completedTarget({ shape }: Field, find: Find): Definition | undefined {
  if (shape.kind !== "reference") return undefined;
  const target = find(shape.name);
  return completedFields(target, find).length > 0 ? target : undefined;
}
