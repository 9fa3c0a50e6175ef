import type {
  ClientCapabilities,
  Implementation,
  NoticeCapabilities,
  PromptRequest,
  ReadTextFileRequest,
  ToolCall,
} from "acp-bindings/v1";
import type { Equal, Expect } from "../equal.js";

// No index signature: the keys of an object are known.
export type Keys = Expect<
  Equal<keyof ReadTextFileRequest, "sessionId" | "path" | "line" | "limit" | "_meta">
>;
export type Picked = Expect<
  Equal<Pick<Implementation, "name" | "version">, { name: string; version: string }>
>;
export type Omitted = Expect<Equal<keyof Omit<PromptRequest, "_meta">, "sessionId" | "prompt">>;

// Optional, nullable and default are three different facts.
export type Optional = Expect<
  Equal<
    Pick<ToolCall, "kind" | "name">,
    { kind?: ToolCallKind | undefined; name?: string | null | undefined }
  >
>;
type ToolCallKind = Exclude<ToolCall["kind"], undefined>;
export type Default = Expect<
  Equal<Pick<ClientCapabilities, "terminal">, { terminal?: boolean | undefined }>
>;

export const absent: ReadTextFileRequest = { sessionId: "s1", path: "/a" };
export const nothing: ReadTextFileRequest = { sessionId: "s1", path: "/a", line: null };
export const missing: ReadTextFileRequest = { sessionId: "s1", path: "/a", line: undefined };

// `_meta` takes any keys.
export const marked: Implementation = {
  name: "editor",
  version: "1.0.0",
  _meta: { "example.com/trace": [1, 2] },
};
export const mark: unknown = marked._meta?.["example.com/trace"];

// A marker is any object: `{}`, and what an interface or an index signature describes.
export const empty: NoticeCapabilities = {};
export const extended = (mark: { readonly [key: string]: unknown }): NoticeCapabilities => mark;
export const withMeta = (mark: Pick<Implementation, "_meta">): NoticeCapabilities => mark;
