import type { received } from "#acp/v1";
import type { ModelMessage } from "ai";

/** What the user sent, as the AI SDK has it. */
export function toUserMessage(prompt: readonly received.ContentBlock[]): ModelMessage {
  return { role: "user", content: prompt.map((block) => ({ type: "text", text: textOf(block) })) };
}

/** Images and audio come only to agents that have advertised them. */
function textOf(block: received.ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource": {
      const { resource } = block;
      return "text" in resource ? `${resource.uri}:\n${resource.text}` : resource.uri;
    }
    default:
      return `(${block.type})`;
  }
}
