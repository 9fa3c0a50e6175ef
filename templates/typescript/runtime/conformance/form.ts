import { at, isMask, list, show } from "./select.js";

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  array: Array.isArray,
};

/**
 * Explains what does not fit in the content of a form, by the names of its fields and without the
 * answers. Only types, required fields and offered values are checked,
 * and nothing in a masked recording, where each object has its own masks.
 */
export function explainUnfitAnswers(schema: unknown, content: unknown): readonly string[] {
  const fields = Object.keys((at(schema, "properties") ?? {}) as object);
  if (fields.every(isMask)) return [];
  const lacking = list(at(schema, "required")).filter(
    (name) => typeof name === "string" && at(content, name) === undefined,
  );
  const answers = Object.entries((content ?? {}) as object);
  return [
    ...lacking.map((name) => `the form requires ${show(name)}`),
    ...answers.flatMap(([field, answer]: [string, unknown]) => {
      const problem = explain(at(schema, "properties", field), answer);
      return problem === undefined ? [] : [`${show(field)}: ${problem}`];
    }),
  ];
}

function explain(property: unknown, answer: unknown): string | undefined {
  const type = at(property, "type");
  const fits = typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (fits === undefined) return undefined;
  if (!fits(answer)) return `the form requires the type ${String(type)}`;
  const offered = offeredBy(type === "array" ? at(property, "items") : property);
  if (
    offered.length > 0 &&
    list(type === "array" ? answer : [answer]).some((one) => !offered.includes(one))
  )
    return "the form does not offer this";
  return undefined;
}

/** Returns the values that a field offers; none when any may be given. */
function offeredBy(field: unknown): readonly unknown[] {
  const titled = [...list(at(field, "oneOf")), ...list(at(field, "anyOf"))];
  return [...list(at(field, "enum")), ...titled.map((option) => at(option, "const"))];
}
