import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type { SessionUpdate } from "@agentclientprotocol/sdk";

const tested = agent({ name: "tested" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
    const toolCallId = crypto.randomUUID();
    const update = (update: SessionUpdate) =>
      client.notify(methods.client.session.update, { sessionId, update });
    await update({ sessionUpdate: "tool_call", toolCallId, title: "Edit", kind: "edit" });
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId },
      options: [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    });
    const isAllowed = outcome.outcome === "selected" && outcome.optionId === "allow";
    const status = isAllowed ? "completed" : "failed";
    await update({ sessionUpdate: "tool_call_update", toolCallId, status });
    return { stopReason: "end_turn" };
  });

for (const [optionId, status] of [
  ["allow", "completed"],
  ["reject", "failed"],
] as const) {
  test(`the call is ${status} when the user answers ${optionId}`, async () => {
    const updates: SessionUpdate[] = [];
    const fake = client({ name: "fake" })
      .onRequest(methods.client.session.requestPermission, () => ({
        outcome: { outcome: "selected", optionId },
      }))
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update);
      });
    await fake.connectWith(tested, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
      await agent.buildSession("/").withSession(async (session) => {
        assert.equal((await session.prompt("Go")).stopReason, "end_turn");
      });
    });
    const last = updates.at(-1);
    assert.ok(last?.sessionUpdate === "tool_call_update" && last.status === status);
  });
}
