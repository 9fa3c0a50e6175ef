import type { Json, JsonSchema } from "../json-schema/json.js";
import { walk } from "../json-schema/walk.js";
import { jsonPointer, type Problem } from "../problem.js";

/** The longest chain of references that is followed. */
const LONGEST_CHAIN = 16;

/**
 * Finds defaults of an imported schema that have another type than the schema they stand in, or are
 * not among its values.
 *
 * @param schema a document of the right form, without dangling references
 * @param file how problems name it
 */
export function checkImportedDefaults(schema: JsonSchema, file: string): readonly Problem[] {
  const { $defs = {} } = schema;
  const problems: Problem[] = [];
  for (const [name, definition] of Object.entries($defs)) {
    walk(definition, (part, path) => {
      if (part.default === undefined) return;
      const expected = mismatch(part, part.default, $defs, 0);
      if (expected === undefined) return;
      problems.push({
        file,
        pointer: `${jsonPointer(["$defs", name, ...path])}/default`,
        message: `the default does not fit its schema, which expects ${expected}`,
        hint: "Correct the default or the schema.",
      });
    });
  }
  return problems;
}

type Definitions = NonNullable<JsonSchema["$defs"]>;

/** Returns what a schema expects instead of a value; undefined when the value fits. */
function mismatch(
  schema: JsonSchema | boolean,
  value: Json,
  definitions: Definitions,
  depth: number,
): string | undefined {
  if (typeof schema !== "object" || depth > LONGEST_CHAIN) return undefined;
  const inner = (part: JsonSchema): string | undefined =>
    mismatch(part, value, definitions, depth + 1);
  const { type, enum: values, const: only, $ref, allOf = [], anyOf, oneOf } = schema;
  const types = typeof type === "string" ? [type] : type;
  if (types !== undefined && !types.some((one) => hasType(value, one))) return types.join(" or ");
  const listed = only === undefined ? values : [only];
  const isScalar = typeof value !== "object" || value === null;
  if (listed !== undefined && isScalar && !listed.includes(value))
    return `one of ${listed.map((one) => JSON.stringify(one)).join(", ")}`;
  const target = $ref?.startsWith("#/$defs/") ? definitions[$ref.slice(8)] : undefined;
  for (const part of target === undefined ? allOf : [target, ...allOf]) {
    const expected = inner(part);
    if (expected !== undefined) return expected;
  }
  for (const variants of [anyOf, oneOf]) {
    const expected = variants?.map(inner) ?? [];
    if (expected.length > 0 && !expected.includes(undefined)) return expected.join(" or ");
  }
  return undefined;
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
