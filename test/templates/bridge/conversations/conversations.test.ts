import { describe, expect, test } from "vitest";
import { LIBRARIES, type Behaviour } from "./peers.js";
import { OPTIONS, talk, text } from "./talk.js";
import { violations } from "../wire.js";

const S = "s";

/** An agent of version 2 that shows every kind of update. */
const agent2: Behaviour = {
  requests: {
    "session/new": () => ({ sessionId: S, configOptions: [] }),
    "session/list": () => ({ sessions: [] }),
    "session/resume": () => ({}),
    "session/close": () => ({}),
    "session/prompt": (_, peer) => {
      const update = (value: object): Promise<void> =>
        peer.notify("session/update", { sessionId: S, update: value });
      const work = async (): Promise<void> => {
        await update({ sessionUpdate: "user_message", messageId: "u", content: [text("Go")] });
        await update({ sessionUpdate: "state_update", state: "running" });
        await update({ sessionUpdate: "agent_thought_chunk", messageId: "t", content: text("Hm") });
        await update({ sessionUpdate: "agent_message", messageId: "a", content: [text("Hello")] });
        await update({
          sessionUpdate: "tool_call_update",
          toolCallId: "c",
          title: "Run",
          kind: "execute",
          status: "pending",
        });
        await update({ sessionUpdate: "state_update", state: "requires_action" });
        const { outcome } = await peer.request("session/request_permission", {
          sessionId: S,
          title: "Run",
          options: OPTIONS,
          subject: { type: "tool_call", toolCall: { toolCallId: "c", title: "Run" } },
        });
        await update({ sessionUpdate: "state_update", state: "running" });
        await update({
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: "c",
          content: { type: "content", content: text(JSON.stringify(outcome)) },
        });
        await update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
        await update({
          sessionUpdate: "plan_update",
          plan: {
            type: "items",
            planId: "main",
            entries: [{ content: "One", priority: "low", status: "completed" }],
          },
        });
        await update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
      };
      setTimeout(() => void work().catch(() => {}));
      return { messageId: "u" };
    },
  },
  notifications: { "session/cancel": () => {} },
};

/** An agent of version 1 that does the same. */
const agent1: Behaviour = {
  requests: {
    "session/new": () => ({ sessionId: S }),
    "session/prompt": async (_, peer) => {
      const update = (value: object): Promise<void> =>
        peer.notify("session/update", { sessionId: S, update: value });
      await update({ sessionUpdate: "agent_thought_chunk", content: text("Hm") });
      await update({ sessionUpdate: "agent_message_chunk", content: text("Hello") });
      await update({
        sessionUpdate: "tool_call",
        toolCallId: "c",
        title: "Run",
        kind: "execute",
        status: "pending",
      });
      const { outcome } = await peer.request("session/request_permission", {
        sessionId: S,
        toolCall: { toolCallId: "c", title: "Run" },
        options: OPTIONS,
      });
      await update({
        sessionUpdate: "tool_call_update",
        toolCallId: "c",
        status: "completed",
        content: [{ type: "content", content: text(JSON.stringify(outcome)) }],
      });
      await update({
        sessionUpdate: "plan",
        entries: [{ content: "One", priority: "low", status: "completed" }],
      });
      return { stopReason: "end_turn" };
    },
  },
  notifications: { "session/cancel": () => {} },
};

const pairs = Object.keys(LIBRARIES).flatMap((client) =>
  Object.keys(LIBRARIES).map((agent) => ({ client, agent })),
);

describe("a client of version 1 on $client and an agent of version 2", () => {
  test.each(pairs)("communicate, on $client and $agent", async ({ client, agent }) => {
    const { updates, answer, wired } = await talk(
      LIBRARIES[client]!["client1"]!,
      LIBRARIES[agent]!["agent2"]!,
      agent2,
      2,
    );
    expect(answer).toMatchObject({ stopReason: "end_turn" });
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "agent_thought_chunk",
      "agent_message_chunk",
      "tool_call",
      "tool_call_update",
      // What the request for permission says of the tool call.
      "tool_call_update",
      "tool_call_update",
      "plan",
    ]);
    expect(JSON.stringify(updates)).toContain("selected");
    expect(violations(wired, { client: 1, agent: 2 })).toEqual([]);
  });
});

describe("a client of version 2 and an agent of version 1", () => {
  test.each(pairs)("communicate, on $client and $agent", async ({ client, agent }) => {
    const { updates, answer, wired } = await talk(
      LIBRARIES[client]!["client2"]!,
      LIBRARIES[agent]!["agent1"]!,
      agent1,
      1,
    );
    expect(answer).toMatchObject({ messageId: "message-1" });
    expect(updates.map(({ sessionUpdate, state }) => state ?? sessionUpdate)).toEqual([
      "user_message",
      "running",
      "agent_thought_chunk",
      "agent_message_chunk",
      "tool_call_update",
      "tool_call_update",
      "plan_update",
      "idle",
    ]);
    expect(JSON.stringify(updates)).toContain("selected");
    expect(violations(wired, { client: 2, agent: 1 })).toEqual([]);
  });
});
