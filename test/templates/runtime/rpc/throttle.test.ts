import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createThrottle } from "../../../../templates/runtime/rpc/transports/throttle.js";

describe("a throttle", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("pauses once above the limit, and resumes once when no more than the limit is unsent", () => {
    const { steps, see } = createSubject(10);
    [10, 11, 50, 11, 10, 5, 0].forEach(see);
    expect(steps).toEqual(["pause at 11", "resume at 10"]);
  });

  test("raises the mark by the limit for every second in which the output is blocked", () => {
    const { steps, see } = createSubject(10);
    see(35);
    vi.advanceTimersByTime(2999);
    expect(steps).toEqual(["pause at 35"]);
    vi.advanceTimersByTime(1);
    expect(steps).toEqual(["pause at 35", "resume at 35"]);
    [40, 41].forEach(see);
    expect(steps.slice(2)).toEqual(["pause at 41"]);
    vi.advanceTimersByTime(1000);
    expect(steps.slice(3)).toEqual(["resume at 41"]);
  });

  test("restarts from the limit when the output has advanced", () => {
    const { steps, see } = createSubject(10);
    see(35);
    vi.advanceTimersByTime(3000);
    [9, 11].forEach(see);
    expect(steps.slice(2)).toEqual(["pause at 11"]);
  });

  test("never raises the mark over 32 times the limit, and leaves no timer behind", () => {
    const { steps, see } = createSubject(10);
    see(321);
    vi.advanceTimersByTime(3_600_000);
    expect(steps).toEqual(["pause at 321"]);
    expect(vi.getTimerCount()).toBe(0);
    see(320);
    expect(steps.slice(1)).toEqual(["resume at 320"]);
    see(11);
    see(0);
    see(11);
    see(0);
    expect(steps.slice(2)).toEqual(["pause at 11", "resume at 0"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

function createSubject(limit: number): { steps: string[]; see(amount: number): void } {
  const steps: string[] = [];
  let unsent = 0;
  const throttle = createThrottle({
    limit,
    unsent: () => unsent,
    pause: () => void steps.push(`pause at ${unsent}`),
    resume: () => void steps.push(`resume at ${unsent}`),
  });
  const see = (amount: number): void => {
    unsent = amount;
    throttle.update();
  };
  return { steps, see };
}
