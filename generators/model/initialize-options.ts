import type { Definition } from "./protocol.js";
import type { Field } from "./shape.js";

/** What a role's author gives for its initialize message, by option name. */
export interface InitializeOption {
  readonly name: string;
  readonly field: Field;
}

/** The fields of an initialize message that its sender chooses, under names both roles share. */
export function initializeOptions(message: Definition): InitializeOption[] {
  const fields = message.shape.kind === "object" ? message.shape.fields : [];
  return fields
    .filter(({ name }) => name !== "protocolVersion" && name !== "_meta")
    .map((field) => ({ name: optionName(field.name), field }));
}

/** `agentInfo` and `clientInfo` are `info`; capabilities likewise. */
function optionName(field: string): string {
  if (/info$/i.test(field)) return "info";
  return /capabilities$/i.test(field) ? "capabilities" : field;
}
