import { Project, type OptionalKind, type FunctionDeclarationStructure } from "ts-morph";
import type { Definition, Protocol } from "../../model/protocol.js";
import { receivedDefinitions } from "../../model/received.js";
import { code, identifier, joinCode, printedCode, type Code } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import type { Emitter } from "../emitter.js";
import { checkName, printCheck } from "./checks.js";

/** Checks as straight-line code, and the lenient decoders that run them. */
export const decoders: Emitter = {
  name: "decoders",
  summary: "lenient decoders that say what they dropped",
  requires: ["types"],
  emit: (protocol) => {
    const path = (...file: string[]): string =>
      outputPath("typescript", "src", protocol.profile, ...file);
    return [
      { path: path("internal", "checks.ts"), text: printChecks(protocol), language: "plain" },
      { path: path("decoders.ts"), text: printDecoders(protocol), language: "plain" },
    ];
  },
};

function printChecks(protocol: Protocol): Code {
  const definitions = new Map(protocol.definitions.map((one) => [one.name, one]));
  const body = joinCode(
    protocol.definitions.map((one) => printCheck(one, (name) => definitions.get(name)!)),
    "\n",
  );
  const imports = Object.entries(RUNTIME).map(([file, functions]) => {
    const used = functions.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
    return used.length === 0
      ? code``
      : code`import { ${joinCode(used, ", ")} } from "../../runtime/${identifier(file)}.js";\n`;
  });
  return code`${imports}
${body}
`;
}

/** What checks are made of, by file of the runtime. */
const RUNTIME = {
  checks: [
    code`allows`,
    code`field`,
    code`isAny`,
    code`isBoolean`,
    code`isInteger`,
    code`isList`,
    code`isMap`,
    code`isMarker`,
    code`isNatural`,
    code`isNull`,
    code`isNumber`,
    code`isObject`,
    code`isOneOf`,
    code`isPresent`,
    code`isString`,
    code`isText`,
    code`list`,
    code`optional`,
    code`own`,
  ],
  unions: [
    code`isAlternative`,
    code`isCustom`,
    code`isEither`,
    code`isUnlisted`,
    code`isUntagged`,
    code`isWalking`,
  ],
} as const;

function printDecoders(protocol: Protocol): Code {
  const received = receivedDefinitions(protocol.definitions);
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile(
    "decoders.ts",
    code`import { decode } from "../runtime/decode.js";
import type { Decoded, DecodeOptions } from "../runtime/verdict.js";
import * as checks from "./internal/checks.js";
import type * as types from "./types.js";
${received.size > 0 ? code`import type * as received from "./received.js";\n` : code``}`,
  );
  file.addFunctions(
    protocol.definitions.map((one) =>
      decoder(one, received.has(one.name) ? code`received` : code`types`),
    ),
  );
  return printedCode(file.getFullText());
}

function decoder(
  { identifier: id }: Definition,
  module: Code,
): OptionalKind<FunctionDeclarationStructure> {
  return {
    name: identifier(`decode${id}`),
    isExported: true,
    parameters: [
      { name: "value", type: "unknown" },
      { name: "options", type: "DecodeOptions", hasQuestionToken: true },
    ],
    returnType: code`Decoded<${module}.${identifier(id)}>`,
    statements: code`return decode(checks.${checkName(id)}, value, options);`,
  };
}
