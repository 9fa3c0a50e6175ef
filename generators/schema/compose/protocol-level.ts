import type { BundleMethod } from "./bundle.js";
import type { JsonSchema } from "../json-schema/json.js";
import { jsonrpc, reference } from "./envelope-parts.js";

/** The definition of the notifications that both sides send; only batches refer to it. */
export const PROTOCOL_NOTIFICATION = "ProtocolLevelNotification";

/** Returns the body of the notifications that both sides send and handle. */
export function protocolNotification(methods: readonly BundleMethod[]): JsonSchema {
  const payload = methods
    .filter(({ side }) => side === "protocol")
    .map((method) => ({
      title: method.params,
      description: `${method.summary} ${method.description}`,
      ...reference(method.params),
    }));
  return {
    description: "A notification that either side sends. It gets no response.",
    type: "object",
    properties: {
      method: { type: "string", description: "The name of the method." },
      params: {
        description: "The params of the method.",
        anyOf: [{ anyOf: payload }, { type: "null" }],
      },
    },
    required: ["method"],
    "x-docs-ignore": true,
  };
}

/** Returns the message that carries such a notification. */
export function protocolMessage({ properties, ...notification }: JsonSchema): JsonSchema {
  return {
    ...notification,
    title: "ProtocolLevel",
    description: "A message that either side sends.",
    properties: { jsonrpc: jsonrpc(), ...properties },
    required: ["jsonrpc", "method"],
  };
}
