import { isObject, type Json, type JsonObject } from "../../schema/json-schema/json.js";
import type { Captured } from "./inspector-api.js";

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
 * tags, numbers and the names of members stay as well, but not in values that no schema describes.
 *
 * @throws RangeError for a value that is nested too deeply
 */
export function redact(value: Json): Json {
  const isExtension = isObject(value) && String(value["method"] ?? "").startsWith("_");
  if (!isExtension) return redactMember(value, "", false);
  const { params = {}, ...message } = value;
  const masked = redactMember(message, "", false) as JsonObject;
  return "params" in value ? { ...masked, params: redactMember(params, "", true) } : masked;
}

/** Masks the texts of a message, of a line that is not one, and of what happened besides. */
export function redactCaptured(captured: Captured): Captured {
  if ("recorded" in captured) {
    const { recorded, ...place } = captured;
    try {
      return { ...place, recorded: { ...recorded, message: redact(recorded.message as Json) } };
    } catch {
      const reason = "the message is nested too deeply to be masked";
      const { from } = recorded;
      const broken = { rule: "too-deep", message: reason, ...(from !== undefined && { from }) };
      return { ...place, broken };
    }
  }
  if ("broken" in captured) {
    const { rule, message, text = "", ...broken } = captured.broken;
    // A parser quotes what it cannot read.
    const reason = rule === "not-json" ? "the line is not JSON" : message;
    return { ...captured, broken: { ...broken, rule, message: reason, text: maskText(text) } };
  }
  const { text, ...event } = captured.event;
  return { ...captured, event: text === undefined ? event : { ...event, text: maskText(text) } };
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
  if (!isObject(value)) return isFree && typeof value === "number" ? 0 : value;
  const members: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value)) {
    const kept = isFree ? maskKey(key, members) : key;
    Object.defineProperty(members, kept, {
      value: redactMember(member, key, isFree || FREE.has(key)),
      enumerable: true,
    });
  }
  return members;
}

/** The name of a member that a program has: no path, address, or token. */
const PLAIN = /^[A-Za-z_]{1,30}$/;

/** Masks the name of a member of an object that no schema describes, so that it differs from the others. */
function maskKey(key: string, members: JsonObject): string {
  if (PLAIN.test(key)) return key;
  let masked = maskText(key);
  while (Object.hasOwn(members, masked)) masked += "x";
  return masked;
}
