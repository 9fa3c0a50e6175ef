import { describe, expect, test } from "vitest";
import {
  checkHandlers,
  createHandlerTable,
} from "../../../../templates/runtime/role/options/handlers.js";
import { METHODS } from "./mini.js";

const work = { do: () => {}, stop: () => {} };
const more = { agentCapabilities: { work: { more: {} } } };

describe("an agent needs", () => {
  test.each<[string, object, object]>([
    ["with the baseline alone", {}, {}],
    ["without the handler of a baseline notification", { stop: undefined }, {}],
    ["with a capability and its handler", { ...work, more: () => {} }, more],
    ["with an optional handler that nothing advertises", { ...work, optional: () => {} }, {}],
    ["with a handler for what the client advertises", { ...work, back: () => {} }, {}],
    ["with a capability that is null", {}, { agentCapabilities: { work: { more: null } } }],
    [
      "with a capability in the prototype",
      {},
      { agentCapabilities: Object.create(more) as object },
    ],
  ])("%s", (_, extra, advertised) => {
    expect(() => check("agent", { work: { ...work, ...extra } }, advertised)).not.toThrow();
  });

  test("also when its handlers are methods of an object, which keep their object", () => {
    class Work {
      readonly answer = 42;
      do(): number {
        return this.answer;
      }
      stop(): void {}
    }
    const handlers = { work: new Work() };
    expect(() => check("agent", handlers, {})).not.toThrow();
    expect(createHandlerTable(METHODS, handlers).request.get("work/do")!.handler!({}, {})).toBe(42);
  });
});

describe("a client is complete", () => {
  test.each<[string, object, object]>([
    ["with the baseline alone", {}, {}],
    ["with a capability that is false", {}, { clientCapabilities: { ask: false } }],
    ["with a capability that is true", { ask: () => {} }, { clientCapabilities: { ask: true } }],
    ["with one of the modes", { choose: () => {} }, { clientCapabilities: { choose: { a: {} } } }],
    ["with an object of no modes", {}, { clientCapabilities: { choose: {} } }],
    ["with modes that are null", {}, { clientCapabilities: { choose: { a: null, _meta: {} } } }],
  ])("%s", (_, extra, advertised) => {
    expect(() => check("client", extra, advertised)).not.toThrow();
  });
});

describe("a mistake is an error when the role is made:", () => {
  test.each<[string, "agent" | "client", object, object, string]>([
    [
      "a baseline handler is missing",
      "agent",
      { work: { stop: () => {} } },
      {},
      "handlers.work.do is missing: every agent handles work/do",
    ],
    ["a whole group is missing", "agent", {}, {}, "handlers.work.do is missing"],
    [
      "a handler is no function",
      "agent",
      { work: { ...work, do: true } },
      {},
      "handlers.work.do is missing",
    ],
    [
      "a capability has no handler",
      "agent",
      { work },
      more,
      "agentCapabilities.work.more is advertised, but handlers.work.more is missing",
    ],
    [
      "a handler has no capability",
      "agent",
      { work: { ...work, more: () => {} } },
      {},
      "handlers.work.more is given, but agentCapabilities.work.more is not advertised",
    ],
    [
      "a handler has a capability that is false",
      "client",
      { tell: () => {}, ask: () => {} },
      { clientCapabilities: { ask: false } },
      "handlers.ask is given, but clientCapabilities.ask is not advertised",
    ],
    [
      "a mode has no handler",
      "client",
      { tell: () => {} },
      { clientCapabilities: { choose: { a: {} } } },
      "clientCapabilities.choose is advertised, but handlers.choose is missing",
    ],
    [
      "a handler has no mode",
      "client",
      { tell: () => {}, choose: () => {} },
      { clientCapabilities: { choose: {} } },
      "handlers.choose is given, but clientCapabilities.choose is not advertised",
    ],
  ])("%s", (_, role, handlers, advertised, message) => {
    expect(() => check(role, handlers, advertised)).toThrow(message);
  });
});

function check(role: "agent" | "client", handlers: object, advertised: object): void {
  checkHandlers({ role, methods: METHODS, handlers, advertised });
}
