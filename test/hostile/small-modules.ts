import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ts from "typescript";
import { expect } from "vitest";
import { compile } from "../../generators/compile.js";
import { mocks } from "../../generators/emit/typescript/mocks/mocks.js";
import { naming } from "../../generators/emit/typescript/naming.js";
import { roles } from "../../generators/emit/typescript/roles/roles.js";
import { schemas } from "../../generators/emit/typescript/schemas/schemas.js";
import { types } from "../../generators/emit/typescript/types/types.js";
import { bundle, importBundle } from "../../generators/run/bundles/in-memory-bundle.js";
import { readTemplates } from "../../generators/run/installation.js";
import type { Definitions } from "../../generators/schema/json-schema/references.js";
import { smallProtocol, type SmallSource } from "../generators/emit/small-protocol.js";
import { findTypeErrors } from "../use/projects/find-type-errors.js";

/** Modules by path below `typescript/src`. */
type Modules = ReadonlyMap<string, string>;

const templates = readTemplates();
/** The runtime, by its path among the modules. */
const runtime = [...templates].flatMap(([path, text]): [string, string][] =>
  /^typescript\/runtime\/.*\.ts$/.test(path) ? [[path.replace("typescript/", ""), text]] : [],
);
const context = { templates, version: "0.0.0", memo: new Map<string, string>() };

/** Returns the generated modules of a small protocol, without the runtime. */
export async function compileModules(source: SmallSource): Promise<Modules> {
  const targets = [types, schemas, roles, mocks, naming];
  const files = await compile([smallProtocol(source)], targets, {}, context);
  return new Map(files.map(({ path, text }) => [path.replace("typescript/src/", ""), text]));
}

/**
 * Expects that modules compile as a strict user compiles them.
 *
 * @param folder where they are written
 */
export function expectNoTypeErrors(modules: Modules, folder: string): void {
  for (const [path, text] of [...runtime, ...modules]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const files = [...modules.keys()].map((path) => join(folder, path));
  // Without `typeRoots`, a folder outside of the checkout has no types of Node, which the runtime needs.
  const errors = findTypeErrors(files, undefined, (file) => file.includes("/small/"));
  const texts = errors.map(({ file, messageText }) => [
    file?.fileName,
    ts.flattenDiagnosticMessageText(messageText, " "),
  ]);
  expect(texts).toEqual([]);
}

/** Expects that bundled modules have the verdicts of ajv on values, each with its definition. */
export async function expectVerdictsOfAjv(
  modules: Modules,
  definitions: Definitions,
  values: Iterable<readonly [definition: string, value: unknown]>,
): Promise<void> {
  // Without `allErrors`, the code of ajv has a block in a block for each property.
  const reference = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  reference.addSchema(smallProtocol({ definitions }).schema, "all");
  const entry = [`entry.ts`, `export * from "./small/schemas.js";`] as const;
  const text = await bundle(new Map([...runtime, ...modules, entry]), entry[0], "esm");
  const schemaOf = await importBundle<{
    readonly [name: string]: { readonly is: (value: unknown) => boolean };
  }>(text);
  for (const [name, value] of values) {
    const expected = reference.validate(`all#/$defs/${name}`, value);
    expect(schemaOf[name]!.is(value), `${name} ${JSON.stringify(value)}`).toBe(expected);
  }
}
