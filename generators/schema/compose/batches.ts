import type { JsonSchema } from "../json-schema/json.js";
import { jsonrpc, reference } from "./envelope-parts.js";
import { PROTOCOL_NOTIFICATION } from "./protocol-level.js";

/**
 * Returns the JSON-RPC batches that a side sends (JSON-RPC 2.0 section 6): one of calls, and one of
 * the responses to a batch.
 *
 * @param prefix the side's prefix in the names of its envelopes
 * @param envelopes the definitions of the single messages
 */
export function batchMessages(
  prefix: string,
  envelopes: ReadonlyMap<string, JsonSchema>,
): readonly JsonSchema[] {
  const who = `the ${prefix.toLowerCase()}`;
  const calls = [
    { title: "Request", ...reference(`${prefix}Request`) },
    { title: "Notification", ...reference(`${prefix}Notification`) },
    ...(envelopes.has(PROTOCOL_NOTIFICATION)
      ? [{ title: PROTOCOL_NOTIFICATION, ...reference(PROTOCOL_NOTIFICATION) }]
      : []),
  ];
  const { anyOf: responses = [] } = envelopes.get(`${prefix}Response`) ?? {};
  return [
    {
      title: `${prefix}BatchCall`,
      description: `Several requests and notifications that ${who} sends together.`,
      type: "array",
      items: { ...message(), anyOf: calls },
      minItems: 1,
    },
    {
      title: `${prefix}BatchResponse`,
      description: `The responses of ${who} to several requests that were sent together.`,
      type: "array",
      items: { ...message(), anyOf: responses, "x-docs-ignore": true },
      minItems: 1,
    },
  ];
}

function message(): JsonSchema {
  return {
    description: "A message of the batch.",
    type: "object",
    properties: { jsonrpc: jsonrpc() },
    required: ["jsonrpc"],
  };
}
