import { describe, expect, it } from "vitest";
import { deepTest } from "../../support/deep.js";
import { leastCpuTime } from "../../support/least-cpu-time.js";
import { loadBindings } from "../samples/profiles.js";

const { decode, schemaOf } = await loadBindings("v1");
const v2 = await loadBindings("v2");

/** Four times the input takes four times as long; sixteen times would be quadratic. */
const BOUND = 10;
const SIZE = 5000;

const ENTRY = { content: "Do", priority: "high", status: "pending" };
const items = (item: unknown) => (size: number) => ({ entries: new Array(size).fill(item) });

/** Inputs of any size, and what is done to them. */
const WORK: {
  readonly [what: string]: {
    readonly make: (size: number) => unknown;
    readonly run: (value: unknown) => unknown;
  };
} = {
  "valid items": { make: items(ENTRY), run: (value) => decode("Plan", value) },
  "invalid items": { make: items(5), run: (value) => decode("Plan", value) },
  "items of an unknown kind": {
    make: items({ ...ENTRY, status: "thought of" }),
    run: (value) => decode("Plan", value),
  },
  "one invalid item after valid ones": {
    make: (size) => ({ entries: [...new Array(size).fill(ENTRY), 5] }),
    run: (value) => decode("Plan", value),
  },
  "items that lack defaults": {
    make: (size) => ({ protocolVersion: 1, authMethods: new Array(size).fill({ id: "1" }) }),
    run: (value) => decode("InitializeResponse", value),
  },
  "groups that are no options": {
    make: (size) => [
      ...new Array(size).fill({ groupId: "1", name: "N", options: [{ value: "1", name: "N" }] }),
      { groupId: 1 },
    ],
    run: (value) => v2.decode("SessionConfigSelectOptions", value),
  },
  "strictly, invalid items": { make: items(5), run: (value) => schemaOf("Plan").is(value) },
  "unknown properties": {
    make: (size) => ({
      ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index])),
      ...ENTRY,
      _meta: 5,
    }),
    run: (value) => decode("PlanEntry", value),
  },
  "the values of a map": {
    make: (size) => ({
      id: "1",
      name: "N",
      env: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index])),
    }),
    run: (value) => decode("AuthMethodTerminal", value),
  },
  "a long text": {
    make: (size) => ({ title: "😀".repeat(size * 30), message: 5 }),
    run: (value) => decode("PlanEntry", value),
  },
};

describe("decoding takes linear time for", () => {
  it.each(Object.keys(WORK))("%s", (what) => {
    const { make, run } = WORK[what]!;
    const [small, large] = [make(SIZE), make(SIZE * 4)];
    run(small);
    let ratio = Infinity;
    // Other work of the machine makes a ratio worse, so the best of a few counts.
    for (let round = 0; round < 5 && ratio > BOUND; round++)
      ratio = Math.min(
        ratio,
        leastCpuTime(() => run(large)) /
          Math.max(
            leastCpuTime(() => run(small)),
            0.5,
          ),
      );
    expect(ratio).toBeLessThan(BOUND);
  });
});

describe("a list of 1,000,000", () => {
  it("valid items is accepted unchanged", () => {
    const value = items(ENTRY)(1_000_000);
    const result = decode("Plan", value);
    expect(result.ok && result.value).toBe(value);
  });

  deepTest("invalid items becomes empty, and each is reported", () => {
    const result = decode("Plan", items(5)(1_000_000));
    expect(result.ok && result.value).toEqual({ entries: [] });
    expect(result.ok && result.notes.length).toBe(1_000_000);
    expect(result.ok && result.notes.at(-1)!.pointer).toBe("/entries/999999");
  });

  it("invalid items is refused with few errors where none may be removed", () => {
    const value = { sessionId: "s", prompt: new Array(1_000_000).fill(5) };
    const result = decode("PromptRequest", value);
    expect(result.ok ? [] : result.issues.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 16 }, (_, index) => `/prompt/${index}`),
    );
  });
});
