import { describe, expect, test } from "vitest";
import { SessionsV1 } from "../../../../templates/runtime/session/index.js";
import { extraLines, lacksExtras } from "../../../support/extras.js";
import type { Event } from "./random-events.js";
import { referenceV1 } from "./reference.js";
import { deepFreeze, snapshot } from "./snapshot.js";

interface Recorded {
  readonly source: string;
  readonly method: string;
  readonly kind: string;
  readonly payload: { readonly sessionId: string; readonly update: { sessionUpdate: string } };
}

describe.skipIf(lacksExtras("the recorded updates of real agents"))(
  "the recorded updates of real agents",
  () => {
    const recorded = readRecorded();

    test("exist, and all of them are known", () => {
      expect(recorded.length).toBeGreaterThan(100);
      expect([...replay(recorded).sessions.values()].flatMap(({ others }) => others.items)).toEqual(
        [],
      );
    });

    test("lead to the same state one by one and replayed as a list, for each recording", () => {
      for (const source of new Set(recorded.map((message) => message.source))) {
        const own = recorded.filter((message) => message.source === source);
        for (const [sessionId, state] of replay(own).sessions) {
          const events = own
            .filter(({ payload }) => payload.sessionId === sessionId)
            .map(({ payload }): Event => ({ type: "update", update: { ...payload.update } }));
          const { toolCalls, ...reference } = referenceV1(events);
          const { toolCalls: kept, ...rest } = snapshot(state);
          expect(rest, source).toEqual(reference);
          // The reference only knows the fields that it generates itself.
          expect(kept, source).toMatchObject(toolCalls as object[]);
        }
      }
    });
  },
);

function replay(messages: readonly Recorded[]): SessionsV1 {
  const all = new SessionsV1();
  for (const { payload } of messages) all.apply(payload as never);
  return all;
}

function readRecorded(): Recorded[] {
  return extraLines<Recorded>("fixtures/recorded.ndjson")
    .map(deepFreeze)
    .filter(({ method, kind }) => method === "session/update" && kind === "notification");
}
