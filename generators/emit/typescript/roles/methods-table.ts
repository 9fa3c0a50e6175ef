import { capabilities } from "../../../model/gates/capabilities.js";
import { methodRows } from "../../../model/gates/method-rows.js";
import type { Method, Protocol } from "../../../model/protocol.js";
import {
  code,
  docComment,
  indentLines,
  joinCode,
  literal,
  ONE_LINE_EACH,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import { methodFacts } from "../../../schema/source/sources.js";
import { methodVariants } from "./variants.js";

/** Prints `METHODS`: every method as data, for programs that handle messages themselves. */
export function printMethodsTable(protocol: Protocol): Code {
  const gates = capabilities(protocol);
  const named = new Map([
    ...gates.map((gate, index) => [JSON.stringify(gate), code`GATES[${literal(index)}]!`] as const),
    [JSON.stringify(gates), code`GATES`] as const,
  ]);
  const rows = methodRows(protocol).map(
    ({ method, places, facts, advertised, capabilities: all }) => {
      const variants = methodVariants(method, protocol);
      const values = printValue(
        row(
          method,
          { capabilities: all, places, facts },
          {
            ...(advertised !== undefined && { advertise: advertised }),
            ...(variants && { variants: { field: variants.field, tag: variants.tag } }),
          },
        ),
        named,
      );
      return code`${values},`;
    },
  );
  const types = protocol.methods.map(
    ({ name, side, kind, params, result }) =>
      code`MethodOf<${joinCode(
        [name, side, kind, params, ...(result === undefined ? [] : [result])].map(literal),
        ", ",
      )}>,`,
  );
  // The type is given, because the inferred one would repeat every gate in the declarations.
  return code`import type { CapabilityGate, MethodOf } from "../runtime/methods.js";

${docComment("Everything that the sides can advertise, as the gates that it opens.")}
${ONE_LINE_EACH}
${indentLines(code`const GATES: readonly CapabilityGate[] = [
${joinCode(
  gates.map((gate) => code`${literal(gate as unknown as Json)},`),
  "\n",
)}
];`)}

${docComment("Every method of the protocol: its handler, its messages and its capability gate.")}
${ONE_LINE_EACH}
${indentLines(code`export const METHODS: readonly [
${joinCode(types, "\n")}
] = [
${joinCode(rows, "\n")}
];`)}
`;
}

/** Prints a value, in which some parts have a name, by their JSON. */
function printValue(value: Json, named: ReadonlyMap<string, Code>): Code {
  const name = named.get(JSON.stringify(value));
  if (name !== undefined) return name;
  if (typeof value !== "object" || value === null) return literal(value);
  if (Array.isArray(value))
    return code`[${joinCode(
      value.map((item: Json) => printValue(item, named)),
      ", ",
    )}]`;
  const parts = Object.entries(value).map(
    ([key, part]) => code`${propertyKey(key)}:${printValue(part as Json, named)}`,
  );
  return code`{${joinCode(parts, ", ")}}`;
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
