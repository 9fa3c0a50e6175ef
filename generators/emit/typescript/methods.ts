import type { Method, Protocol } from "../../model/protocol.js";
import {
  code,
  docComment,
  identifier,
  indentLines,
  joinCode,
  literal,
  ONE_LINE_EACH,
  type Code,
} from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import { perProfile, type Emitter } from "../emitter.js";

/** The methods of protocols that have no roles, as data and as types for any JSON-RPC connection. */
export const methods: Emitter = {
  name: "methods",
  summary: "the method table of a protocol without roles, and the types of its messages by method",
  handshake: "absent",
  requires: ["types"],
  emit: perProfile((protocol) =>
    // Where there are roles, they have a table of their own.
    protocol.initialize !== undefined || protocol.methods.length === 0
      ? []
      : [
          {
            path: outputPath("typescript", "src", protocol.profile, "methods.ts"),
            text: printMethods(protocol),
            language: "typescript",
          },
        ],
  ),
};

function printMethods(protocol: Protocol): Code {
  const names = new Map(protocol.definitions.map(({ name, identifier: id }) => [name, id]));
  const nameOf = (definition: string): string => names.get(definition)!;
  const rows = protocol.methods.map(
    ({ name, side, kind, params, result }) =>
      code`${literal({
        ...{ name, side, kind, params: nameOf(params) },
        ...(result !== undefined && { result: nameOf(result) }),
      })},`,
  );
  return code`import type * as types from "./types.js";

${docComment("Every method of the protocol: the side that handles it, and the names of its types and schemas.")}
${ONE_LINE_EACH}
${indentLines(code`export const METHODS = [
${joinCode(rows, "\n")}
] as const;`)}

${docComment("The types of requests and of their results, by method.")}
${printMap("Requests", "request", protocol, nameOf)}

${docComment("The types of notifications, by method.")}
${printMap("Notifications", "notification", protocol, nameOf)}
`;
}

function printMap(
  name: string,
  kind: Method["kind"],
  protocol: Protocol,
  nameOf: (definition: string) => string,
): Code {
  const all = protocol.methods.filter((method) => method.kind === kind);
  const entries = [...new Set(all.map((method) => method.name))].map((method) => {
    // Both sides may handle a method, with messages of their own.
    const rows = all.filter((one) => one.name === method);
    const typeOf = (definitions: readonly (string | undefined)[]): Code =>
      joinCode(
        [...new Set(definitions)].map((one) =>
          one === undefined ? code`unknown` : code`types.${identifier(nameOf(one))}`,
        ),
        " | ",
      );
    const params = code`readonly params: ${typeOf(rows.map((row) => row.params))};`;
    const result = code`readonly result: ${typeOf(rows.map((row) => row.result))};`;
    const members = kind === "request" ? [params, result] : [params];
    return code`readonly ${literal(method)}: {
${joinCode(members, "\n")}
};`;
  });
  return entries.length === 0
    ? code`export type ${identifier(name)} = Record<never, never>;`
    : code`export interface ${identifier(name)} {
${joinCode(entries, "\n")}
}`;
}
