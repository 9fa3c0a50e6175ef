import { printChecks } from "../../emit/typescript/schemas/checks.js";
import { printMethodsTable } from "../../emit/typescript/roles/methods-table.js";
import type { Protocol } from "../../model/protocol.js";
import { visitShape, type Steps } from "../../model/visit-shape.js";
import { code, identifier, literal, specifier } from "../../output/code.js";

type Templates = ReadonlyMap<string, string>;

/** The module that exports `PROFILE`, the methods and checks of a profile, and `CHECKS` by definition. */
export const PROFILE_MODULE = "profile.ts";

/** The entry module of the inspector. */
export const INSPECTOR_MODULE = "site/inspector/index.ts";

/** The entry module of the view that the site has, which sets `acpTimelineView`. */
export const VIEW_MODULE = "site/view/site.ts";

/** The entry module of the page that shows a recording. */
export const PAGE_MODULE = "site/view/page.ts";

/** The runtime, the inspector and the view of conversations, as TypeScript by path. */
export function inspectorModules(templates: Templates): ReadonlyMap<string, string> {
  return new Map(
    [...templates].filter(([path]) =>
      /^(typescript\/runtime|site\/(inspector|view))\/.*\.ts$/.test(path),
    ),
  );
}

/** Returns the tags and enumeration values of all definitions, each once. */
function listedNames({ definitions }: Protocol): readonly string[] {
  const names = new Set<string>();
  for (const { shape } of definitions)
    visitShape(shape, {
      value: ({ value }) => void (typeof value === "string" && names.add(value)),
      variant: (_, steps, tag) => void (tag !== undefined && names.add(lastName(steps))),
    });
  return [...names].filter((name) => !name.includes(" "));
}

function lastName(steps: Steps): string {
  return steps.at(-1)!.name;
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
  const folder = `typescript/${profile}`;
  const checks = definitions.map(
    ({ name, identifier: id }) => code`[${literal(name)}, checks.${identifier(id)}],`,
  );
  return new Map<string, string>([
    ...inspectorModules(templates),
    [`${folder}/internal/checks.ts`, printChecks(protocol)],
    [`${folder}/methods.ts`, printMethodsTable(protocol)],
    [
      PROFILE_MODULE,
      code`import * as checks from ${specifier(`./${folder}/internal/checks.js`)};
import { METHODS } from ${specifier(`./${folder}/methods.js`)};
import { decode, validate } from "./typescript/runtime/validate/decode.js";
import { findUndeclared } from "./site/inspector/undeclared.js";
import { isDeclared } from "./typescript/runtime/validate/outgoing-check.js";
import type { Check } from "./typescript/runtime/validate/diagnosis.js";
export const CHECKS = new Map<string, Check>([
${checks}
]);
export const PROFILE = {
  name: ${literal(profile)},
  version: ${literal(versionNumber)},
  names: ${literal(listedNames(protocol).join(" "))}.split(" "),
  methods: METHODS,
  undeclared: (definition: string, value: unknown) => {
    const check = CHECKS.get(definition);
    return check === undefined || isDeclared(check, value) ? [] : findUndeclared(check, value);
  },
  decode: (definition: string, value: unknown) => {
    const check = CHECKS.get(definition);
    return check && decode(check, value);
  },
  /** Decodes a value as the flags of the schema say, without keeping unknown values. */
  receive: (definition: string, value: unknown) => {
    const check = CHECKS.get(definition);
    return check && decode(check, value, { unknown: "reject" });
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
