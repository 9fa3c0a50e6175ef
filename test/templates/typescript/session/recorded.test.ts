import { expect, test } from "vitest";
import { createSessionsV1 } from "./states.js";
import { recordedMessages } from "../../../use/samples/recorded-messages.js";
import { deepFreeze } from "./snapshot.js";

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
  .map(({ payload }) => deepFreeze(payload) as unknown as Notification);

test("every recorded update of an agent is known", () => {
  expect(RECORDED.length).toBeGreaterThan(50);
  const all = createSessionsV1();
  for (const message of RECORDED) all.apply(message as never);
  expect([...all.sessions.values()].flatMap(({ others }) => others.items)).toEqual([]);
});
