import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Bundle } from "../../generators/schema/compose/bundle.js";
import { compose } from "../../generators/schema/compose/compose.js";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import { publishSchema } from "../../generators/schema/compose/publish.js";
import { ROOT } from "../support/paths.js";

/** The canonical schema, loaded once. */
export const sources = loadSources(join(ROOT, "schema"));

/** Composes a protocol version with features. */
export function composed(protocol: string, features: readonly string[] = []): Bundle {
  return compose(sources.protocols.get(protocol)!, features);
}

/** The first error of a value in a bundle; nothing when it is valid. */
export type Judge = (definition: string, value: unknown) => string | undefined;

/** Judges values by a bundle, with plain ajv. */
export function judgeOf(bundle: Bundle): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(publishSchema(bundle), "bundle");
  return (definition, value) =>
    ajv.validate(`bundle#/$defs/${definition}`, value) ? undefined : ajv.errorsText();
}
