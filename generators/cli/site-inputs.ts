import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EmitContext } from "../emit/emitter.js";
import type { Protocol } from "../model/protocol.js";
import { NO_DOCS } from "../schema/docs-source.js";
import { loadDocs } from "../schema/load-docs.js";
import type { RuleSource } from "../schema/rule-source.js";
import { TARGETS } from "../targets.js";
import { bundle } from "./bundle.js";

type Templates = EmitContext["templates"];

/**
 * What the site needs beside the protocols: its own texts, the rules of the
 * conformance checker, and for each profile the script of its validator.
 *
 * @param directory the folder with the schema that the texts belong to; none for one that has no texts
 * @throws InputError for texts that do not follow the dialect
 */
export async function loadSiteInputs(
  directory: string | undefined,
  protocols: readonly Protocol[],
  templates: Templates,
  version: string,
): Promise<Pick<EmitContext, "docs" | "rules" | "checkers">> {
  const checkers = new Map<string, string>();
  for (const protocol of protocols)
    checkers.set(protocol.profile, await buildChecker(protocol, templates, version));
  return {
    docs:
      directory !== undefined && existsSync(join(directory, "docs"))
        ? loadDocs(directory)
        : NO_DOCS,
    rules: await readRules(templates),
    checkers,
  };
}

/** The decoders of a profile and the conformance checker as one script that sets `acpChecker`. */
async function buildChecker(
  protocol: Protocol,
  templates: Templates,
  version: string,
): Promise<string> {
  const decoders = TARGETS.find(({ name }) => name === "decoders")!;
  const modules = new Map(runtimeModules(templates));
  for (const { path, text } of await decoders.emit(protocol, { templates, version }))
    modules.set(path.replace(/^typescript\/src\//, ""), text);
  const methods = protocol.methods.map(({ name, side, kind, params, result }) => ({
    name,
    side,
    kind,
    params,
    result,
  }));
  modules.set(
    "checker.ts",
    `import * as checks from "./${protocol.profile}/internal/checks.js";
import { decode, validate } from "./runtime/decode.js";
import { checkConformance } from "./runtime/conformance/check.js";
const all = checks as any;
(globalThis as any).acpChecker = {
  version: ${protocol.versionNumber},
  methods: ${JSON.stringify(methods)},
  validate: (name: string, value: unknown) => validate(all[name], value),
  decode: (name: string, value: unknown) => decode(all[name], value),
  checkConformance,
};`,
  );
  return bundle(modules, "checker.ts", "iife");
}

/** Where the rules stand with their texts and examples. */
const RULES_FILE = "conformance/rules.json";

/** The rules as data; without their texts, what the checker itself says of them. */
async function readRules(templates: Templates): Promise<readonly RuleSource[]> {
  const file = templates.get(RULES_FILE);
  if (file !== undefined)
    return (JSON.parse(file) as { readonly rules: readonly RuleSource[] }).rules;
  const text = await bundle(runtimeModules(templates), "runtime/conformance/rules.ts", "esm");
  const url = `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
  const { RULES } = (await import(url)) as { readonly RULES: readonly RuleSource[] };
  return RULES.map(({ id, source, level, versions }) => {
    return { id, source, level, versions, title: "", rationale: "", examples: [] };
  });
}

function runtimeModules(templates: Templates): ReadonlyMap<string, string> {
  return new Map(
    [...templates].filter(([path]) => path.startsWith("runtime/") && path.endsWith(".ts")),
  );
}
