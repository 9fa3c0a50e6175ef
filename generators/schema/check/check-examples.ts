import { Ajv2020 } from "ajv/dist/2020.js";
import type { Bundle, BundleMethod } from "../compose/bundle.js";
import { errorText } from "../json-schema/error-text.js";
import type { Json } from "../json-schema/json.js";
import type { Problem } from "../problem.js";
import { publishSchema } from "../compose/publish.js";

/**
 * Finds examples and stated results of methods that do not fit their definitions. For features of
 * users: a test does the same for everything in this repository.
 *
 * @param features the features whose methods are checked
 */
export function checkExamples(bundle: Bundle, features: readonly string[]): Problem[] {
  const methods = bundle.methods.filter(
    ({ feature }) => feature !== undefined && features.includes(feature),
  );
  if (methods.length === 0) return [];
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    // Composing has checked the schema, and optimizing its code takes longer than running it.
    validateSchema: false,
    code: { optimize: false },
    verbose: true,
  });
  ajv.addSchema(publishSchema(bundle), "bundle");
  return methods.flatMap((method) =>
    statedValues(method).flatMap(({ part, at, value, subject }): Problem[] => {
      const definition = method[part];
      const file = method.file === undefined ? {} : { file: method.file };
      const pointer = `${method.pointer}/${at}`;
      if (definition === undefined)
        return subject === "example" ? [] : [{ ...file, pointer, ...withoutResult(method, at) }];
      if (ajv.validate(`bundle#/$defs/${definition}`, value)) return [];
      const [error] = ajv.errors ?? [];
      return [
        {
          ...file,
          pointer: pointer + (error?.instancePath ?? ""),
          message: `the ${subject} does not fit ${definition}: it ${error === undefined ? "is invalid" : errorText(error)}`,
          hint: `Correct the ${subject} or the definition.`,
        },
      ];
    }),
  );
}

/** A value that a method states for its params or result. */
interface StatedValue {
  readonly part: "params" | "result";
  /** The path in the method. */
  readonly at: string;
  readonly value: Json | undefined;
  readonly subject: string;
}

function withoutResult({ name }: BundleMethod, at: string): Pick<Problem, "message" | "hint"> {
  return {
    message: `"${name}" has ${at}, but no result`,
    hint: "Remove it; requests have results.",
  };
}

/** Returns the values that a method states: its examples, and the results that runtimes use. */
export function statedValues(method: BundleMethod): readonly StatedValue[] {
  const results = (["cancelledResult", "impliedResult"] as const).flatMap((at): StatedValue[] => {
    const value = method[at];
    return value === undefined ? [] : [{ part: "result", at, value, subject: at }];
  });
  const parts = ["params", "result"] as const;
  const examples = method.examples.flatMap((example, index) =>
    parts.map((part): StatedValue => {
      const at = `examples/${index}/${part}`;
      return { part, at, value: example[part], subject: "example" };
    }),
  );
  return [...examples, ...results];
}
