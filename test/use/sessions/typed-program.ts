/**
 * Compiled with the tests, never run: the state has the types of the profile
 * whose updates it is given.
 */
import type * as v1 from "acp-bindings/v1";
import type * as v1Full from "acp-bindings/v1-full";
import type * as v2 from "acp-bindings/v2";
import type * as v2Full from "acp-bindings/v2-full";
import {
  SessionsV1,
  SessionsV2,
  SessionStateV1,
  type Block,
  type StateTable,
} from "../../../templates/typescript/runtime/session/index.js";
import type { Equal, Expect } from "../../programs/equal.js";

type LaterNotification<Params extends { readonly update: unknown }> = Omit<Params, "update"> & {
  readonly update:
    Params["update"] | { readonly sessionUpdate: "mood_update"; readonly mood: string };
};

declare const table: StateTable;
const one = new SessionsV1<v1Full.SessionUpdate>(table);
const two = new SessionsV2<v2Full.SessionUpdate>(table);

declare const params: v1Full.SessionNotification;
declare const paramsOf2: v2Full.UpdateSessionNotification;

export const state = one.apply(params);
export const stateOf2 = two.apply(paramsOf2);
export const [message] = state.messages;
export const toolCall = state.toolCalls.get("t");
export const toolCallOf2 = stateOf2.toolCalls.get("t");
export const terminal = stateOf2.terminals.get("t");

export type Checks = [
  Expect<Equal<NonNullable<typeof message>["content"], readonly v1Full.ContentBlock[]>>,
  Expect<Equal<(typeof stateOf2.messages)[number]["content"], readonly v2Full.ContentBlock[]>>,
  Expect<Equal<NonNullable<typeof toolCall>["title"], string | undefined>>,
  Expect<Equal<NonNullable<typeof toolCall>["status"], v1Full.ToolCallStatus | undefined>>,
  Expect<Equal<NonNullable<typeof toolCall>["content"], readonly v1Full.ToolCallContent[]>>,
  Expect<Equal<NonNullable<typeof toolCallOf2>["status"], v2Full.ToolCallStatus>>,
  Expect<Equal<NonNullable<typeof toolCallOf2>["locations"], readonly v2Full.ToolCallLocation[]>>,
  Expect<Equal<NonNullable<typeof terminal>["size"], v2Full.TerminalSize | undefined>>,
  Expect<Equal<NonNullable<NonNullable<typeof terminal>["output"]>["chunks"], readonly string[]>>,
  Expect<Equal<NonNullable<typeof state.plan>["entries"], readonly v1Full.PlanEntry[]>>,
  Expect<Equal<NonNullable<typeof state.mode>["currentModeId"], v1Full.SessionModeId>>,
  Expect<Equal<NonNullable<typeof state.usage>["cost"], v1Full.Cost | null | undefined>>,
  Expect<
    Equal<
      NonNullable<typeof state.commands>["availableCommands"],
      readonly v1Full.AvailableCommand[]
    >
  >,
  Expect<Equal<typeof state.info.title, string | undefined>>,
  Expect<Equal<NonNullable<ReturnType<typeof state.plans.get>>["plan"], v1Full.PlanUpdateContent>>,
  Expect<
    Equal<
      NonNullable<ReturnType<typeof state.subagents.get>>["state"],
      v1Full.StateUpdate | undefined
    >
  >,
];

// The timeline narrows, and so does what narrows in the profile.
for (const entry of state.timeline) {
  switch (entry.type) {
    case "message":
      for (const block of entry.message.content) if (block.type === "text") block.text.trim();
      break;
    case "tool_call":
      for (const item of entry.toolCall.content) if (item.type === "diff") item.path.trim();
      break;
    case "compaction":
      entry.compaction.summary.at(0);
      break;
    case "session_message":
      entry.sessionMessage.senderSessionId?.trim();
      break;
    default:
      entry satisfies never;
  }
}
if (stateOf2.state?.state === "idle") stateOf2.state.stopReason?.trim();

// Without a type argument, the updates of every profile of the version fit.
const general = new SessionsV1(table);
const generalOf2 = new SessionsV2(table);
declare const stableParams: v1.SessionNotification;
declare const stableParamsOf2: v2.UpdateSessionNotification;
general.apply(params);
general.apply(stableParams);
generalOf2.apply(paramsOf2);
generalOf2.apply(stableParamsOf2);
// A later release of the schema may add kinds of updates.
declare const laterParams: LaterNotification<v1.SessionNotification>;
declare const laterParamsOf2: LaterNotification<v2.UpdateSessionNotification>;
general.apply(laterParams);
generalOf2.apply(laterParamsOf2);
new SessionsV2<typeof laterParamsOf2.update>(table).apply(laterParamsOf2);
export const block: Block | undefined = general.get("s")?.messages[0]?.content[0];
one.addUserMessage("s", [{ type: "text", text: "hi" }]);
one.apply({ sessionId: "s", update: { sessionUpdate: "_mine" } });

// @ts-expect-error A state is read-only.
state.revision = 5;
// @ts-expect-error A state is read-only.
state.messages.push(message);
// @ts-expect-error A state is read-only.
toolCall!.title = "";
// @ts-expect-error A state is read-only.
state.plans.delete("p");
// @ts-expect-error Version 2 has no update of this kind.
two.apply({ sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "t", title: "" } });
// @ts-expect-error The tool call has no id.
one.apply({ sessionId: "s", update: { sessionUpdate: "tool_call", title: "" } });
// @ts-expect-error In version 2 the end of work is an update.
two.endTurn("s");
// @ts-expect-error A block has a type.
new SessionStateV1<v1.SessionUpdate>(table).addUserMessage([{ text: "" }]);
