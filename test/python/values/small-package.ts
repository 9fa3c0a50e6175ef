import { compile } from "../../../generators/compile.js";
import { python } from "../../../generators/emit/python/python.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { readTemplates } from "../../../generators/run/installation.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../../generators/emit/small-protocol.js";
import { runPython } from "../run-python.js";

/** Generates the package of a few definitions. Returns its modules by path. */
export async function compileSchema(definitions: {
  readonly [name: string]: JsonSchema;
}): Promise<{ readonly [path: string]: string }> {
  return compilePackage(smallProtocol({ definitions }));
}

/** Generates the package of a protocol. Returns its modules by path. */
export async function compilePackage(
  protocol: Protocol,
): Promise<{ readonly [path: string]: string }> {
  const context = { templates: readTemplates(), version: "0.0.0" };
  const files = await compile([protocol], [python], {}, context);
  const sources = files.filter(({ path }) => path.endsWith(".py"));
  return Object.fromEntries(sources.map(({ path, text }) => [path, text]));
}

/** Runs a program that uses `schemas` of such a package, and data as `given`. */
export function runWithSchemas(
  files: { readonly [path: string]: string },
  program: string,
  given: unknown,
): ReturnType<typeof runPython> {
  return runPython(["-c", `${INSTALL}\n${program}`], JSON.stringify([files, given]));
}

const INSTALL = `
import json, os, sys, tempfile
files, given = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as folder:
    for path, text in files.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    sys.path.insert(0, os.path.join(folder, "python"))
    from acp_bindings.small import schemas
    import acp_bindings._runtime.diagnosis.unsendable
    import acp_bindings._runtime.diagnosis.walk, acp_bindings.small._table, acp_bindings.small._encoders
`;
