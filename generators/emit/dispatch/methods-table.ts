import type { Method, Protocol } from "../../model/protocol.js";
import { code, joinCode, literal, type Code } from "../../output/code.js";
import type { Json } from "../../schema/json.js";

/** Prints `METHODS`: every method as data, for programs that dispatch by themselves. */
export function printMethodsTable(protocol: Protocol): Code {
  const rows = protocol.methods.map((method) => literal(row(method)));
  return code`import type { MethodDescriptor } from "../runtime/methods.js";

/** Every method of the protocol: who handles it, what it carries, what it requires. */
export const METHODS = [
${joinCode(rows, ", ")}
] as const satisfies readonly MethodDescriptor[];
`;
}

function row({ name, side, kind, params, result, handler, gate, feature }: Method): Json {
  return {
    name,
    side,
    kind,
    params,
    ...(result !== undefined && { result }),
    handler,
    ...(gate !== undefined && { gate: gate as unknown as Json }),
    ...(feature !== undefined && { feature }),
  };
}
