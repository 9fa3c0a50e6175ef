import { describe, expect, test } from "vitest";
import {
  checkConformance,
  parseTranscript,
  RULES,
} from "../../../templates/runtime/conformance/index.js";
import { SCENARIOS } from "./scenarios.js";
import { agent, client, greet, s, start, update } from "./talk.js";

/** Rules of the project's list that are not in the table, and why. */
const LEFT_OUT: { readonly [rule: string]: string } = {
  R8: "what a receiver knows is not in a transcript",
  R9: "needs the schema: the validators of a profile tell bad params",
  R11: "a permission",
  R12: "of the transport: a transcript has messages, not bytes",
  R16: "of the schema: what is malformed decodes as unsupported",
  R17: "of the schema",
  R18: "of taste: which text is a credential cannot be told",
  R21: "which requests need an identity is the agent's own choice",
  R25: "a consequence of R24 and R67, whose ids are kept apart",
  R29: "what the agent keeps is not in a transcript",
  R30: "of the schema, and cursors are opaque",
  R37: "of the schema",
  R43: "of who keeps the state: the accumulators of acp-bindings/session do it",
  R44: "not observable",
  R46: "what a receiver makes of an answer is not on the wire",
  R47: "not observable, and the published protocol says otherwise",
  R55: "of who keeps the state, and of the schema",
  R57: "of the schema",
  R58: "needs a validator for the requested schema",
  R61: "why a request was cancelled is not in a transcript",
  R62: "of who receives: nothing is seen of what is ignored",
  R63: "needs the schema; receivers ignore unknown fields",
  R65: "needs the schema to tell which values are custom",
  R66: "not observable",
};

describe.each(SCENARIOS)("$rule", ({ rule, keeps, breaks, line }) => {
  test("has nothing against a conversation that keeps it", () => {
    expect(checkConformance(keeps)).toEqual([]);
  });

  test("tells the line that breaks it, and no other rule is broken", () => {
    const { level } = RULES.find(({ id }) => id === rule)!;
    const [violation, ...others] = checkConformance(breaks);
    expect(others).toEqual([]);
    expect(violation).toMatchObject({ rule, level, line });
    expect(violation?.message).not.toBe("");
  });
});

describe("the table", () => {
  test("has one rule an id, each with a scenario", () => {
    const ids = RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(SCENARIOS.map(({ rule }) => rule).sort()).toEqual([...ids].sort());
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test("has every rule of the project's list, or there is a reason", () => {
    const covered = RULES.flatMap(({ source }) => source.match(/\bR\d+\b/g) ?? []);
    for (const { source } of RULES) expect(source).toMatch(/^R\d+(, R\d+)*: \S/);
    const all = Array.from({ length: 71 }, (_, index) => `R${index + 1}`);
    expect([...new Set([...covered, ...Object.keys(LEFT_OUT)])].sort()).toEqual(all.sort());
    expect(covered.filter((rule) => Object.hasOwn(LEFT_OUT, rule))).toEqual([]);
  });

  test("has a pointer that leads into the message", () => {
    for (const { breaks, line } of SCENARIOS) {
      const [violation] = checkConformance(breaks);
      let value: unknown = breaks[line - 1]!.message;
      for (const name of violation?.path?.split("/").slice(1) ?? [])
        value = (value as Record<string, unknown>)[name];
      if (violation?.rule !== "cancelled-idle") expect(value).toBeDefined();
    }
  });
});

describe("the options", () => {
  const late = [
    ...start(1),
    client.ask(2, "session/prompt", s()),
    agent.result(2, { stopReason: "end_turn" }),
    update("agent_message_chunk"),
  ];

  test("change the level of a rule, or leave it out", () => {
    const rule = "updates-before-turn-ends";
    expect(checkConformance(late, { levels: { [rule]: "error" } })).toMatchObject([
      { rule, level: "error", line: 7 },
    ]);
    expect(checkConformance(late, { levels: { [rule]: "off" } })).toEqual([]);
  });

  test("name rules that there are", () => {
    expect(() => checkConformance([], { levels: { "no-such-rule": "off" } })).toThrow(RangeError);
  });

  test("choose the version, which is else that of the response to initialize", () => {
    expect(checkConformance(late, { version: 2 }).map(({ rule }) => rule)).toEqual([
      "prompt-message-id",
      "message-id",
    ]);
  });
});

describe("a session id", () => {
  const early = update("available_commands_update");

  test("that no response tells is reported where it was used", () => {
    const talk = [...greet(1), client.ask(1, "session/new"), early];
    const end = agent.result(1, { sessionId: "other" });
    expect(checkConformance([...talk, end])).toMatchObject([{ rule: "known-session", line: 4 }]);
  });

  test("may be that of a subagent", () => {
    const child = { sessionId: "child", update: { sessionUpdate: "plan" } };
    const begun = update("subagent_update", { sessionId: "child" });
    const told = agent.tell("session/update", child);
    expect(checkConformance([...start(1), begun, told])).toEqual([]);
    expect(checkConformance([...start(1), told])).toMatchObject([{ rule: "known-session" }]);
  });

  test("is unknown again after it could not be loaded", () => {
    const load = [...greet(1), client.ask(1, "session/load", s()), agent.error(1, -32002)];
    expect(checkConformance([...load, client.tell("session/cancel", s())])).toMatchObject([
      { rule: "known-session", line: 5 },
    ]);
  });

  test("is open again after it was closed and loaded", () => {
    const again = [
      ...[...start(1), client.ask(2, "session/close", s()), agent.result(2)],
      ...[client.ask(3, "session/load", s()), update("agent_message_chunk"), agent.result(3)],
    ];
    expect(checkConformance(again)).toEqual([]);
  });
});

describe("a recording", () => {
  test("is read with its line numbers", () => {
    const text = start(1)
      .map((entry) => JSON.stringify(entry))
      .join("\n\n");
    const entries = parseTranscript(`${text}\r\n`);
    expect(entries.map(({ line }) => line)).toEqual([1, 3, 5, 7]);
    expect(checkConformance(entries)).toEqual([]);
    expect(checkConformance(entries.slice(2)).map(({ line }) => line)).toEqual([5]);
  });

  test.each(["{", "[]", '{"from":"me","message":{}}', '{"from":"agent"}'])("has no %s", (text) => {
    expect(() => parseTranscript(`\n${text}`)).toThrow(/^line 2 is not/);
  });

  test("may have anything for messages, and is checked to the end", () => {
    const odd = [null, 1, "", true, [], {}, { jsonrpc: "2.0", id: {}, method: 1 }];
    const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000)) as unknown;
    const params = [undefined, null, 1, [], { sessionId: 1 }, { sessionId: "s", update: deep }];
    const methods = ["initialize", "session/update", "session/prompt"];
    const talk = [
      ...odd.map((message) => agent.raw(message)),
      ...params.flatMap((value) => methods.map((method) => client.ask(1, method, value))),
      ...params.flatMap((value) => methods.map((method) => agent.tell(method, value))),
      ...params.map((value) => agent.result(1, value)),
    ];
    for (const version of [1, 2] as const)
      expect(() => checkConformance([...start(version), ...talk], { version })).not.toThrow();
  });
});
