import type { Protocol } from "../model/protocol.js";
import { code, identifier, joinCode, type Code } from "../output/code.js";
import { outputPath } from "../output/file.js";
import type { Emitter } from "./emitter.js";

/** Strict validators, which run the checks of the decoders without repairs. */
export const validators: Emitter = {
  name: "validators",
  summary: "strict validators, one per definition, without dependencies",
  requires: ["types", "decoders", "runtime"],
  emit: (protocol) => [
    {
      path: outputPath("typescript", "src", protocol.profile, "validators.ts"),
      text: printValidators(protocol),
      language: "plain",
    },
  ],
};

function printValidators(protocol: Protocol): Code {
  const exports = protocol.definitions.map(({ identifier: id }) => {
    const type = code`types.${identifier(id)}`;
    return code`export const ${identifier(`validate${id}`)}: Validator<${type}> = /* @__PURE__ */ validator(checks.${identifier(id)});`;
  });
  return joinCode(
    [
      code`import { validator } from "../runtime/validate/decode.js";
import type { Validator } from "../runtime/validate/decode-result.js";
import * as checks from "./internal/checks.js";
import type * as types from "./types.js";
`,
      ...exports,
      code``,
    ],
    "\n",
  );
}
