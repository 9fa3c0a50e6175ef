import { printChecks } from "../../emit/schemas/checks.js";
import { printMethodsTable } from "../../emit/roles/methods-table.js";
import type { EmitContext } from "../../emit/emitter.js";
import type { Protocol } from "../../model/protocol.js";
import { code, identifier, literal, specifier } from "../../output/code.js";

type Templates = EmitContext["templates"];

/** The module that exports `PROFILE`, the methods and checks of a profile, and `CHECKS` by definition. */
export const PROFILE_MODULE = "profile.ts";

/** The entry module of the inspector. */
export const INSPECTOR_MODULE = "inspect/index.ts";

/** The runtime and the inspector, as TypeScript by path. */
export function inspectorModules(templates: Templates): ReadonlyMap<string, string> {
  return new Map([...templates].filter(([path]) => /^(runtime|inspect)\/.*\.ts$/.test(path)));
}

/**
 * The same with the methods and decoders of one profile, as generated packages
 * have them.
 */
export function profileModules(
  protocol: Protocol,
  templates: Templates,
): ReadonlyMap<string, string> {
  const { profile, versionNumber, definitions } = protocol;
  const checks = definitions.map(
    ({ name, identifier: id }) => code`[${literal(name)}, checks.${identifier(id)}],`,
  );
  return new Map<string, string>([
    ...inspectorModules(templates),
    [`${profile}/internal/checks.ts`, printChecks(protocol)],
    [`${profile}/methods.ts`, printMethodsTable(protocol)],
    [
      PROFILE_MODULE,
      code`import * as checks from ${specifier(`./${profile}/internal/checks.js`)};
import { METHODS } from ${specifier(`./${profile}/methods.js`)};
import { decode, validate } from "./runtime/validate/decode.js";
import type { Check } from "./runtime/validate/diagnosis.js";
export const CHECKS = new Map<string, Check>([
${checks}
]);
export const PROFILE = {
  name: ${literal(profile)},
  version: ${literal(versionNumber)},
  methods: METHODS,
  decode: (definition: string, value: unknown) => {
    const check = CHECKS.get(definition);
    return check && decode(check, value);
  },
  validate: (definition: string, value: unknown) => {
    const check = CHECKS.get(definition);
    return check === undefined ? [] : validate(check, value);
  },
};
`,
    ],
  ]);
}
