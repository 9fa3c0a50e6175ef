import type { Definition } from "../../../model/protocol.js";
import type { Field } from "../../../model/shape.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyAccess,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import type { Find } from "./shape-queries.js";

/** Returns the name of the function that completes values of a definition. */
export function completeName(identifierOfType: string): Code {
  return identifier(`complete$${identifierOfType}`);
}

/** Objects with more properties get their defaults from the slow path. */
const MOST_FIELDS = 256;

/**
 * Returns the names of the objects that get defaults when they are decoded, in properties of their
 * own or inside the objects of their properties.
 */
export function findCompleted(definitions: readonly Definition[]): ReadonlySet<string> {
  const holders = new Map<string, string[]>();
  const pending: string[] = [];
  for (const { name, shape } of definitions) {
    if (shape.kind !== "object" || shape.fields.length > MOST_FIELDS) continue;
    for (const field of shape.fields.filter(isReadable)) {
      if (field.default !== undefined) pending.push(name);
      else if (field.shape.kind === "reference")
        holders.set(field.shape.name, [...(holders.get(field.shape.name) ?? []), name]);
    }
  }
  const found = new Set<string>();
  for (const name of pending) {
    if (found.has(name)) continue;
    found.add(name);
    pending.push(...(holders.get(name) ?? []));
  }
  return found;
}

/** Every object inherits a few names, which look present. */
function isReadable({ name }: Field): boolean {
  return !(name in {});
}

/**
 * Prints the function that inserts the defaults of absent properties, in an object and in the
 * objects of its properties, so that a value that only lacks defaults needs no slow path. The
 * function returns a value itself when it inserts nothing.
 *
 * @param completed the names that `findCompleted` returns; the definition is one of them
 */
export function printComplete(
  { identifier: id, shape }: Definition,
  find: Find,
  completed: ReadonlySet<string>,
): Code {
  const all = shape.kind === "object" ? shape.fields.filter(isReadable) : [];
  const targetOf = ({ shape }: Field): string | undefined =>
    shape.kind === "reference" && completed.has(shape.name) ? shape.name : undefined;
  const fields = all.filter(
    (field) => field.default !== undefined || targetOf(field) !== undefined,
  );
  const variables = fields.map((_, index) => identifier(`v${index + 1}`));
  const reads = fields.map((field, index) => {
    const value = code`v${propertyAccess(field.name)}`;
    const target = targetOf(field);
    const present =
      target === undefined ? value : code`${completeName(find(target).identifier)}(${value})`;
    const complete =
      field.default === undefined
        ? present
        : code`${value} === undefined ? ${literal(field.default)} : ${present}`;
    return code`const ${variables[index]!} = ${complete};`;
  });
  const same = fields.map(
    ({ name }, index) => code`${variables[index]!} === v${propertyAccess(name)}`,
  );
  const entries = fields.map(({ name }, index) => code`${propertyKey(name)}: ${variables[index]!}`);
  return code`function ${completeName(id)}(v: any): unknown {
if (!_isObject(v)) return v;
${joinCode(reads, "\n")}
return ${same.reduce((all, one) => code`${all} && ${one}`)} ? v : _withFields(v, { ${joinCode(entries, ", ")} });
}`;
}
