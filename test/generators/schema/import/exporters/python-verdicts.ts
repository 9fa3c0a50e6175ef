import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "../../../../../generators/compile.js";
import { python } from "../../../../../generators/emit/python/python.js";
import type { Protocol } from "../../../../../generators/model/protocol.js";
import { readTemplates } from "../../../../../generators/run/installation.js";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import { runPython } from "../../../../python/run-python.js";

/** Values by the definition that they are tried on. */
export type Values = readonly (readonly [definition: string, values: readonly Json[]])[];

/** Writes the Python package of protocols into a folder. */
export async function writePackage(protocols: readonly Protocol[], folder: string): Promise<void> {
  const context = { templates: readTemplates(), version: "0.0.0" };
  for (const { path, text } of await compile(protocols, [python], {}, context)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * Imports every module of the Python packages of profiles, and tries values on their definitions:
 * validates them; decodes, encodes and decodes those that are valid.
 *
 * @param folder where the package was written
 * @returns verdicts by profile, definition and value
 */
export function pythonVerdicts(
  folder: string,
  given: { readonly [profile: string]: Values },
): { readonly [profile: string]: readonly (readonly boolean[])[] } {
  const { code, out, err } = runPython(["-c", PROGRAM], JSON.stringify(given), {
    PYTHONPATH: join(folder, "python"),
  });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as ReturnType<typeof pythonVerdicts>;
}

const PROGRAM = `
import json, sys
from importlib import import_module

def verdict(schema, value):
    # What is not valid may be received all the same.
    schema.decode(value)
    if not schema.is_valid(value):
        return False
    message = schema.parse(value)
    return schema.parse(schema.encode(message)) == message


verdicts = {}
for profile, definitions in json.load(sys.stdin).items():
    for module in ("types", "schemas", "_decoders", "_encoders", "_table"):
        import_module(f"acp_bindings.{profile}.{module}")
    schemas = import_module(f"acp_bindings.{profile}.schemas")
    verdicts[profile] = [
        [verdict(schemas.Schema(name, schemas._CODEC), value) for value in values]
        for name, values in definitions
    ]
json.dump(verdicts, sys.stdout)
`;
