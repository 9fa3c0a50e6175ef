import type { Protocol } from "../model/protocol.js";
import { code, docComment, identifier, joinCode, literal, type Code } from "../output/code.js";
import { outputPath } from "../output/file.js";
import type { EmittedFile, Emitter } from "./emitter.js";

/** Checks of outgoing values, and the same functions without checks for production. */
export const encoders: Emitter = {
  name: "encoders",
  summary: "checks of outgoing values: no reserved or undeclared names, only JSON",
  requires: ["types", "decoders", "runtime"],
  emit: (protocol) => {
    const file = (name: string, text: Code): EmittedFile => ({
      path: outputPath("typescript", "src", protocol.profile, name),
      text,
      language: "plain",
    });
    return [
      file("encoders.ts", printChecked(protocol)),
      file("encoders-unchecked.ts", printUnchecked(protocol)),
    ];
  },
};

function printChecked(protocol: Protocol): Code {
  return code`import { encode } from "../runtime/validate/encode.js";
import * as checks from "./internal/checks.js";
import type * as types from "./types.js";

${printFunctions(protocol, (id) => code`encode(${literal(id)}, checks.${identifier(id)}, value)`)}
`;
}

function printUnchecked(protocol: Protocol): Code {
  return code`import type * as types from "./types.js";

${docComment("The functions of `encoders` without checks; they return the value unchanged.")}
${printFunctions(protocol, () => code`value`)}
`;
}

function printFunctions({ definitions }: Protocol, result: (identifier: string) => Code): Code {
  return joinCode(
    definitions.map(({ identifier: id }) => {
      const type = code`types.${identifier(id)}`;
      return code`export function ${identifier(`encode${id}`)}(value: ${type}): ${type} { return ${result(id)}; }`;
    }),
    "\n",
  );
}
