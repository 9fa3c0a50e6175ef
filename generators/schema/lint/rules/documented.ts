import type { JsonSchema } from "../../json-schema/json.js";
import type { Objection } from "../rule.js";
import { nameOf, partsOf, pointerTo, stepsOf, type Part, type Stated } from "../source-index.js";

/** Finds definitions, properties, variants, values and methods that no text explains. */
export function* findUndocumented(stated: Stated): Generator<Objection> {
  for (const part of partsOf(stated)) {
    const { of, schema, inside } = part;
    const kind = kindOf(part);
    const place = { file: of.file, subject: nameOf(of, inside) };
    if (kind !== undefined && isBlank(schema.description))
      yield {
        ...place,
        pointer: pointerTo(of, inside),
        message: `the ${kind} ${place.subject} has no description`,
        hint: "Say what it means, not what its name says already.",
      };
    if (schema.enum !== undefined)
      yield {
        ...place,
        pointer: pointerTo(of, [...inside, "enum"]),
        message: `the values of ${place.subject} have no descriptions`,
        hint: "List them in oneOf, each as a const with its description.",
      };
  }
  for (const { file, path, method } of stated.methods)
    for (const text of ["summary", "description"] as const)
      if (isBlank(method[text]))
        yield {
          file,
          pointer: pointerTo({ path }, [text]),
          subject: method.name,
          message: `the method ${method.name} has no ${text}`,
          hint: "Say who sends it, and when.",
        };
}

/** What a schema is, where that needs a description. */
function kindOf({ of, schema, inside }: Part): string | undefined {
  const steps = stepsOf(inside);
  const last = steps.at(-1);
  switch (last?.keyword) {
    case undefined:
      return of.isAddition ? undefined : "definition";
    case "properties":
      // The tag says which variant it is, and that has the description.
      return schema.const === undefined ? "property" : undefined;
    case "oneOf":
    case "anyOf":
      if (schema.type === "null") return undefined;
      return steps.length === 1 || isTold(schema) ? "variant" : undefined;
    default:
      return undefined;
  }
}

/** Whether a variant is more than a type or a reference, which is described elsewhere. */
function isTold({ const: value, properties, title }: JsonSchema): boolean {
  return value !== undefined || properties !== undefined || title !== undefined;
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}
