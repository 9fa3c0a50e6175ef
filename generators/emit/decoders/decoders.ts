import type { Protocol } from "../../model/protocol.js";
import { code, identifier, joinCode, type Code } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import type { Emitter } from "../emitter.js";
import { checkName, printFastCheck } from "./fast-check.js";
import { printTable, tableName } from "./table.js";

/** Lenient decoders: a fast check and a table a definition, and a small runtime that reads the table. */
export const decoders: Emitter = {
  name: "decoders",
  summary: "lenient decoders that say what they dropped",
  requires: ["types"],
  emit: (protocol) => {
    const path = (...file: string[]): string =>
      outputPath("typescript", "src", protocol.profile, ...file);
    return [
      { path: path("internal", "shapes.ts"), text: printShapes(protocol), language: "plain" },
      { path: path("decoders.ts"), text: printDecoders(protocol), language: "plain" },
    ];
  },
};

function printShapes(protocol: Protocol): Code {
  const identifiers = new Map(
    protocol.definitions.map((definition) => [definition.name, definition.identifier]),
  );
  const tableOf = (name: string): Code => tableName(identifiers.get(name)!);
  const checkOf = (name: string): Code => checkName(identifiers.get(name)!);
  const body = joinCode(
    protocol.definitions.flatMap((definition) => [
      printFastCheck(definition, checkOf),
      printTable(definition, tableOf),
    ]),
    "\n",
  );
  const used = HELPERS.filter((helper) => body.includes(`${helper}(`));
  return code`import { ${joinCode(used, ", ")} } from "../../runtime/fast-check.js";
import type { Node } from "../../runtime/shape-table.js";

${body}
`;
}

/** What the fast checks call. */
const HELPERS = [code`codePointLength`, code`isList`, code`isMap`, code`isObject`];

function printDecoders(protocol: Protocol): Code {
  const functions = protocol.definitions.map(({ identifier: id }) => {
    const type = code`types.${identifier(id)}`;
    return code`export function ${identifier(`decode${id}`)}(value: unknown, options?: DecodeOptions): Decoded<${type}> {
return decode(shapes.${checkName(id)}, shapes.${tableName(id)}, value, options);
}`;
  });
  return joinCode(
    [
      code`import { decode } from "../runtime/decode.js";
import type { Decoded, DecodeOptions } from "../runtime/walk.js";
import * as shapes from "./internal/shapes.js";
import type * as types from "./types.js";
`,
      ...functions,
      code``,
    ],
    "\n",
  );
}
