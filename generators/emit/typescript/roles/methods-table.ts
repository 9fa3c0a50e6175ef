import { methodRows } from "../../../model/gates/method-rows.js";
import type { Method, Protocol } from "../../../model/protocol.js";
import {
  code,
  docComment,
  indentLines,
  joinCode,
  literal,
  ONE_LINE_EACH,
  type Code,
} from "../../../output/code.js";
import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import { methodFacts } from "../../../schema/source/sources.js";
import { methodVariants } from "./variants.js";

/** Prints `METHODS`: every method as data, for programs that handle messages themselves. */
export function printMethodsTable(protocol: Protocol): Code {
  const rows = methodRows(protocol).map(({ method, places, facts, advertised }) => {
    const variants = methodVariants(method, protocol);
    const values = literal(
      row(
        method,
        { places, facts },
        {
          ...(advertised !== undefined && { advertise: advertised }),
          ...(variants && { variants: { field: variants.field, tag: variants.tag } }),
        },
      ),
    );
    return code`${values},`;
  });
  const types = protocol.methods.map(
    ({ name, side, kind, params, result }) =>
      code`MethodOf<${joinCode(
        [name, side, kind, params, ...(result === undefined ? [] : [result])].map(literal),
        ", ",
      )}>,`,
  );
  // The type is given, because the inferred one would repeat every gate in the declarations.
  return code`import type { MethodOf } from "../runtime/methods.js";

${docComment("Every method of the protocol: its handler, its messages and its capability gate.")}
${ONE_LINE_EACH}
${indentLines(code`export const METHODS: readonly [
${joinCode(types, "\n")}
] = [
${joinCode(rows, "\n")}
];`)}
`;
}

function row(
  method: Method,
  lists: { readonly [name: string]: readonly object[] },
  derived: JsonObject,
): Json {
  const { name, side, kind, params, result, handler, gate, feature } = method;
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return {
    name,
    side,
    kind,
    params,
    ...(result !== undefined && { result }),
    handler,
    ...(gate !== undefined && { gate: gate as unknown as Json }),
    ...derived,
    ...(Object.fromEntries(filled) as unknown as JsonObject),
    ...(methodFacts(method) as JsonObject),
    ...(feature !== undefined && { feature }),
  };
}
