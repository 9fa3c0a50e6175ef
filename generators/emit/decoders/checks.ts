import type { Definition, Protocol } from "../../model/protocol.js";
import { code, identifier, joinCode, type Code } from "../../output/code.js";
import { checkName, printFirstLook } from "./fast-checks.js";
import { lookName, printSecondLook } from "./diagnose.js";

/** Prints the module with the checks of all definitions, which decoders and validators run. */
export function printChecks(protocol: Protocol): Code {
  const definitions = new Map(protocol.definitions.map((one) => [one.name, one]));
  const find = (name: string): Definition => definitions.get(name)!;
  const body = joinCode(
    protocol.definitions.map((definition) => {
      const { identifier: id } = definition;
      return code`${printFirstLook(definition, find)}
${printSecondLook(definition, find)}
export const ${identifier(id)}: Check = { is: ${checkName(id)}, look: ${lookName(id)} };`;
    }),
    "\n",
  );
  const used = HELPERS.filter((helper) => body.includes(`${helper}(`));
  return code`import { ${joinCode(used, ", ")} } from "../../runtime/validate/fast-checks.js";
import * as u from "../../runtime/validate/diagnose-unions.js";
import * as r from "../../runtime/validate/diagnose.js";
import type { Check } from "../../runtime/validate/diagnosis.js";

${body}
`;
}

/** What first looks call. */
const HELPERS = [code`codePointLength`, code`isCustom`, code`isList`, code`isMap`, code`isObject`];
