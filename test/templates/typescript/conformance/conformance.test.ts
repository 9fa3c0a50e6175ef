import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import { describe, expect, test } from "vitest";
import { checkConformance, parseTranscript, RULES } from "acp-bindings/conformance";
import {
  agent,
  client,
  greet,
  s,
  start,
  update,
} from "../../../../templates/site/rules/transcript-builder.js";

describe("the table", () => {
  test("has one rule for each id", () => {
    const ids = RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});

test.each<readonly [string, unknown, string]>([
  ["is absent", undefined, 'the form requires "a/b"'],
  ["has another type", 5, '"a/b": the form requires the type string'],
  ["is too long", "abc", '"a/b": the form requires another value (maxLength)'],
])("an answer to a form that %s, without what the user has answered", (_, name, message) => {
  const requestedSchema = {
    type: "object",
    properties: { "a/b": { type: "string", maxLength: 2 } },
    required: ["a/b"],
  };
  const found = checkConformance([
    ...start(1, { clientHas: { elicitation: { form: {} } } }),
    agent.ask(9, "elicitation/create", s({ mode: "form", message: "?", requestedSchema })),
    client.result(9, { action: "accept", content: name === undefined ? {} : { "a/b": name } }),
  ]);
  const path = "/result/content";
  expect(found).toMatchObject([{ rule: "elicitation-content", path, message }]);
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

  test("report notes on request, and levels decide which rules are notes", () => {
    const twice = [
      ...start(1),
      client.ask(2, "session/prompt", s()),
      client.ask(3, "session/prompt", s()),
      ...[agent.result(2, { stopReason: "end_turn" }), agent.result(3, { stopReason: "end_turn" })],
    ];
    const rule = "prompt-during-prompt";
    expect(checkConformance(twice)).toEqual([]);
    expect(checkConformance(twice, { notes: true })).toMatchObject([{ rule, level: "note" }]);
    expect(checkConformance(twice, { levels: { [rule]: "warning" } })).toMatchObject([{ rule }]);
    const asNote = { levels: { "updates-before-turn-ends": "note" } } as const;
    expect(checkConformance(late, asNote)).toEqual([]);
    expect(checkConformance(late, { ...asNote, notes: true })).toHaveLength(1);
  });

  test("must name existing rules", () => {
    expect(() => checkConformance([], { levels: { "no-such-rule": "off" } })).toThrow(RangeError);
  });

  test("choose the version, by default that of the response to initialize", () => {
    expect(checkConformance(late, { version: 2 }).map(({ rule }) => rule)).toEqual([
      "prompt-message-id",
      "message-id",
    ]);
  });
});

describe("a session id", () => {
  test("may be that of a subagent", () => {
    const child = { sessionId: "child", update: { sessionUpdate: "plan" } };
    const begun = update("subagent_update", { sessionId: "child" });
    const reported = agent.notify("session/update", child);
    expect(checkConformance([...start(1), begun, reported])).toEqual([]);
    expect(checkConformance([...start(1), reported])).toMatchObject([{ rule: "known-session" }]);
  });

  test("is unknown again after it could not be loaded", () => {
    const load = [...greet(1), client.ask(1, "session/load", s()), agent.error(1, -32002)];
    expect(checkConformance([...load, client.notify("session/cancel", s())])).toMatchObject([
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

  test("may contain any values as messages, and is checked to the end", () => {
    const odd = [null, 1, "", true, [], {}, { jsonrpc: "2.0", id: {}, method: 1 }];
    const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000)) as unknown;
    const params = [undefined, null, 1, [], { sessionId: 1 }, { sessionId: "s", update: deep }];
    const methods = ["initialize", "session/update", "session/prompt"];
    const conversation = [
      ...odd.map((message) => agent.raw(message)),
      ...params.flatMap((value) => methods.map((method) => client.ask(1, method, value))),
      ...params.flatMap((value) => methods.map((method) => agent.notify(method, value))),
      ...params.map((value) => agent.result(1, value)),
    ];
    for (const version of [1, 2] as const)
      for (const methods of [METHODS_V1, METHODS_V2, []]) {
        const options = { version, methods };
        expect(() => checkConformance([...start(version), ...conversation], options)).not.toThrow();
      }
  });
});
