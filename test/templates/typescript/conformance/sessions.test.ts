import { describe, expect, test } from "vitest";
import {
  agent,
  client,
  ended,
  prompt,
  s,
  start,
  update,
} from "../../../../templates/site/rules/transcript-builder.js";
import type { Call } from "../../../../templates/typescript/runtime/conformance/call.js";
import { Conversation } from "../../../../templates/typescript/runtime/conformance/conversation.js";
import { checkConformance } from "../../../../templates/typescript/runtime/conformance/index.js";
import { ObservedSession } from "../../../../templates/typescript/runtime/conformance/sessions.js";
import type { TranscriptEntry } from "../../../../templates/typescript/runtime/conformance/transcript.js";

const times = <T>(number: number, make: (index: number) => T): T[] =>
  Array.from({ length: number }, (_, index) => make(index));

/** The rules that need a table of methods, which the templates lack, and the end of a conversation. */
const OFF = { "extension-prefix": "off", "every-request-answered": "off" } as const;

function rulesOf(...parts: readonly (readonly TranscriptEntry[])[]): string[] {
  return checkConformance(parts.flat(), { levels: OFF }).map(({ rule }) => rule);
}

describe("the pending calls of a session", () => {
  const message = update("agent_message_chunk");
  const prompts = (number: number) => times(number, (index) => prompt(`p${index}`));
  const answers = (from: number, to: number) =>
    times(to - from, (index) => ended("end_turn", `p${from + index}`));

  test("are limited in number and size", () => {
    const conversation = new Conversation(1);
    const blocks = [{ type: "text", text: "x".repeat(100_000) }];
    const calls = times(1000, (index) => [
      prompt(`p${index}`, blocks),
      agent.ask(`a${index}`, "session/request_permission", s({ toolCall: { toolCallId: index } })),
    ]);
    for (const [line, entry] of [...start(1), ...calls.flat()].entries())
      conversation.apply(conversation.step(entry, line));
    const { pending, permissions, hasForgottenCalls } = conversation.sessions.get("s")!;
    expect(pending.size).toBeLessThanOrEqual(100);
    expect(permissions.size).toBeLessThanOrEqual(100);
    expect(hasForgottenCalls).toBe(true);
    for (const { text } of pending) expect(text!.length).toBeLessThanOrEqual(256);
  });

  test("allow updates of a turn as long as one of them is a prompt", () => {
    expect(rulesOf(start(1), prompts(50), answers(0, 49), [message])).toEqual([]);
    expect(rulesOf(start(1), prompts(50), answers(0, 50), [message])).toEqual([
      "updates-before-turn-ends",
    ]);
  });

  test("allow them when prompts were forgotten, which may still be in progress", () => {
    expect(rulesOf(start(1), prompts(150), answers(50, 150), [message])).toEqual([]);
  });

  test("of which some were forgotten do not decide whose message was inserted", () => {
    const session = new ObservedSession("s", "active", 1);
    const call = (id: number): Call => ({
      ...{ id, from: "client", method: "session/prompt", params: {}, line: id },
      ...{ isWithdrawn: false, isCancelled: false, isClosed: false, isLost: false },
      ...{ isInvalidOption: false, isInserted: false, isEchoed: false },
    });
    const calls = times(101, call);
    for (const one of calls) session.request(one);
    for (const one of calls.slice(0, 100)) session.response(one, {}, 0);
    session.update("user_message", { messageId: "m" }, 0);
    expect(calls[100]!.isInserted).toBe(false);
  });
});

describe("a permission request after a cancellation", () => {
  const cancel = client.notify("session/cancel", s());
  const ask = agent.ask(
    9,
    "session/request_permission",
    s({ toolCall: { toolCallId: "x" }, options: [{ optionId: "yes" }] }),
  );
  const chosen = client.result(9, { outcome: { outcome: "selected", optionId: "yes" } });

  test("belongs to the cancelled turn until that ends", () => {
    expect(rulesOf(start(1), [prompt(), cancel, ask, chosen])).toEqual(["cancelled-permission"]);
    expect(rulesOf(start(1), [prompt(), cancel, ended("cancelled"), ask, chosen])).toEqual([]);
    expect(rulesOf(start(1), [cancel, ask, chosen])).toEqual([]);
  });

  test("belongs to an unknown turn once another prompt was sent", () => {
    expect(rulesOf(start(1), [prompt(), cancel, prompt(3), ask, chosen])).toEqual([]);
    const again = [prompt(), cancel, prompt(3), cancel, ask, chosen];
    expect(rulesOf(start(1), again)).toEqual(["cancelled-permission"]);
  });
});
