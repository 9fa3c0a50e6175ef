import { fieldsOf } from "../map-shape.js";
import type {
  Definition,
  Initialize,
  InitializeMessage,
  InitializeOption,
  Method,
} from "../protocol.js";
import type { Field } from "../shape.js";

/** Describes the handshake and the capabilities of each side in it; `undefined` without one. */
export function buildInitialize(
  method: Method | undefined,
  definitions: readonly Definition[],
): Initialize | undefined {
  if (method?.result === undefined) return undefined;
  const message = (name: string): InitializeMessage =>
    initializeMessage(definitions.find((definition) => definition.name === name)!);
  return { method, agent: message(method.result), client: message(method.params) };
}

function initializeMessage(definition: Definition): InitializeMessage {
  const fields = definition.shape.kind === "object" ? fieldsOf(definition.shape) : [];
  const options = fields
    .filter(({ name }) => name !== "protocolVersion" && name !== "_meta")
    .map(initializeOption);
  const capabilities = options.find(({ name }) => name === "capabilities")?.field.name;
  return { definition, options, ...(capabilities !== undefined && { capabilities }) };
}

function initializeOption(field: Field): InitializeOption {
  const { required, description } = field;
  if (/info$/i.test(field.name)) {
    const text = "The name and version of this software, which it sends to the other side.";
    return { name: "info", field, required: true, description: required ? description : text };
  }
  const name = /capabilities$/i.test(field.name) ? "capabilities" : field.name;
  return { name, field, required, description };
}
