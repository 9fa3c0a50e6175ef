import { isRecord } from "../../rpc/messages.js";
import { hasOtherProperties } from "../convert/other-properties.js";

type Value = Readonly<Record<string, unknown>>;

/** The modes of a session in version 1 as a configuration option of version 2, and the reverse. */
export interface Modes {
  /** The id of the option that stands for the modes. */
  readonly configId: string;
  readonly currentModeId: string;
}

/** The id of the option that the bridge makes of modes. */
const MODE = "mode";

/** Makes the option of version 2 for the modes of version 1; undefined when there is nothing to choose. */
export function optionOf(modes: unknown, others: readonly unknown[]): Value | undefined {
  if (!isRecord(modes) || !Array.isArray(modes["availableModes"])) return undefined;
  const { availableModes, currentModeId, ...rest } = modes;
  const available = availableModes.filter(isRecord);
  // An agent that has both means the same by them.
  if (
    available.length === 0 ||
    others.some((option) => isRecord(option) && option["category"] === MODE)
  )
    return undefined;
  const taken = others.filter(isRecord).map((option) => option["configId"]);
  let configId = MODE;
  while (taken.includes(configId)) configId += "_";
  return {
    ...rest,
    type: "select",
    configId,
    name: "Mode",
    category: MODE,
    currentValue: currentModeId,
    options: available.map(({ id, ...mode }) => ({ ...mode, value: id })),
  };
}

/** Checks whether modes say more than an option of the agent, which stands for them, would. */
export function hasModeDetails(modes: unknown): boolean {
  if (!isRecord(modes) || !Array.isArray(modes["availableModes"])) return false;
  return (
    hasOtherProperties(modes, ["availableModes", "currentModeId"]) ||
    modes["availableModes"].some((mode) => hasOtherProperties(mode, ["id", "name", "description"]))
  );
}

/** Finds the option of version 1 that stands for the modes. */
export function modeOption(options: readonly unknown[]): Value | undefined {
  return options
    .filter(isRecord)
    .find(
      (option) =>
        option["category"] === MODE &&
        option["type"] === "select" &&
        typeof option["id"] === "string",
    );
}

/** Makes the modes of version 1 of their option; undefined when it has no values. */
export function modesOf(option: Value): Value | undefined {
  const values = Array.isArray(option["options"]) ? option["options"].filter(isRecord) : [];
  const plain = values.flatMap((value) =>
    Array.isArray(value["options"]) ? value["options"].filter(isRecord) : [value],
  );
  if (plain.length === 0) return undefined;
  const availableModes = plain.map(({ value, name, description }) => ({
    id: value,
    name,
    ...(typeof description === "string" && { description }),
  }));
  return { currentModeId: option["currentValue"], availableModes };
}
