import { isObject, type Json } from "../../schema/json-schema/json.js";

/**
 * Members whose texts stay readable, because rules and readers of a conversation need them, and no
 * user has written them.
 */
const KEPT = new Set([
  ...["jsonrpc", "method", "id", "sessionId", "requestId", "terminalId", "messageId", "toolCallId"],
  ...["sessionUpdate", "type", "kind", "status", "stopReason", "outcome", "optionId", "mimeType"],
  ...["modeId", "currentModeId", "configId", "modelId", "methodId", "priority", "role"],
]);

/** Members with values that no schema describes: everything in them is masked. */
const FREE = new Set(["_meta", "rawInput", "rawOutput", "data"]);

/** The longest text that is kept: an identifier is short. */
const LONGEST_KEPT = 100;

/**
 * Returns a message whose texts are masked: letters become `x`, digits `0`. Lengths, line breaks
 * and the forms of paths and addresses stay, so that it is checked like the original. Identifiers,
 * tags, numbers and the names of members stay as well.
 */
export function redact(value: Json): Json {
  return redactMember(value, "", false);
}

/** Masks the letters and digits of a text. */
export function maskText(text: string): string {
  return text.replace(/\p{L}/gu, "x").replace(/\p{N}/gu, "0");
}

function redactMember(value: Json, name: string, isFree: boolean): Json {
  if (typeof value === "string") {
    const isKept = !isFree && KEPT.has(name) && value.length <= LONGEST_KEPT;
    return isKept ? value : maskText(value);
  }
  if (Array.isArray(value)) return value.map((item: Json) => redactMember(item, name, isFree));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    redactMember(member, key, isFree || FREE.has(key)),
  ]);
  return Object.fromEntries(members);
}
