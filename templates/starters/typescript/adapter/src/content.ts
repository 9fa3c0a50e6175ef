import { audio, image, resource, resourceLink, type ContentBlock } from "#acp/v1";
import type { StreamPart } from "./coding-agent.js";

/** Returns the output of a tool, or the reason why it failed, as text. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Error ? value.message : (JSON.stringify(value) ?? "");
}

/** Returns a file that the model has created. */
export function fileBlock(file: Extract<StreamPart, { type: "file" }>["file"]): ContentBlock {
  const { base64: data, mediaType: mimeType } = file;
  if (mimeType.startsWith("image/")) return image(data, mimeType);
  if (mimeType.startsWith("audio/")) return audio(data, mimeType);
  return resource({ uri: `urn:uuid:${crypto.randomUUID()}`, blob: data, mimeType });
}

/** Returns a link to what the model has used. Documents have no address of their own. */
export function sourceBlock(source: Extract<StreamPart, { type: "source" }>): ContentBlock {
  const uri = source.sourceType === "url" ? source.url : `source:${encodeURIComponent(source.id)}`;
  return resourceLink(uri, source.title ?? uri);
}
