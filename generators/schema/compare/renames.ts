import { normalText } from "./diff.js";
import type { JsonSchema } from "../json-schema/json.js";
import { mapSchema } from "../json-schema/walk.js";

/** A definition that has the same content under another name. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds renamed definitions: their content is the same, unique, and specific enough to match (all
 * plain strings are alike).
 *
 * @returns the renames sorted by the old name
 */
export function findRenames(before: JsonSchema, after: JsonSchema): Rename[] {
  const removed = byContent(before, after);
  const added = byContent(after, before);
  return [...removed]
    .flatMap(([content, names]): Rename[] => {
      const others = added.get(content) ?? [];
      const [from, to] = [names[0], others[0]];
      const isSure = names.length === 1 && others.length === 1;
      return isSure && from !== undefined && to !== undefined ? [{ from, to }] : [];
    })
    .sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** The names of the definitions that the other schema does not have, by content. */
function byContent(schema: JsonSchema, other: JsonSchema): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, definition] of Object.entries(schema.$defs ?? {})) {
    if (Object.hasOwn(other.$defs ?? {}, name) || !isTelling(definition)) continue;
    // A definition may refer to itself.
    const content = normalText(renamed(definition, new Map([[name, ""]])));
    names.set(content, [...(names.get(content) ?? []), name]);
  }
  return names;
}

function isTelling(definition: JsonSchema): boolean {
  const { properties = {}, oneOf, anyOf } = definition;
  // Each method has its own message type, even if it is empty.
  if (definition["x-method"] !== undefined) return true;
  const own = Object.keys(properties).filter((name) => name !== "_meta");
  return own.length > 0 || (oneOf ?? anyOf ?? []).length > 1;
}

/** A schema with new names for definitions, there and wherever they are referred to. */
export function applyRenames(schema: JsonSchema, renames: readonly Rename[]): JsonSchema {
  const { $defs = {}, ...root } = schema;
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  const definitions = Object.entries($defs).map(([name, definition]): [string, JsonSchema] => [
    names.get(name) ?? name,
    renamed(definition, names),
  ]);
  return { ...renamed(root, names), $defs: Object.fromEntries(definitions) };
}

/** The same schema unless it refers to a definition with a new name. */
function renamed(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  let isChanged = false;
  const mapped = mapSchema(schema, (part) => {
    const to = names.get(part.$ref?.replace(/^#\/\$defs\//, "") ?? "");
    if (to === undefined) return part;
    isChanged = true;
    return { ...part, $ref: `#/$defs/${to}` };
  });
  return isChanged ? mapped : schema;
}
