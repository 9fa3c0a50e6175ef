import type { FunctionDeclarationStructure, OptionalKind } from "ts-morph";
import type { Definition, Protocol } from "../../model/protocol.js";
import { code, identifier, type Code } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import type { Memo } from "../../schema/memo.js";
import { printSource } from "../../output/ts-morph/print-source.js";
import type { Emitter } from "../emitter.js";
import { printChecks } from "./checks.js";

/** Checks as straight-line code, and the lenient decoders that run them. */
export const decoders: Emitter = {
  name: "decoders",
  summary: "lenient decoders that report what they dropped",
  requires: ["types", "runtime"],
  emit: async (protocol, { memo }) => {
    const path = (...file: string[]): string =>
      outputPath("typescript", "src", protocol.profile, ...file);
    return [
      { path: path("internal", "checks.ts"), text: printChecks(protocol), language: "plain" },
      { path: path("decoders.ts"), text: await printDecoders(protocol, memo), language: "plain" },
    ];
  },
};

function printDecoders({ definitions, received }: Protocol, memo?: Memo): Promise<Code> {
  const head = code`import { decode } from "../runtime/validate/decode.js";
import type { Decoded, DecodeOptions } from "../runtime/validate/decode-result.js";
import * as checks from "./internal/checks.js";
import type * as types from "./types.js";
${received.size > 0 ? code`import type * as received from "./received.js";\n` : code``}`;
  const functions = definitions.map((one) =>
    decoder(one, received.has(one.name) ? code`received` : code`types`),
  );
  return printSource({ head, functions }, memo);
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
    statements: code`return decode(checks.${identifier(id)}, value, options);`,
  };
}
