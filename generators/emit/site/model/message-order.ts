import { inFieldOrder } from "../../../model/sample/field-order.js";
import type { Method } from "../../../model/protocol.js";
import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import type { Site } from "./site.js";

/** The members of a message as people write them (JSON-RPC 2.0, sections 4 and 5). */
const MEMBERS = ["jsonrpc", "id", "method", "params", "result", "error"];

/**
 * Returns a message with its members and their properties ordered as readers expect
 * them, whatever the order of the document that it comes from.
 *
 * @param method what it calls or answers; absent when the protocol has no such method
 */
export function inMessageOrder(
  message: JsonObject,
  method: Method | undefined,
  { definitions, definitionOf }: Site,
): JsonObject {
  const types: { readonly [member: string]: string | undefined } = {
    params: method?.params,
    result: method?.result,
    error: "Error",
  };
  const rank = (member: string): number =>
    MEMBERS.includes(member) ? MEMBERS.indexOf(member) : MEMBERS.length;
  return Object.fromEntries(
    Object.entries(message)
      .sort(([one], [other]) => rank(one) - rank(other))
      .map(([member, value]): [string, Json] => {
        const type = definitions.get(types[member] ?? "");
        if (type === undefined) return [member, value];
        return [member, inFieldOrder(type.shape, value, definitionOf)];
      }),
  );
}
