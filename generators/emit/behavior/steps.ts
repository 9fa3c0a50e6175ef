import type { StepSource } from "../../schema/source/behavior-source.js";
import type { Json, JsonObject } from "../../schema/json-schema/json.js";
import { stepName, wholeStep, type StepMembers } from "./members.js";
import type { MessagePattern, ScriptStep } from "./script.js";

/** Returns the steps that a step of a source stands for, which `checkSteps` accepts. */
export type ExpandStep = (step: StepSource) => readonly ScriptStep[];

/** Abbreviations by the member that names them; each gets the value of that member and the whole step. */
export type Abbreviations<Members extends StepMembers> = {
  readonly [name in keyof Members]: (value: Json, step: JsonObject) => readonly ScriptStep[];
};

/** Creates the expansion of steps from abbreviations; a step without one is played as it is written. */
export function createExpansion<Members extends StepMembers>(
  abbreviations: Abbreviations<Members>,
): ExpandStep {
  return (step) => {
    const whole = wholeStep(step);
    const name = stepName(whole, abbreviations);
    return name === undefined
      ? [whole as unknown as ScriptStep]
      : abbreviations[name]!(whole[name]!, whole);
  };
}

/** Returns the name of a variable in a step, or the usual one. */
export function nameIn(step: JsonObject, member: string, usual: string): string {
  return (step[member] ?? usual) as string;
}

/** Returns the content of a prompt that is a text, or blocks. */
export function blocksOf(content: Json): Json {
  return typeof content === "string" && content !== "$prompt" ? [textBlock(content)] : content;
}

export function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

/** Returns an update of a session as a notification. */
export function updateOf(session: string, update: JsonObject): JsonObject {
  return { method: "session/update", params: { sessionId: session, update } };
}

/** Returns the pattern of a message that answers a request. */
export function resultMessage(id: Json, result: MessagePattern): JsonObject {
  return { id, result };
}
