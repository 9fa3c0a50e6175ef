import { beforeAll, describe, expect, test } from "vitest";
import {
  chooseProfile,
  loadInspector,
  loadProfile,
} from "../../../generators/tools/inspect/load-inspector.js";
import type { InspectorModule } from "../../../generators/tools/inspect/inspector-api.js";
import { loadTemplates } from "../../../generators/run/inputs/load-templates.js";
import { agent, client, start } from "../../../templates/site/rules/transcript-builder.js";
import { ruleBook } from "../../../templates/site/rules/rule-book.js";
import * as inspect from "../../../templates/site/inspector/index.js";
import { createInspector, type Inspected } from "../../../templates/site/inspector/inspector.js";
import type { InspectedProfile } from "../../../templates/site/inspector/inspector.js";
import type { Recorded } from "../../../templates/site/inspector/record.js";
import { checkConformance } from "../../../templates/typescript/runtime/conformance/index.js";

const profiles = new Map<1 | 2, InspectedProfile>();
beforeAll(async () => {
  for (const version of [1, 2] as const) {
    const input = chooseProfile({}, version);
    profiles.set(version, (await loadProfile(input, loadTemplates())) as InspectedProfile);
  }
});

/** The findings about each of some messages. */
function inspectAll(
  recorded: readonly Recorded[],
  withRules = false,
  version: 1 | 2 = 1,
): Inspected[] {
  const inspector = createInspector(profiles.get(version)!, withRules);
  return recorded.map((one, index) => inspector.inspect(one, index + 1));
}

/** Inspects messages without a recorded sender. */
const inspectPlain = (...messages: readonly unknown[]): Inspected[] =>
  inspectAll(messages.map((message) => ({ message })));

const call = (method: string, params: unknown = {}, id?: unknown): object => {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), method, params };
};
const answer = (id: unknown, result: unknown = {}): object => ({ jsonrpc: "2.0", id, result });

describe("a verdict", () => {
  test("is valid for a message that a receiver can use unchanged", () => {
    const [one] = inspectPlain(call("session/cancel", { sessionId: "s" }));
    expect(one).toEqual({
      from: "client",
      kind: "notification",
      method: "session/cancel",
      definition: "CancelNotification",
      verdict: "valid",
      findings: [],
      violations: [],
    });
  });

  test("is repaired for a message that a receiver can use after repairs, which are reported", () => {
    const update = { sessionUpdate: "plan", entries: [{ content: 5 }] };
    const [one] = inspectPlain(call("session/update", { sessionId: "s", update }));
    expect(one).toMatchObject({
      verdict: "repaired",
      findings: [
        { level: "warning", rule: "skip-invalid-items", path: "/params/update/entries/0" },
      ],
    });
  });

  test("is invalid for a message that a receiver cannot use, with the place", () => {
    const [one] = inspectPlain(call("session/new", { mcpServers: [] }, 1));
    expect(one).toMatchObject({
      verdict: "invalid",
      findings: [{ level: "error", rule: "required", path: "/params/cwd" }],
    });
  });

  test("is valid, with a note, for unknown values that a receiver keeps", () => {
    const update = { sessionUpdate: "weather", sun: true };
    const [one] = inspectPlain(call("session/update", { sessionId: "s", update }));
    expect(one).toMatchObject({ verdict: "valid", findings: [{ level: "note", rule: "unknown" }] });
  });

  test("of a response depends on the result type of its request", () => {
    const asked = call("session/prompt", { sessionId: "s", prompt: [] }, "a");
    const [, wrong] = inspectPlain(asked, answer("a", { stopReason: 5 }));
    expect(wrong).toMatchObject({
      kind: "response",
      method: "session/prompt",
      verdict: "invalid",
      findings: [{ path: "/result/stopReason" }],
    });
    const [, again] = inspectPlain(asked, answer("b", { stopReason: 5 }));
    expect(again).toMatchObject({ verdict: "valid", findings: [{ rule: "unchecked" }] });
  });

  test.each<[message: unknown, rule: string, path: string]>([
    [[call("session/cancel")], "no-batches", ""],
    ["text", "message-shape", ""],
    [{ method: "session/cancel" }, "message-shape", "/jsonrpc"],
    [{ jsonrpc: "2.0", method: 5 }, "message-shape", "/method"],
    [{ jsonrpc: "2.0", id: 1 }, "message-shape", ""],
    [{ jsonrpc: "2.0", result: {} }, "message-shape", ""],
    [{ jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } }, "message-shape", ""],
    [{ jsonrpc: "2.0", id: 1, method: "x", result: {} }, "message-shape", ""],
    [{ jsonrpc: "2.0", id: 1, error: { code: "1", message: "" } }, "message-shape", "/error"],
    [{ jsonrpc: "2.0", id: {}, method: "session/list" }, "message-shape", "/id"],
    [call("session/nonsense"), "extension-prefix", "/method"],
    [call("session/prompt", {}), "method-direction", "/method"],
  ])("of %j is invalid by %s at %j", (message, rule, path) => {
    const [one] = inspectPlain(message);
    expect(one).toMatchObject({ verdict: "invalid", findings: [{ level: "error", rule, path }] });
    expect(one!.findings).toHaveLength(1);
  });

  test("of an extension is valid, whatever its params contain", () => {
    for (const params of [{ any: 5 }, [5], undefined]) {
      const [one] = inspectPlain(call("_acme/do", params));
      expect(one).toMatchObject({ verdict: "valid", findings: [{ level: "note" }] });
      expect(one!.findings).toHaveLength(1);
    }
  });

  test.each([null, 5, "text", true])(
    "mentions params that JSON-RPC does not have: %j",
    (params) => {
      const [extension, known] = inspectPlain(
        call("_acme/do", params),
        call("session/list", params, 1),
      );
      const finding = { level: "warning", rule: "structured-params", path: "/params" };
      expect(extension!.findings).toContainEqual(expect.objectContaining(finding));
      // The schema of a method says more, but a receiver reads null as absent.
      expect(known!.findings).toEqual([
        expect.objectContaining(params === null ? finding : { rule: "type", path: "/params" }),
      ]);
    },
  );

  test("names the form of a method that was sent in the other one", () => {
    const [request, notification, direction] = inspectAll([
      { message: call("session/cancel", { sessionId: "s" }, 1) },
      { message: call("session/prompt", {}) },
      { message: call("session/cancel", { sessionId: "s" }), from: "agent" },
    ]);
    expect(request).toMatchObject({
      from: "client",
      findings: [{ message: "session/cancel is a notification, which is sent without an id" }],
    });
    expect(notification).toMatchObject({
      from: "client",
      findings: [{ message: "session/prompt is a request, which is sent with an id" }],
    });
    expect(direction).toMatchObject({
      findings: [{ message: "the agent handles session/cancel and does not send it" }],
    });
  });

  test("of a notice of the protocol that the profile lacks is valid, as receivers ignore it", () => {
    const [one] = inspectPlain(call("$/odd", {}));
    expect(one).toMatchObject({ verdict: "valid", findings: [{ rule: "unknown-notice" }] });
    const [request] = inspectPlain(call("$/odd", {}, 1));
    expect(request).toMatchObject({ verdict: "invalid" });
  });
});

describe("an unknown name", () => {
  const toolCall = (fields: object) => ({
    ...{ sessionUpdate: "tool_call", toolCallId: "x", title: "Read", ...fields },
  });
  const found = (update: object, version: 1 | 2 = 1): Inspected =>
    inspectAll(
      [{ message: call("session/update", { sessionId: "s", update }) }],
      false,
      version,
    )[0]!;

  test.each<[update: object, path: string, meant: string, version?: 2]>([
    [{ sessionUpdate: "plann", entries: [] }, "/sessionUpdate", "plan"],
    [{ sessionUpdate: "plann" }, "/sessionUpdate", "plan"],
    [{ sessionUpdate: "agentMessageChunk" }, "/sessionUpdate", "agent_message_chunk"],
    [toolCall({ kind: "edti" }), "/kind", "edit"],
    [toolCall({ status: "in-progress" }), "/status", "in_progress"],
    [toolCall({ content: [{ type: "difff" }] }), "/content/0/type", "diff"],
    [{ sessionUpdate: "plan_updaet" }, "/sessionUpdate", "plan_update", 2],
    [{ sessionUpdate: "state_update", state: "runing" }, ...(["/state", "running", 2] as const)],
  ])("that is misspelled is a warning: %j", (update, path, meant, version) => {
    const { findings, verdict } = found(update, version);
    expect(verdict).toBe("valid");
    expect(findings).toEqual([
      {
        ...{ level: "warning", rule: "unknown", path: `/params/update${path}` },
        message: expect.stringContaining(`is not known; did you mean "${meant}"?`) as string,
      },
    ]);
  });

  test.each([
    { sessionUpdate: "weather" },
    toolCall({ kind: "research" }),
    // The name of a kind, but no kind of a status.
    toolCall({ status: "edti" }),
    toolCall({ kind: "x".repeat(1000) }),
  ])("that resembles no other in its place is a note: %j", (update) => {
    expect(found(update)).toMatchObject({ verdict: "valid", findings: [{ level: "note" }] });
  });

  test("with an underscore is custom in version 2, whatever it resembles", () => {
    expect(found({ sessionUpdate: "_plan_update" }, 2).findings).toEqual([]);
  });

  test("of a response is looked up, too", () => {
    const asked = call("session/prompt", { sessionId: "s", prompt: [] }, "a");
    const [, one] = inspectPlain(asked, answer("a", { stopReason: "canceled" }));
    expect(one).toMatchObject({ findings: [{ level: "warning", path: "/result/stopReason" }] });
  });

  test("is looked up a limited number of times in one message", () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => ({
      ...{ content: "", priority: "high", status: index % 2 === 0 ? "pendin" : "compleded" },
    }));
    const { findings } = found({ sessionUpdate: "plan", entries });
    const warnings = findings.filter(({ level }) => level === "warning");
    expect(findings).toHaveLength(20_000);
    expect(warnings.length).toBeLessThan(100);
  });
});

describe("the sender", () => {
  const senders = (...messages: readonly unknown[]): string[] =>
    inspectPlain(...messages).map(({ from }) => from);

  test("is the side that does not handle the method", () => {
    expect(senders(call("session/prompt", {}, 1), call("session/update"))).toEqual([
      "client",
      "agent",
    ]);
  });

  test("of a response is the side that was asked; of two open requests the later one counts", () => {
    const prompt = call("session/prompt", {}, 1);
    const permission = call("session/request_permission", {}, 1);
    expect(senders(prompt, permission, answer(1), answer(1))).toEqual([
      ...["client", "agent", "client", "agent"],
    ]);
  });

  test("of a cancellation is the side whose request is pending", () => {
    const withdraw = call("$/cancel_request", { requestId: 7 });
    const permission = call("session/request_permission", {}, 7);
    expect(senders(permission, withdraw)).toEqual(["agent", "agent"]);
    expect(senders(withdraw)).toEqual(["client"]);
  });

  test("is the recorded side, even if the method is one of the other side", () => {
    const [one] = inspectAll([{ from: "agent", message: call("session/cancel") }]);
    expect(one).toMatchObject({ from: "agent", findings: [{ rule: "method-direction" }] });
  });
});

describe("a name that is misspelled by a letter is a warning, or an error where it is required", () => {
  test.each<readonly [string, string, object]>([
    ["initialize", "/clientCapabilites", { protocolVersion: 1, clientCapabilites: {} }],
    [
      "session/new",
      "/aditionalDirectories",
      { cwd: "/", mcpServers: [], aditionalDirectories: [] },
    ],
    [
      "session/prompt",
      "/prompt/0/anotations",
      { sessionId: "s", prompt: [{ type: "text", text: "", anotations: {} }] },
    ],
    ["session/prompt", "/_mta", { sessionId: "s", prompt: [], _mta: {} }],
  ])("of a property in %s: %s", (method, path, params) => {
    const [one] = inspectPlain(call(method, params, 1));
    expect(one).toMatchObject({
      verdict: "valid",
      findings: [{ level: "warning", rule: "unknown" }],
    });
    expect(one!.findings[0]).toMatchObject({
      path: `/params${path}`,
      message: expect.stringMatching(/is not declared here; did you mean "\w+"\?$/) as string,
    });
  });

  test("of a tag that a default takes", () => {
    const authMethods = [{ type: "teminal", id: "a", name: "A" }];
    const request = call("initialize", { protocolVersion: 1 }, 0);
    const [, one] = inspectPlain(request, answer(0, { protocolVersion: 1, authMethods }));
    expect(one!.findings).toMatchObject([
      {
        level: "warning",
        path: "/result/authMethods/0/type",
        message: '"teminal" is not known; did you mean "terminal"?',
      },
    ]);
  });

  test("of a method", () => {
    const [one] = inspectPlain(call("session/nwe", {}, 1));
    expect(one!.findings[0]!.message).toContain('"session/nwe"; did you mean "session/new"?');
  });

  test("but not of a property that resembles none, is custom, or stands beside the one that it resembles", () => {
    const params = { sessionId: "s", prompt: [], color: "red", _acme: 1, sessionIds: ["s"] };
    expect(inspectPlain(call("session/prompt", params, 1))[0]!.findings).toEqual([]);
  });
});

describe("the rules of behavior", () => {
  test.each(ruleBook().rules.map(({ id, examples }) => ({ id, examples })))(
    "are applied as in the checker of complete transcripts: $id",
    ({ examples }) => {
      for (const transcript of examples.flatMap(({ valid, invalid }) => [valid, invalid])) {
        const version = inspect.findHandshake(transcript).version === 2 ? 2 : 1;
        const profile = profiles.get(version)!;
        const { methods } = profile;
        const expected = checkConformance(transcript, { version, methods });
        const inspector = createInspector(profile, true);
        const inspected = transcript.map((one, index) => inspector.inspect(one, index + 1));
        const found = [
          ...inspected.flatMap(({ findings, violations }, index) => [
            ...findings.map(({ rule }) => `${index + 1} ${rule}`),
            ...violations.map(({ line, rule }) => `${line} ${rule}`),
          ]),
          ...inspector.end().map(({ line, rule }) => `${line} ${rule}`),
        ];
        const named = expected.map(({ line, rule }) => `${line} ${rule}`);
        expect(found).toEqual(expect.arrayContaining(named));
      }
    },
  );

  test("are not applied to a part of a conversation", () => {
    const part = [client.ask(5, "session/prompt", { sessionId: "s", prompt: [] })];
    expect(inspectAll(part)[0]!.violations).toEqual([]);
    expect(inspectAll(part, true)[0]!.violations).not.toEqual([]);
  });

  test("do not repeat a finding of the verdict", () => {
    const [, , , , one] = inspectAll([...start(1), agent.notify("session/nonsense")], true);
    expect(one!.findings.map(({ rule }) => rule)).toEqual(["extension-prefix"]);
    expect(one!.violations).toEqual([]);
  });
});

describe("hostile messages", () => {
  const deep = (depth: number): unknown =>
    JSON.parse(`${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`);
  const hostile: readonly unknown[] = [
    ...[undefined, deep(20_000)].flatMap((value) => [
      call("session/update", value),
      call("session/new", value, 1),
      call("$/cancel_request", { requestId: value }),
      call("elicitation/complete", { elicitationId: value }),
      call("elicitation/create", { elicitationId: value, mode: value }, 2),
      call("nes/accept", { sessionId: "n", id: value }),
      call("session/set_config_option", { sessionId: "s", configId: value, value }, 3),
      call("session/prompt", { sessionId: "s", prompt: [{ type: value }] }, 4),
      answer(4, { stopReason: value }),
      answer(value),
    ]),
    call("session/request_permission", {
      sessionId: "s",
      options: Array.from({ length: 200_000 }, (_, optionId) => ({ optionId })),
    }),
    call(
      "session/update",
      JSON.parse('{"__proto__":{"sessionId":"s"},"update":{"constructor":1}}'),
    ),
    ...["__proto__", "constructor", "toString"].flatMap((name) => [
      call(name, {}, name),
      answer(name),
    ]),
  ];

  test("are inspected like all others, in both versions", () => {
    for (const version of [1, 2] as const) {
      const conversation = [...start(version), ...hostile.map((message) => ({ message }))];
      for (const { verdict } of inspectAll(conversation, true, version))
        expect(["valid", "repaired", "invalid"]).toContain(verdict);
    }
  });
});

test("the command has the types of the inspector and bundles all of it", async () => {
  const module: Omit<InspectorModule, "createInspector"> = inspect;
  const create: (
    profile: InspectedProfile,
    withRules: boolean,
  ) => ReturnType<InspectorModule["createInspector"]> = inspect.createInspector;
  const bundled = await loadInspector(loadTemplates());
  expect(Object.keys(bundled).sort()).toEqual(Object.keys(module).sort());
  expect(create).toBe(createInspector);
});
