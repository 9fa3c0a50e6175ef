import { at, list, textOf } from "../../typescript/runtime/conformance/select.js";

/** Where a short text about a message may be, in the order of preference. */
const PLACES: readonly (readonly string[])[] = [
  ["error", "message"],
  ["result", "stopReason"],
  ["result", "outcome", "outcome"],
  ["result", "sessionId"],
  ["params", "update", "content", "text"],
  ["params", "update", "title"],
  ["params", "update", "status"],
  ["params", "update", "state"],
  ["params", "update", "currentModeId"],
  ["params", "toolCall", "title"],
  ["params", "path"],
  ["params", "command"],
  ["params", "cwd"],
  ["params", "modeId"],
  ["params", "message"],
];

/** Returns a short text that says what a message is about; empty when there is none. */
export function summarize(message: unknown): string {
  for (const place of PLACES) {
    const text = textOf(at(message, ...place));
    if (text !== "") return text;
  }
  const [block] = list(at(message, "params", "prompt"));
  return textOf(at(block, "text"));
}
