import type { JsonSchema } from "../../json-schema/json.js";
import type { Path } from "../../json-schema/walk.js";
import type { Diagnostic } from "../rule.js";
import { placeName, schemaParts, pointerTo, stepsOf, type SourceIndex } from "../source-index.js";

/** What a text says from the moment when its place is made until it is written. */
export const UNWRITTEN = "TODO";

/** Finds documents, definitions, properties, variants, values and methods without a description. */
export function* findUndocumented(index: SourceIndex): Generator<Diagnostic> {
  for (const part of schemaParts(index)) {
    const { of, schema, path } = part;
    const kind = of.isAddition && path.length === 0 ? undefined : documentedKind(schema, path);
    const place = { file: of.file, subject: placeName(of, path) };
    if (kind !== undefined && isBlank(schema.description))
      yield {
        ...place,
        pointer: pointerTo(of, path),
        message: `the ${kind} ${place.subject} has no description`,
        hint: "Describe its meaning beyond its name.",
      };
    if (schema.enum !== undefined)
      yield {
        ...place,
        pointer: pointerTo(of, [...path, "enum"]),
        message: `the values of ${place.subject} have no descriptions`,
        hint: "List them in oneOf, each as a const with its description.",
      };
  }
  const { modules, features } = index.protocol;
  for (const { file, description } of [...modules, ...features.values()])
    if (isBlank(description))
      yield {
        ...{ file, pointer: "/description", subject: file },
        message: "the document has no description",
        hint: "Describe what it contains.",
      };
  for (const { file, path, method } of index.methods)
    for (const text of ["summary", "description"] as const)
      if (isBlank(method[text]))
        yield {
          file,
          pointer: pointerTo({ path }, [text]),
          subject: method.name,
          message: `the method ${method.name} has no ${text}`,
          hint: "Describe who sends it, and when.",
        };
}

/** Returns the kind of a schema that needs a description; undefined for all others. */
export function documentedKind(schema: JsonSchema, path: Path): string | undefined {
  const steps = stepsOf(path);
  switch (steps.at(-1)?.keyword) {
    case undefined:
      return "definition";
    case "properties":
      // The variant of a tag has the description.
      return schema.const === undefined ? "property" : undefined;
    case "oneOf":
    case "anyOf":
      if (schema.type === "null") return undefined;
      return steps.length === 1 || hasContent(schema) ? "variant" : undefined;
    default:
      return undefined;
  }
}

/** Checks that a variant is more than a type or a reference, which has its own description. */
function hasContent({ const: value, properties, title }: JsonSchema): boolean {
  return value !== undefined || properties !== undefined || title !== undefined;
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || ["", UNWRITTEN].includes(text.trim());
}
