import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmitContext } from "../../emit/emitter.js";
import type { Protocol } from "../../model/protocol.js";
import { NO_DOCS } from "../../schema/source/docs-source.js";
import { loadDocs } from "../../schema/source/load-docs.js";
import { TARGETS } from "../../targets.js";
import type { RuleBook } from "../../schema/source/rule-source.js";
import { bundle, importBundle } from "./in-memory-bundle.js";
import { profileModules } from "./inspector-modules.js";

type Templates = EmitContext["templates"];

/**
 * Loads the inputs of the site besides the protocols: its own texts, the rules
 * of the conformance checker, and for each profile the script of its validator.
 *
 * @param directory the folder with the schema that the texts belong to; undefined for one without texts
 * @throws InputError for texts that do not follow the dialect
 */
export async function loadSiteInputs(
  directory: string | undefined,
  protocols: readonly Protocol[],
  templates: Templates,
): Promise<Pick<EmitContext, "docs" | "rules" | "validatorCores" | "searchCore" | "siteCode">> {
  const validatorCores = new Map<string, string>();
  for (const protocol of protocols)
    validatorCores.set(protocol.profile, await buildValidatorCore(protocol, templates));
  return {
    docs:
      directory !== undefined && existsSync(join(directory, "docs"))
        ? loadDocs(directory)
        : NO_DOCS,
    rules: await loadRules(templates),
    validatorCores,
    searchCore: await buildSearchCore(templates),
    siteCode: TARGETS.flatMap(({ siteCode }) => siteCode ?? []),
  };
}

/** The decoders of a profile and the inspector as one script that sets `acpValidatorCore`. */
function buildValidatorCore(protocol: Protocol, templates: Templates): Promise<string> {
  const modules = new Map(profileModules(protocol, templates));
  modules.set(
    "validator-core.ts",
    `import { createInspector, findHandshake, inspectValue, readRecord } from "./inspect/index.js";
import { PROFILE } from "./profile.js";
(globalThis as any).acpValidatorCore = {
  createInspector: (withRules: boolean) => createInspector(PROFILE, withRules),
  findHandshake,
  inspectValue: (definition: string, value: unknown) => inspectValue(PROFILE, definition, value),
  readRecord,
  validate: PROFILE.validate,
};`,
  );
  return bundle(modules, "validator-core.ts", "iife");
}

/** The search of the site with the library that it uses, whose license asks for the notice. */
async function buildSearchCore(templates: Templates): Promise<string> {
  const library = readFileSync(fileURLToPath(import.meta.resolve("minisearch")), "utf8");
  const modules = new Map([
    ["search.ts", templates.get("docs/assets/search.js")!],
    ["minisearch.ts", library],
  ]);
  const notice = "/* With MiniSearch, Copyright (c) Luca Ongaro, MIT license. */";
  return `${notice}\n${await bundle(modules, "search.ts", "iife")}`;
}

/** Evaluates the texts and examples of the conformance rules, which are TypeScript among the templates. */
async function loadRules(templates: Templates): Promise<RuleBook> {
  const modules = new Map(
    [...templates].filter(([path]) => /^(runtime|conformance)\/.*\.ts$/.test(path)),
  );
  const text = await bundle(modules, "conformance/rule-book.ts", "esm");
  return (await importBundle<{ readonly ruleBook: () => RuleBook }>(text)).ruleBook();
}
