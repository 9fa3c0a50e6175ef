import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Bundle } from "../../../generators/schema/compose/bundle.js";
import { compose } from "../../../generators/schema/compose.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import { publishSchema } from "../../../generators/schema/compose/publish.js";
import { ROOT } from "../../support/paths.js";

/** The canonical schema, loaded once. */
export const sources = loadSources(join(ROOT, "schema"));

const bundles = new Map<string, Bundle>();

/** Composes a protocol version with features, once for each order of their names. */
export function composed(protocol: string, features: readonly string[] = []): Bundle {
  const key = [protocol, ...features].join(" ");
  const bundle = bundles.get(key) ?? compose(sources.protocols.get(protocol)!, features);
  bundles.set(key, bundle);
  return bundle;
}

/** The first error of a value in a bundle; nothing when it is valid. */
export type Validator = (definition: string, value: unknown) => string | undefined;

const validators = new WeakMap<Bundle, Validator>();

/** Returns a validator for the definitions of a bundle, with plain ajv. */
export function validatorOf(bundle: Bundle): Validator {
  const known = validators.get(bundle);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(publishSchema(bundle), "bundle");
  const validator: Validator = (definition, value) =>
    ajv.validate(`bundle#/$defs/${definition}`, value) ? undefined : ajv.errorsText();
  validators.set(bundle, validator);
  return validator;
}
