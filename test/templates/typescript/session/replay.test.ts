import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SessionsV1 } from "../../../../templates/typescript/runtime/session/index.js";
import { randomEvents } from "./random-events.js";
import { snapshot } from "./snapshot.js";
import { createSessionsV1, createSessionsV2 } from "./states.js";

const SEEDS = 20;
const COUNT = 300;
/** When the states are compared: while they grow, and at the end. */
const STOPS = [20, 100, COUNT];

/**
 * The digests of all states. After an intended change copy those that the failed test prints: whether they are right
 * is decided by the tests that compare the states with those of Python and Go, for the same events
 * (`test/python/values/session-state.test.ts`, `test/go/states.test.ts`).
 */
const DIGESTS = {
  1: "a8410b5ef641a4e49bab160c1dc145dbfb70c58b92473becb62d5dcc23dd4ef0",
  2: "54bc0a0ecc555732ff28cde2ee44af0f60cb2e91efd0d5d540cd21b3b4e98e8c",
};

test.each([1, 2] as const)("random updates of version %i lead to the known states", (version) => {
  const digest = createHash("sha256");
  for (let seed = 0; seed < SEEDS; seed++) {
    const all = version === 1 ? createSessionsV1() : createSessionsV2();
    randomEvents(version, String(seed), COUNT).forEach(({ sessionId, event }, index) => {
      const before = all.get(sessionId)?.revision ?? 0;
      if (event.type === "update" || event.type === "odd") {
        const { revision } = all.apply({ sessionId, update: event.update } as never);
        expect([before, before + 1]).toContain(revision);
      } else if (all instanceof SessionsV1) {
        if (event.type === "prompt") all.addUserMessage(sessionId, event.content);
        else all.endTurn(sessionId);
      }
      if (!STOPS.includes(index + 1)) return;
      for (const [id, state] of all.sessions) digest.update(id + textOf(snapshot(state)));
    });
  }
  expect(digest.digest("hex")).toBe(DIGESTS[version]);
});

/** A state as JSON with sorted keys. */
function textOf(state: object): string {
  return JSON.stringify(state, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
