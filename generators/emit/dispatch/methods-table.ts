import type { Method, Protocol } from "../../model/protocol.js";
import { code, joinCode, literal, type Code } from "../../output/code.js";
import type { Json } from "../../schema/json.js";
import { methodVariants } from "./variants.js";

/** Prints `METHODS`: every method as data, for programs that dispatch by themselves. */
export function printMethodsTable(protocol: Protocol): Code {
  const rows = protocol.methods.map((method) => literal(row(method, protocol)));
  return code`import type { MethodDescriptor } from "../runtime/methods.js";

/** Every method of the protocol: who handles it, what it carries, what it requires. */
export const METHODS = [
${joinCode(rows, ", ")}
] as const satisfies readonly MethodDescriptor[];
`;
}

function row(method: Method, protocol: Protocol): Json {
  const { name, side, kind, params, result, handler, gate, feature } = method;
  const variants = methodVariants(method, protocol);
  return {
    name,
    side,
    kind,
    params,
    ...(result !== undefined && { result }),
    handler,
    ...(gate !== undefined && { gate: gate as unknown as Json }),
    ...(variants && { variants: { field: variants.field, tag: variants.tag } }),
    ...(feature !== undefined && { feature }),
  };
}
