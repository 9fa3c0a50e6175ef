import { AcpError, createAgent, createClient, createProxy } from "acp-bindings/v1";
import { expect, it } from "vitest";

const info = { name: "echo", version: "1.0.0" };
const handlers = {
  session: {
    new: () => ({ sessionId: "s" }),
    prompt: () => ({ stopReason: "end_turn" }),
    cancel: () => {},
  },
};
/** Makes an agent as a program in JavaScript does, which has no types. */
const agent = (options: object): unknown => createAgent({ info, handlers, ...options } as never);

it.each(
  Object.entries<readonly [object, string]>({
    "a missing info": [{ info: undefined }, "info is missing: every agent has to give it"],
    "info without a version": [{ info: { name: "echo" } }, "agentInfo.version: expected"],
    "a misspelled capability": [
      { capabilities: { loadSesion: true } },
      'agentCapabilities.loadSesion is not declared (did you mean "loadSession"?)',
    ],
    "a misspelled capability inside of another": [
      { capabilities: { promptCapabilities: { imagee: true } } },
      'agentCapabilities.promptCapabilities.imagee is not declared (did you mean "image"?)',
    ],
    "a misspelled option": [
      { onEror: () => {} },
      'onEror is not an option (did you mean "onError"?)',
    ],
    "handlers that are missing": [{ handlers: undefined }, "handlers is missing"],
    "an unknown handler": [
      { handlers: { ...handlers, foo: () => {} } },
      "handlers.foo does not match a method",
    ],
    "a misspelled handler": [
      { handlers: { session: { ...handlers.session, promt: () => {} } } },
      'handlers.session.promt does not match a method (did you mean "prompt"?)',
    ],
    "a handler that is not a function": [
      { handlers: { session: { ...handlers.session, prompt: "end_turn" } } },
      "handlers.session.prompt must be a function",
    ],
    "a group that is not an object": [
      { handlers: { session: true } },
      "handlers.session must be an object",
    ],
    "another treatment of unknown values": [
      { unknown: "rejct" },
      'unknown must be "keep" or "reject" (did you mean "reject"?)',
    ],
    "unknown values that are not a text": [{ unknown: true }, 'unknown must be "keep" or "reject"'],
    "another treatment of unknown values of a method": [
      { unknown: { "session/prompt": "drop" } },
      'unknown["session/prompt"] must be "keep" or "reject"',
    ],
    "unknown values of a misspelled method": [
      { unknown: { "session/promt": "reject" } },
      'unknown: session/promt is not a request that the agent handles (did you mean "session/prompt"?)',
    ],
    "unknown values of a notification": [
      { unknown: { "session/cancel": "reject" } },
      "unknown: session/cancel is not a request that the agent handles",
    ],
    "another treatment of prompts": [
      { whileBusy: "queued" },
      'whileBusy must be "parallel", "queue" or "refuse" (did you mean "queue"?)',
    ],
    "a misspelled limit": [
      { limits: { maxInflight: 5 } },
      'limits.maxInflight is not a limit (did you mean "maxInFlight"?)',
    ],
    "a limit that is not a number": [
      { limits: { endGraceMs: "1s" } },
      'limits.endGraceMs must be a number from 0 up, not "1s"',
    ],
    "a time that is not one": [
      { limits: { stallMs: Number.NaN } },
      "limits.stallMs must be a number from 0 up, not NaN",
    ],
    "a limit that nothing can keep": [
      { limits: { maxInFlight: 0 } },
      "limits.maxInFlight must be a whole number from 1 up, not 0",
    ],
    "a part of a message": [
      { limits: { maxInvalidInRow: 1.5 } },
      "limits.maxInvalidInRow must be a whole number from 1 up, not 1.5",
    ],
    "limits that are a number": [{ limits: 5 }, "limits must be an object, not 5"],
    "an onError that is a text": [{ onError: "log" }, 'onError must be a function, not "log"'],
    "an onNotes that is null": [{ onNotes: null }, "onNotes must be a function, not null"],
    "an intercept that is a list": [
      { intercept: [] },
      "intercept must be a function, not an array of 0",
    ],
    "a sign-in that is a flag": [
      { onAuthRequired: true },
      "onAuthRequired must be a function, not true",
    ],
    "a check that is a text": [
      { checkOutgoing: "no" },
      'checkOutgoing must be true or false, not "no"',
    ],
    "another store": [
      { sessionStore: new Map() },
      "sessionStore must be a store of sessions, not an object",
    ],
  }),
)("making an agent rejects %s", (_, [options, message]) => {
  expect(() => agent(options)).toThrow(message);
});

it("making a client rejects a handler of a variant that does not exist, but not of a custom one", () => {
  const create = (tag: string) => (): unknown =>
    createClient({
      info,
      handlers: { session: { update: { [tag]: () => {} }, requestPermission: () => ({}) } },
    } as never);
  expect(create("agent_mesage_chunk")).toThrow(
    'handlers.session.update.agent_mesage_chunk does not match a variant (did you mean "agent_message_chunk"?)',
  );
  expect(create("sunrise")).toThrow('"*" handles what has no handler of its own');
  expect(create("_acme/sunrise")).not.toThrow();
  expect(create("*")).not.toThrow();
});

it("making a client rejects a handler of a variant that is not a function", () => {
  const update = { agent_message_chunk: true };
  const options = { info, handlers: { session: { update, requestPermission: () => ({}) } } };
  expect(() => createClient(options as never)).toThrow(
    "handlers.session.update.agent_message_chunk must be a function",
  );
});

it.each([
  ["createAgent", createAgent, "{ info, handlers }"],
  ["createClient", createClient, "{ info, handlers }"],
  ["createProxy", createProxy, "{ toAgent, toClient }"],
])("%s without options is refused", (name, create, options) => {
  for (const [given, found] of [
    [undefined, "undefined"],
    [null, "null"],
    ["info", '"info"'],
  ] as const)
    expect(() => create(given as never)).toThrow(
      new AcpError(`${name} needs an object, not ${found}: ${name}(${options})`),
    );
});

it.each(
  Object.entries<readonly [object, string]>({
    "handlers that are a number": [{ toAgent: 5 }, "toAgent must be an object, not 5"],
    "a change of initialize that is a text": [
      { initialize: "yes" },
      'initialize must be a function, not "yes"',
    ],
    "a misspelled option": [{ toAgnt: {} }, 'toAgnt is not an option (did you mean "toAgent"?)'],
    "what no role takes": [{ onError: 5 }, "onError must be a function, not 5"],
  }),
)("making a proxy rejects %s", (_, [options, message]) => {
  expect(() => createProxy(options as never)).toThrow(message);
});

it("options that belong to another program are ignored", () => {
  expect(() => agent({ color: "red" })).not.toThrow();
});

it("handlers of a class may have other properties", () => {
  class Handlers {
    readonly sessions = new Map();
    readonly session = handlers.session;
  }
  expect(() => agent({ handlers: new Handlers() })).not.toThrow();
});
