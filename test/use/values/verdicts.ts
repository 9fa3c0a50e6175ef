import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema } from "acp-bindings";
import * as schemas from "acp-bindings/v1/schemas";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { readReference } from "../../reference/reference.js";

/** Says whether a value fits a definition. */
export type Verdict = (definition: string, value: unknown) => boolean;

/** The generated schemas of v1. */
export const ours: Verdict = (definition, value) => schemaOf(definition).is(value);

/** The reference: plain ajv on the schema as upstream publishes it. */
export function upstream(): Verdict {
  return reference(readReference("v1"));
}

/** Plain ajv on a bundle; a definition is compiled when it is first asked for. */
export function reference(bundle: JsonSchema): Verdict {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(bundle, "bundle");
  return (definition, value) => {
    const validate = ajv.getSchema(`bundle#/$defs/${definition}`);
    if (validate === undefined) throw new Error(`the bundle has no definition ${definition}`);
    return validate(value) === true;
  };
}

/** The generated schema of a definition. */
export function schemaOf(definition: string): Schema<unknown> {
  const table = schemas as unknown as { readonly [name: string]: Schema<unknown> };
  const schema = table[definition];
  if (schema === undefined) throw new Error(`acp-bindings has no ${definition}`);
  return schema;
}
