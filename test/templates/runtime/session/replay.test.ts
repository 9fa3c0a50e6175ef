import { describe, expect, test } from "vitest";
import { SessionsV1, SessionsV2 } from "../../../../templates/runtime/session/index.js";
import { randomEvents, type SessionEvent } from "./random-events.js";
import { referenceV1, referenceV2 } from "./reference.js";
import { snapshot } from "./snapshot.js";
import { IS_DEEP } from "../../../support/deep.js";

const SEEDS = IS_DEEP ? 2000 : 50;
const COUNT = 300;
/** Where the states are compared: while they grow, and at the end. */
const STOPS = [20, 100, COUNT];

describe.each([1, 2] as const)("random updates of version %i", (version) => {
  test(
    `lead to the same state one by one and replayed as a list, ${SEEDS} times`,
    { timeout: 600_000 },
    () => {
      for (let seed = 0; seed < SEEDS; seed++) {
        const events = randomEvents(version, String(seed), COUNT);
        const all = version === 1 ? new SessionsV1() : new SessionsV2();
        events.forEach(({ sessionId, event }, index) => {
          const before = all.get(sessionId)?.revision ?? 0;
          if (event.type === "update" || event.type === "odd") {
            const { revision } = all.apply({ sessionId, update: event.update } as never);
            expect([before, before + 1]).toContain(revision);
          } else if (all instanceof SessionsV1) {
            if (event.type === "prompt") all.addUserMessage(sessionId, event.content);
            else all.endTurn(sessionId);
          }
          if (STOPS.includes(index + 1)) compare(version, seed, all, events.slice(0, index + 1));
        });
      }
    },
  );
});

function compare(
  version: 1 | 2,
  seed: number,
  all: SessionsV1 | SessionsV2,
  events: readonly SessionEvent[],
): void {
  const reference = version === 1 ? referenceV1 : referenceV2;
  for (const [sessionId, state] of all.sessions) {
    const own = events.filter((one) => one.sessionId === sessionId).map(({ event }) => event);
    const hint = `seed ${seed}, session ${sessionId}, after ${events.length} events`;
    expect(snapshot(state), hint).toEqual(reference(own));
  }
}
