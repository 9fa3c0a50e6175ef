import { beforeEach, describe, expect, test, vi } from "vitest";
import { METHODS } from "../../../../out/typescript/src/v1/methods.js";
import type { MethodDescriptor } from "../../../../templates/runtime/methods.js";
import { SessionTree } from "../../../../templates/runtime/session/session-tree.js";
import { CancelledTurns } from "../../../../templates/runtime/role/cancelled-turns.js";

const methodOf = (name: string): MethodDescriptor => METHODS.find((one) => one.name === name)!;

const PERMISSION = methodOf("session/request_permission");
const ELICITATION = methodOf("elicitation/create");
const SESSION = { sessionId: "s" };
const GRACE_MS = 30_000;

let turns: CancelledTurns;

/** Whether a question of the session reaches the user. */
const asks = (params: object = SESSION): boolean =>
  turns.answerTo(PERMISSION, params) === undefined;

const state = (name: string): void =>
  turns.update({ ...SESSION, update: { sessionUpdate: "state_update", state: name } });

describe("a cancelled turn of version 1", () => {
  beforeEach(() => {
    turns = new CancelledTurns(1, GRACE_MS, new SessionTree());
  });

  test("asks nothing until it has ended and the next prompt was sent", () => {
    const answered = turns.prompt(SESSION);
    expect(asks()).toBe(true);
    turns.cancel(SESSION);
    expect(turns.answerTo(PERMISSION, SESSION)).toEqual({ outcome: { outcome: "cancelled" } });
    expect(turns.answerTo(ELICITATION, SESSION)).toEqual({ action: "cancel" });
    expect(asks({ sessionId: "other" })).toBe(true);
    expect(turns.answerTo(ELICITATION, { requestId: 1 })).toBeUndefined();
    expect(turns.answerTo(methodOf("fs/read_text_file"), SESSION)).toBeUndefined();
    answered(true);
    expect(asks()).toBe(false);
    turns.prompt(SESSION);
    expect(asks()).toBe(true);
  });

  test("ends after the grace period for an agent that does not end it", () => {
    vi.useFakeTimers();
    try {
      turns.prompt(SESSION);
      turns.cancel(SESSION);
      turns.prompt(SESSION);
      vi.advanceTimersByTime(GRACE_MS - 1);
      expect(asks()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(asks()).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is forgotten when the session is closed or deleted", () => {
    for (const method of ["session/close", "session/delete"]) {
      turns.cancel(SESSION);
      turns.answered(methodOf("session/load"), SESSION);
      expect(asks()).toBe(false);
      turns.answered(methodOf(method), SESSION);
      expect(asks()).toBe(true);
    }
  });

  test("is forgotten after 1000 others", () => {
    turns.cancel(SESSION);
    for (let n = 0; n < 999; n++) turns.cancel({ sessionId: `${n}` });
    expect(asks()).toBe(false);
    turns.cancel({ sessionId: "last" });
    expect([asks(), asks({ sessionId: "last" })]).toEqual([true, false]);
  });
});

describe("a cancelled turn of version 2", () => {
  beforeEach(() => {
    turns = new CancelledTurns(2, GRACE_MS, new SessionTree());
  });

  test("ends when the session is idle, not with the answer to its prompt", () => {
    const answered = turns.prompt(SESSION);
    state("running");
    turns.cancel(SESSION);
    answered(true);
    turns.prompt(SESSION)(true);
    expect(asks()).toBe(false);
    state("requires_action");
    expect(asks()).toBe(false);
    state("idle");
    expect(asks()).toBe(true);
  });
});
