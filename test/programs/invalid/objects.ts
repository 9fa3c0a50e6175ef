import type {
  Implementation,
  NoticeCapabilities,
  PromptRequest,
  ReadTextFileRequest,
  ToolCall,
} from "acp-bindings/v1";

// An unknown property in a literal is a mistake.
export const extra: Implementation = { name: "", version: "", titel: "" }; // @error 2561

// So is reading one.
export function read(implementation: Implementation): unknown {
  return implementation.homepage; // @error 2339
}

// A required property must be there.
export const incomplete: PromptRequest = { sessionId: "s1" }; // @error 2741

// Optional is not nullable, and what is required is not undefined.
export const nothing: ToolCall = { toolCallId: "t1", title: "", kind: null }; // @error 2322
export const undefinedPath: ReadTextFileRequest = { sessionId: "", path: undefined }; // @error 2322

// A property with a default may be absent when it is read.
export function kind(call: ToolCall): string {
  return call.kind; // @error 2322
}

// Metadata can be anything, so nothing is known of it.
export function trace(call: ToolCall): string {
  return call._meta?.["trace"]; // @error 2322
}

// Pick and Omit know the keys.
export type Picked = Pick<Implementation, "homepage">; // @error 2344

// A marker is an object, and what it does not declare is unknown there as well.
export const list: NoticeCapabilities = []; // @error 2322
export const flag: NoticeCapabilities = true; // @error 2322
export const label: NoticeCapabilities = "on"; // @error 2322
export const more: NoticeCapabilities = { sound: true }; // @error 2353
