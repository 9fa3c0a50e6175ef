import type {
  SessionStateV1,
  SessionStateV2,
} from "../../../../templates/typescript/runtime/session/index.js";
import type { Update } from "./states.js";

/** A state as plain data without revisions, so that two can be compared. */
export function snapshot(
  state: SessionStateV1<Update> | SessionStateV2<Update>,
): Record<string, unknown> {
  const { timeline, info, notices, others } = state;
  return structuredClone({
    messages: state.messages.map(withoutRevision),
    timeline: timeline.map((entry) => {
      switch (entry.type) {
        case "message":
          return ["message", state.messages.indexOf(entry.message as never)];
        case "tool_call":
          return ["tool_call", entry.toolCall.toolCallId];
        case "compaction":
          return ["compaction", entry.compaction.compactionId];
        case "session_message":
          return ["session_message", entry.sessionMessage.messageId];
        default:
          return entry satisfies never;
      }
    }),
    toolCalls: [...state.toolCalls.values()].map(withoutRevision),
    compactions: [...state.compactions.values()].map(withoutRevision),
    sessionMessages: [...state.sessionMessages.values()].map(withoutRevision),
    subagents: [...state.subagents.values()].map(withoutRevision),
    cursors: [...state.cursors.values()].map(withoutRevision),
    terminals: "terminals" in state ? [...state.terminals.values()].map(withoutRevision) : [],
    plans: [...state.plans],
    last: Object.fromEntries(
      ["commands", "config", "usage", "suggestions", "plan", "mode", "state"].flatMap((field) => {
        const value = (state as unknown as Record<string, unknown>)[field];
        return value === undefined ? [] : [[field, value]];
      }),
    ),
    info: withoutRevision(info),
    notices: notices.items,
    others: others.items,
    counts: [notices.count, others.count],
  });
}

function withoutRevision(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== "revision"));
}

/** Freezes a value through and through, so that whoever changes it fails. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
