import type { StepSource } from "../../schema/source/behavior-source.js";
import type { Json, JsonObject } from "../../schema/json-schema/json.js";
import type { MessagePattern, ScriptStep } from "./script.js";

/** Returns the steps that a step of a source stands for; undefined when there is no such step. */
export type ExpandStep = (step: StepSource) => readonly ScriptStep[] | undefined;

/** Abbreviations by the member that names them; each gets the value of that member and the whole step. */
export type Abbreviations = {
  readonly [name: string]: (value: Json, step: JsonObject) => readonly ScriptStep[];
};

const PLAIN: ReadonlySet<string> = new Set([
  ...["send", "sendText", "sendHex", "flood", "expect", "expectEach", "expectAll", "expectNone"],
  ...["pause", "close", "expectExit", "output", "signal"],
]);

/** Creates the expansion of steps from abbreviations; a text is one without a value. */
export function createExpansion(abbreviations: Abbreviations): ExpandStep {
  return (step) => {
    const whole: JsonObject = typeof step === "string" ? { [step]: {} } : step;
    const [name = ""] = Object.keys(whole);
    if (PLAIN.has(name)) return [whole as unknown as ScriptStep];
    return Object.hasOwn(abbreviations, name)
      ? abbreviations[name]!(whole[name]!, whole)
      : undefined;
  };
}

/** Returns the name of a variable in a step, or the usual one. */
export function nameIn(step: JsonObject, member: string, usual: string): string {
  const value = step[member];
  return typeof value === "string" ? value : usual;
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
export function resultOf(id: Json, result: MessagePattern): JsonObject {
  return { id, result };
}
