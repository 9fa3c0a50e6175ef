import type { Definition, Protocol } from "../../../model/protocol.js";
import { code, identifier, indentLines, joinCode, type Code } from "../../../output/code.js";
import { fastCheckName, printFastCheck } from "./fast-checks.js";
import { diagnoseName, printDiagnose } from "./diagnose.js";
import { completeName, findCompleted, printComplete } from "./complete.js";
import { sharedUnions } from "./shared-unions.js";

/** Prints the module with the checks of all definitions, which schemas run. */
export function printChecks(protocol: Protocol): Code {
  const definitions = new Map(protocol.definitions.map((one) => [one.name, one]));
  const find = (name: string): Definition => definitions.get(name)!;
  const shared = sharedUnions(protocol.definitions, find);
  const completed = findCompleted(protocol.definitions);
  const body = joinCode(
    protocol.definitions.map((definition) => {
      const { identifier: id } = definition;
      const isCompleted = completed.has(definition.name);
      const functions = [
        printFastCheck(definition, find, shared.has(definition.name)),
        printDiagnose(definition, find),
        ...(isCompleted ? [printComplete(definition, find, completed)] : []),
      ];
      const last = isCompleted ? code`, complete: ${completeName(id)}` : code``;
      return code`${joinCode(functions, "\n")}
export const ${identifier(id)}: Check = { is: ${fastCheckName(id)}, diagnose: ${diagnoseName(id)}${last} };`;
    }),
    "\n\n",
  );
  const used = HELPERS.filter((helper) => body.includes(`${helper}(`));
  const imports = [
    ...(used.length > 0
      ? [code`import { ${joinCode(used, ", ")} } from "../../runtime/validate/fast-checks.js";`]
      : []),
    ...(/\bu\.\w+\(/.test(body)
      ? [code`import * as u from "../../runtime/validate/diagnose-unions.js";`]
      : []),
    ...(/\br\.\w+\b/.test(body)
      ? [code`import * as r from "../../runtime/validate/diagnose.js";`]
      : []),
    code`import type { Check } from "../../runtime/validate/diagnosis.js";`,
  ];
  return code`${joinCode(imports, "\n")}

${indentLines(body)}
`;
}

/** The functions that fast checks call. */
const HELPERS = [
  code`checkOnce`,
  code`codePointLength`,
  code`isCustom`,
  code`isList`,
  code`isMap`,
  code`isObject`,
  code`withFields`,
];
