import type { JsonSchema } from "../json-schema/json.js";

/** Returns a reference in the form of the published envelopes. */
export function reference(name: string): JsonSchema {
  return { allOf: [{ $ref: `#/$defs/${name}` }] };
}

/** Returns the property that every message has (JSON-RPC 2.0 section 4). */
export function jsonrpc(): JsonSchema {
  return { type: "string", enum: ["2.0"], description: "The JSON-RPC version." };
}
