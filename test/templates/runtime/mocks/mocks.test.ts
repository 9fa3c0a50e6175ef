import { describe, expect, test } from "vitest";
import { createMock, type MockCall } from "../../../../templates/runtime/mocks/mocks.js";
import { METHODS } from "../role/mini.js";

type Call = (params?: unknown, context?: unknown) => unknown;

interface Handlers {
  readonly work: { readonly [name: string]: Call };
}

interface Mock {
  readonly handlers: Handlers;
  readonly calls: readonly MockCall[];
  readonly paramsOf: (method: string) => readonly unknown[];
}

/** The handlers of a mock agent of the mini protocol. */
function mock(
  handlers: { readonly work?: Partial<Handlers["work"]> } = {},
  capabilities: unknown = "none",
): Mock {
  const { options, received } = createMock<{ readonly handlers: Handlers }, MockCall>(
    {
      role: "agent",
      methods: METHODS,
      samples: { Text: { text: "sample" } },
      updates: {},
      fields: { capabilities: "agentCapabilities" },
      options: {},
      all: { capabilities: { work: { more: {} } } },
    },
    { handlers, capabilities },
  );
  return { handlers: options.handlers, ...received };
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

  test("exist for a gated method only when its capability is advertised", () => {
    expect(mock().handlers.work["more"]).toBeUndefined();
    for (const capabilities of ["all", { work: { more: {} } }])
      expect(mock({}, capabilities).handlers.work["more"]!()).toEqual({ text: "sample" });
  });

  test("and its capabilities are refused when they do not exist", () => {
    expect(() => mock({}, "alll")).toThrow(
      'capabilities must be "none", "all" or an object with capabilities (did you mean "all"?)',
    );
    expect(() => mock({ work: { doo: () => {} } })).toThrow(
      'handlers.work.doo does not match a method (did you mean "do"?)',
    );
    expect(() => mock().paramsOf("work/doo")).toThrow(
      'work/doo is not a method that the agent handles (did you mean "work/do"?)',
    );
  });

  test("do not exist for methods of the other role, nor for initialize", () => {
    const { handlers } = mock();
    expect(handlers).not.toHaveProperty("initialize");
    const own = METHODS.filter(({ side, name }) => side === "agent" && name !== "initialize");
    const names = own.map(({ handler }) => handler.at(-1)!);
    expect(Object.keys(handlers.work).filter((name) => !names.includes(name))).toEqual([]);
  });

  test("are replaced by overrides, which keep their `this`", () => {
    class Work {
      readonly word = "own";
      do(): object {
        return { text: this.word };
      }
    }
    const { handlers, calls } = mock({ work: new Work() as never });
    expect(handlers.work["do"]!({ text: "1" })).toEqual({ text: "own" });
    expect(calls).toHaveLength(1);
  });

  test("return the params of one method", () => {
    const { handlers, paramsOf } = mock();
    for (const text of ["1", "2"]) handlers.work["do"]!({ text });
    handlers.work["optional"]!({ text: "3" });
    expect(paramsOf("work/do")).toEqual([{ text: "1" }, { text: "2" }]);
    expect(paramsOf("work/more")).toEqual([]);
  });

  test("are kept where an override is not advertised, so that the role can advertise it", () => {
    const { handlers } = mock({ work: { more: () => ({ text: "own" }) } });
    expect(handlers.work["more"]!()).toEqual({ text: "own" });
  });
});
