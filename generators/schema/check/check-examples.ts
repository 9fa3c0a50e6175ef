import { Ajv2020 } from "ajv/dist/2020.js";
import type { Bundle } from "../compose/bundle.js";
import type { Problem } from "../problem.js";
import { publishSchema } from "../compose/publish.js";

/**
 * Finds method examples that do not fit their definitions. For features of
 * users: a test does the same for everything in this repository.
 *
 * @param features the features whose methods are looked at
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
  });
  ajv.addSchema(publishSchema(bundle), "bundle");
  return methods.flatMap((method) =>
    method.examples.flatMap((example, index) =>
      (["params", "result"] as const).flatMap((part): Problem[] => {
        const definition = method[part];
        if (definition === undefined || ajv.validate(`bundle#/$defs/${definition}`, example[part]))
          return [];
        const pointer = `${method.pointer}/examples/${index}/${part}`;
        const [error] = ajv.errors ?? [];
        return [
          {
            ...(method.file !== undefined && { file: method.file }),
            pointer: pointer + (error?.instancePath ?? ""),
            message: `the example does not fit ${definition}: it ${error?.message ?? "is invalid"}`,
            hint: "Correct the example or the definition.",
          },
        ];
      }),
    ),
  );
}
