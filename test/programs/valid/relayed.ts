import * as v1 from "acp-bindings/v1";
import * as v1Full from "acp-bindings/v1-full";
import * as v1Unstable from "acp-bindings/v1-unstable";
import type * as v2 from "acp-bindings/v2";
import type * as v2Full from "acp-bindings/v2-full";
import type * as v2Unstable from "acp-bindings/v2-unstable";
import type { Equal, Expect } from "../equal.js";

// Both sides send and receive annotations, so that their enumerations take what was received.
export type Relayed = Expect<Equal<v1.Role, "assistant" | "user" | (string & {})>>;
export type Full = Expect<Equal<v1Full.Role, v1.Role>>;
export type Unstable = Expect<Equal<v1Unstable.Role, v1.Role>>;
// Only agents send these.
export type Closed = Expect<Equal<v1.PlanEntryStatus, "pending" | "in_progress" | "completed">>;

// A prompt is echoed in every profile, as it was received.
type Text<Prompt> = Extract<
  Prompt extends readonly (infer Block)[] ? Block : never,
  { readonly type: "text" }
>;
type PromptOf<Handlers extends { readonly session: { readonly prompt?: unknown } }> =
  NonNullable<Handlers["session"]["prompt"]> extends (
    params: infer Params,
    context: never,
  ) => unknown
    ? Params extends { readonly prompt: infer Prompt }
      ? Text<Prompt>
      : never
    : never;
const chunk = "agent_message_chunk" as const;
export const echoes = {
  v1: (content: PromptOf<v1.AgentHandlers>): v1.SessionUpdate => ({
    sessionUpdate: chunk,
    content,
  }),
  v1Unstable: (content: PromptOf<v1Unstable.AgentHandlers>): v1Unstable.SessionUpdate => ({
    sessionUpdate: chunk,
    content,
  }),
  v1Full: (content: PromptOf<v1Full.AgentHandlers>): v1Full.SessionUpdate => ({
    sessionUpdate: chunk,
    content,
  }),
  v2: (content: v2.PromptRequest["prompt"][number]): v2.SessionUpdate => ({
    sessionUpdate: chunk,
    messageId: "m",
    content,
  }),
  v2Unstable: (content: v2Unstable.PromptRequest["prompt"][number]): v2Unstable.SessionUpdate => ({
    sessionUpdate: chunk,
    messageId: "m",
    content,
  }),
  v2Full: (content: v2Full.PromptRequest["prompt"][number]): v2Full.SessionUpdate => ({
    sessionUpdate: chunk,
    messageId: "m",
    content,
  }),
};

// A received prompt can be stored without its unknown variants, and replayed.
const known = (blocks: readonly v1.received.ContentBlock[]): v1.ContentBlock[] =>
  blocks.flatMap((block) => (v1.schemas.ContentBlock.isUnknown(block) ? [] : [block]));
const stored: v1.ContentBlock[] = [];
export const agent = v1.createAgent({
  info: { name: "echo", version: "1.0.0" },
  capabilities: { loadSession: true },
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      prompt: async ({ sessionId, prompt }, { client }) => {
        stored.push(...known(prompt));
        for (const content of prompt)
          if (content.type === "text")
            await client.session.update({
              sessionId,
              update: { sessionUpdate: "agent_message_chunk", content },
            });
        return { stopReason: "end_turn" };
      },
      load: async ({ sessionId }, { client }) => {
        for (const content of stored)
          await client.session.update({
            sessionId,
            update: { sessionUpdate: "user_message_chunk", content },
          });
      },
    },
  },
});

// An update is relayed once it is known to contain nothing unknown.
export async function relay(
  params: v1.received.SessionNotification,
  client: v1.ConnectedClient,
): Promise<void> {
  if (v1.schemas.SessionNotification.is(params)) await client.session.update(params);
}
export async function relayFull(
  params: v1Full.received.SessionNotification,
  client: v1Full.ConnectedClient,
): Promise<void> {
  if (v1Full.schemas.SessionNotification.is(params)) await client.session.update(params);
}
export async function relayUnstable(
  params: v1Unstable.received.SessionNotification,
  client: v1Unstable.ConnectedClient,
): Promise<void> {
  if (v1Unstable.schemas.SessionNotification.is(params)) await client.session.update(params);
}

// In version 2, unions are open: everything that was received may be sent.
export const relay2 = (
  params: v2.UpdateSessionNotification,
  client: v2.ConnectedClient,
): Promise<void> => client.session.update(params);
