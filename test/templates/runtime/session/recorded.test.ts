import { expect, test } from "vitest";
import { SessionsV1 } from "../../../../templates/runtime/session/index.js";
import { recordedMessages } from "../../../use/samples/recorded-messages.js";
import type { Event } from "./random-events.js";
import { referenceV1 } from "./reference.js";
import { deepFreeze, snapshot } from "./snapshot.js";

interface Notification {
  readonly sessionId: string;
  readonly update: { readonly sessionUpdate: string };
}

/** The updates of version 1 that agents have sent. */
const RECORDED = recordedMessages()
  .filter(
    ({ version, method, kind }) =>
      version === "v1" && method === "session/update" && kind === "notification",
  )
  .map(({ agent, payload }) => ({
    agent,
    payload: deepFreeze(payload) as unknown as Notification,
  }));

test("every recorded update of an agent is known", () => {
  expect(RECORDED.length).toBeGreaterThan(50);
  const sessions = replay(RECORDED.map(({ payload }) => payload)).sessions.values();
  expect([...sessions].flatMap(({ others }) => others.items)).toEqual([]);
});

test.each([...new Set(RECORDED.map(({ agent }) => agent))])(
  "the recorded updates of %s lead to the state of the reference",
  (name) => {
    const own = RECORDED.filter(({ agent }) => agent === name).map(({ payload }) => payload);
    for (const [sessionId, state] of replay(own).sessions) {
      const events = own
        .filter((payload) => payload.sessionId === sessionId)
        .map(({ update }): Event => ({ type: "update", update: { ...update } }));
      const { toolCalls, ...reference } = referenceV1(events);
      const { toolCalls: kept, ...rest } = snapshot(state);
      expect(rest).toEqual(reference);
      // The reference only knows the fields that it generates itself.
      expect(kept).toMatchObject(toolCalls as object[]);
    }
  },
);

function replay(messages: readonly Notification[]): SessionsV1 {
  const all = new SessionsV1();
  for (const message of messages) all.apply(message as never);
  return all;
}
