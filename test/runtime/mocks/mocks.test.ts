import { describe, expect, test } from "vitest";
import { mockHandlers } from "../../../templates/runtime/mocks/mocks.js";
import { METHODS } from "../role/mini.js";

type Call = (params?: unknown, context?: unknown) => unknown;

interface Handlers {
  readonly work: { readonly [name: string]: Call };
}

/** The handlers of a mock agent of the mini protocol. */
function mock(
  overrides: { readonly work?: Partial<Handlers["work"]> } = {},
  advertised: object = {},
): ReturnType<typeof mockHandlers<Handlers>> {
  const samples = { Text: { text: "sample" } };
  const facts = { role: "agent", methods: METHODS, samples, updates: {}, advertised } as const;
  return mockHandlers<Handlers>(facts, overrides as never);
}

describe("the handlers of a mock", () => {
  test("answer requests with the sample of the result, and record them in order", () => {
    const { handlers, calls } = mock();
    expect(handlers.work["do"]!({ text: "1" })).toEqual({ text: "sample" });
    expect(handlers.work["optional"]!({ text: "2" })).toEqual({ text: "sample" });
    expect(calls).toEqual([
      { method: "work/do", params: { text: "1" } },
      { method: "work/optional", params: { text: "2" } },
    ]);
  });

  test("are there for a gated method only when its capability is advertised", () => {
    expect(mock().handlers.work["more"]).toBeUndefined();
    const advertised = { agentCapabilities: { work: { more: {} } } };
    expect(mock({}, advertised).handlers.work["more"]!()).toEqual({ text: "sample" });
  });

  test("are those of the other role's methods never, nor that of initialize", () => {
    const { handlers } = mock();
    expect(handlers).not.toHaveProperty("initialize");
    const own = METHODS.filter(({ side, name }) => side === "agent" && name !== "initialize");
    const names = own.map(({ handler }) => handler.at(-1)!);
    expect(Object.keys(handlers.work).filter((name) => !names.includes(name))).toEqual([]);
  });

  test("are replaced by overrides, which keep their `this`", () => {
    const work = {
      word: () => "own",
      do(this: { readonly word: () => string }) {
        return { text: this.word() };
      },
    };
    const { handlers, calls } = mock({ work: work as never });
    expect(handlers.work["do"]!({ text: "1" })).toEqual({ text: "own" });
    expect(calls).toHaveLength(1);
  });

  test("stay where an override is not advertised, so that the role can refuse it", () => {
    const { handlers } = mock({ work: { more: () => ({ text: "own" }) } });
    expect(handlers.work["more"]!()).toEqual({ text: "own" });
  });
});
