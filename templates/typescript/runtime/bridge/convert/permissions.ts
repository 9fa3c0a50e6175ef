import { isRecord } from "../../rpc/messages.js";
import type { Computation, ConversionContext } from "./computation.js";
import { hasOtherProperties } from "./other-properties.js";
import { REJECTED } from "./run.js";

/** The title of a request whose tool call has none. */
const TITLE = "Permission";

/** A placeholder for the tool call of a request without one. */
const TOOL_CALL = "permission";

export const permissionToV2: Computation = (value, { lose, convert }) => {
  if (!isRecord(value)) return value;
  const { toolCall, options, ...rest } = value;
  if (!isRecord(toolCall)) return value;
  if (Array.isArray(options) && options.length === 0) {
    lose("no-options");
    return REJECTED;
  }
  const named = toolCall["title"];
  if (typeof named !== "string") lose("no-title");
  const title = typeof named === "string" ? named : TITLE;
  const subject = { type: "tool_call", toolCall: convert("ToolCallUpdate", toolCall, "toolCall") };
  return { ...rest, title, options, subject };
};

export const permissionToV1: Computation = (value, tools) => {
  if (!isRecord(value)) return value;
  const { title, description, subject, options, ...rest } = value;
  const toolCall = toolCallOf(subject, title, tools);
  const own = Array.isArray(options)
    ? options.map((option, index) =>
        tools.convert("PermissionOption", option, "options", String(index)),
      )
    : options;
  if (typeof description !== "string") return { ...rest, toolCall, options: own };
  tools.lose("description");
  const content = Array.isArray(toolCall["content"]) ? (toolCall["content"] as unknown[]) : [];
  const text = { type: "content", content: { type: "text", text: description } };
  return { ...rest, toolCall: { ...toolCall, content: [text, ...content] }, options: own };
};

function toolCallOf(
  subject: unknown,
  title: unknown,
  { lose, convert }: ConversionContext,
): Record<string, unknown> {
  const { type, toolCallId, _meta, ...input } = isRecord(subject) ? subject : {};
  const { toolCall } = input;
  if (type === "tool_call" && isRecord(toolCall)) {
    if (hasOtherProperties(subject, ["type", "toolCall"])) lose("details");
    const own = convert("ToolCallUpdate", toolCall, "subject", "toolCall") as Record<
      string,
      unknown
    >;
    if (own["title"] === title) return own;
    lose("title");
    return { ...own, title };
  }
  const isCommand = type === "command";
  lose(isCommand ? "command" : isRecord(subject) ? "other-subject" : "no-subject");
  return {
    toolCallId: typeof toolCallId === "string" ? toolCallId : TOOL_CALL,
    title,
    status: "pending",
    ...(isCommand && { kind: "execute" }),
    ...(hasOtherProperties(input, []) && { rawInput: input }),
    ...(isRecord(_meta) && { _meta }),
  };
}
