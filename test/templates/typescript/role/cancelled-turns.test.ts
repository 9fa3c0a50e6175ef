import { expect, test, vi } from "vitest";
import { METHODS } from "../../../../out/typescript/src/v1/methods.js";
import { SessionTree } from "../../../../templates/typescript/runtime/session/session-tree.js";
import { CancelledTurns } from "../../../../templates/typescript/runtime/role/cancelled-turns.js";

test("a cancelled turn is forgotten after 1000 others", () => {
  const turns = new CancelledTurns(1, 30_000, new SessionTree());
  const permission = METHODS.find(({ name }) => name === "session/request_permission")!;
  /** Whether a question of a session reaches the user. */
  const asks = (sessionId: string): boolean =>
    turns.answerTo(permission, { sessionId }) === undefined;
  turns.cancel({ sessionId: "s" });
  for (let n = 0; n < 999; n++) turns.cancel({ sessionId: `${n}` });
  expect(asks("s")).toBe(false);
  turns.cancel({ sessionId: "last" });
  expect([asks("s"), asks("last")]).toEqual([true, false]);
});

test("a clock that is set ends no cancellation", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const turns = new CancelledTurns(1, 30_000, new SessionTree());
  const permission = METHODS.find(({ name }) => name === "session/request_permission")!;
  const params = { sessionId: "s" };
  turns.prompt(params);
  turns.cancel(params);
  turns.prompt(params);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(turns.answerTo(permission, params)).toBeDefined();
  vi.useRealTimers();
});
