import type {
  ContentBlock,
  CreateElicitationRequest,
  McpServer,
  SessionUpdate,
} from "acp-bindings/v1";

// An incomplete switch is noticed.
export function incomplete(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return block.data;
    case "resource_link":
      return block.uri;
    default:
      block satisfies never; // @error 1360
      return "";
  }
}

// A tag that does not exist is noticed.
export function misspelled(update: SessionUpdate): boolean {
  return update.sessionUpdate === "agent_mesage_chunk"; // @error 2367
}

// Without narrowing, only shared properties can be read.
export function unnarrowed(update: SessionUpdate): unknown {
  return update.title; // @error 2339
}

// Another variant's properties are not there.
export function wrongVariant(block: ContentBlock): string {
  return block.type === "image" ? block.text : ""; // @error 2339
}

// A closed union has no other tags.
export const unknownTag: ContentBlock = { type: "video", data: "", mimeType: "" }; // @error 2322

// A variant has no properties but its own and the shared ones.
export const extra: ContentBlock = { type: "text", text: "", language: "en" }; // @error 2353

// A variant needs its payload.
export const empty: ContentBlock = { type: "text" }; // @error 2322

// The variant without a tag has none, and a known tag needs its own payload.
export const tagged: McpServer = { type: "stdio", name: "", command: "", args: [], env: [] }; // @error 2322
export const half: McpServer = { type: "http", name: "", command: "", args: [], env: [] }; // @error 2353

// Custom tags begin with an underscore: others belong to later versions.
export const later: CreateElicitationRequest = { mode: "voice", message: "", sessionId: "" }; // @error 2322

// A custom variant still has what all variants share, and a scope.
export const silent: CreateElicitationRequest = { mode: "_voice", sessionId: "" }; // @error 2322
export const scopeless: CreateElicitationRequest = { mode: "_voice", message: "" }; // @error 2322
