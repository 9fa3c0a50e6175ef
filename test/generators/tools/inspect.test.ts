import { describe, expect, test } from "vitest";
import {
  inspect,
  type InspectOptions,
  type InspectResult,
} from "../../../generators/tools/inspect/inspect.js";
import type { LineReport } from "../../../generators/tools/inspect/statistics.js";
import { agent, client, start, update } from "../../../templates/site/rules/transcript-builder.js";

interface Inspection extends InspectResult {
  /** The reports about lines with findings: `line verdict rule path`. */
  readonly reported: readonly string[];
}

/** Inspects a transcript that comes in pieces of so many bytes. */
async function inspectText(
  text: string | Uint8Array,
  options: Partial<InspectOptions> = {},
  size = 1 << 20,
): Promise<Inspection> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const reported: string[] = [];
  const line = ({ line: number, verdict, findings }: LineReport): void => {
    for (const { rule, path } of findings)
      reported.push([number, verdict ?? "", rule, path].filter((part) => part !== "").join(" "));
  };
  return { ...(await inspect(chunks(), { inputs: {}, ...options }, { line })), reported };
}

const jsonl = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } };
const wrong = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: 1 } };
const WRONG = "invalid type /params/sessionId";

describe("lines", () => {
  test("are numbered as in an editor, including empty ones", async () => {
    const text = `${JSON.stringify(cancel)}\n\n\r\n${JSON.stringify(wrong)}\r\n`;
    for (const size of [1, 1 << 20]) {
      const { reported, lines, messages } = await inspectText(text, {}, size);
      expect({ reported, lines, messages }).toEqual({
        reported: [`4 ${WRONG}`],
        lines: 4,
        messages: 2,
      });
    }
  });

  test("that are unreadable are reported, and the next ones are read", async () => {
    const text = Buffer.concat([
      Buffer.from("nonsense\n"),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`{"jsonrpc":"2.0","method":"${"x".repeat(5000)}"}\n`),
      Buffer.from('{"from":"client","message":"{"}\n'),
      Buffer.from(`{"jsonrpc":"2.0",\n${JSON.stringify(wrong)}\n`),
    ]);
    const { reported, unreadable, invalid } = await inspectText(text, { maxLineBytes: 4000 });
    expect(reported).toEqual([
      "1 unreadable not-json",
      "2 unreadable not-utf8",
      "3 unreadable too-long",
      "4 unreadable not-json",
      "5 unreadable not-json",
      `6 ${WRONG}`,
    ]);
    expect({ unreadable, invalid }).toEqual({ unreadable: 5, invalid: 1 });
  });

  test("that describe the recording are skipped, the first one only", async () => {
    const header = { version: 1, recorded_at: "2026-04-19" };
    expect((await inspectText(jsonl(header, cancel))).reported).toEqual([]);
    expect((await inspectText(jsonl(cancel, header))).reported).toEqual([
      "2 invalid message-shape /jsonrpc",
    ]);
  });
});

describe("the profile", () => {
  const nes = (version: number) => [
    ...start(version, { agentHas: version === 2 ? { session: {}, nes: {} } : { nes: {} } }),
    client.ask(5, "nes/start", {}),
    agent.result(5, { sessionId: "n" }),
  ];

  test("is the most complete one of the version in initialize", async () => {
    expect(await inspectText(jsonl(...start(1)))).toMatchObject({
      profiles: ["v1-full"],
      errors: 0,
    });
    expect(await inspectText(jsonl(...start(2)))).toMatchObject({
      profiles: ["v2-full"],
      errors: 0,
    });
    expect((await inspectText(jsonl(...nes(1)))).reported).toEqual([]);
    expect((await inspectText(jsonl(...nes(2)))).reported).toEqual([]);
  });

  test("is of the version that the agent selected, or that the client requested without a response", async () => {
    const asked = client.ask(0, "initialize", { protocolVersion: 2, info: {} });
    const older = agent.result(0, { protocolVersion: 1 });
    expect((await inspectText(jsonl(asked, older))).profiles).toEqual(["v1-full"]);
    expect((await inspectText(jsonl(asked))).profiles).toEqual(["v2-full"]);
  });

  test("is of the first handshake that the agent accepts, whatever it has refused before", async () => {
    const ask = (id: number, protocolVersion: number) =>
      client.ask(id, "initialize", { protocolVersion, info: {}, clientInfo: {} });
    const refused = (id: number) => agent.error(id, -32602);
    const [, accepted] = start(1);
    const older = [ask(7, 2), refused(7), ask(8, 3), refused(8), ask(0, 1), accepted!];
    expect((await inspectText(jsonl(...older))).profiles).toEqual(["v1-full"]);
    expect(await inspectText(jsonl(...older, ...older))).toMatchObject({
      profiles: ["v1-full"],
      conversations: 2,
    });
    const unanswered = [ask(7, 2), ask(0, 1), accepted!];
    expect((await inspectText(jsonl(...unanswered))).profiles).toEqual(["v1-full"]);
  });

  test("may be named, or composed of features", async () => {
    const text = jsonl(...nes(1));
    const stable = await inspectText(text, { inputs: { profiles: ["v1"] } });
    expect(stable.profiles).toEqual(["v1"]);
    expect(stable.reported).toContain("5 invalid extension-prefix /method");
    const own = await inspectText(text, {
      inputs: { protocol: "v1", with: ["nes"], name: "editor" },
    });
    expect(own).toMatchObject({ profiles: ["editor"], reported: [] });
  });

  test.each([
    [{ profiles: ["v1", "v2"] }, jsonl(cancel), "a transcript is checked against one profile"],
    [{ profiles: ["v3"] }, "", 'unknown profile "v3"'],
  ])("must exist: %j", async (inputs, text, message) => {
    await expect(inspectText(text, { inputs })).rejects.toThrow(message);
  });
});

test.each([
  [0, "v1-full"],
  [7, "v2-full"],
  [99, "v2-full"],
])("a probe of version %d that the agent refuses is inspected as %s", async (version, profile) => {
  const refusal = agent.error(0, -32022);
  const text = jsonl(client.ask(0, "initialize", { protocolVersion: version }), refusal, wrong);
  const { profiles, reported } = await inspectText(text);
  expect(profiles).toEqual([profile]);
  expect(reported).toContain(`3 ${WRONG}`);
});

describe("conversations", () => {
  const prompt = client.ask(2, "session/prompt", { sessionId: "s", prompt: [] });
  const late = update("agent_message_chunk");
  const end = agent.result(2, { stopReason: "end_turn" });

  test("are checked against the rules of behavior, also at their end", async () => {
    const { reported, withRules } = await inspectText(
      jsonl(...start(1), prompt, end, late, prompt),
    );
    expect(withRules).toBe(1);
    expect(reported).toEqual([
      "7 valid updates-before-turn-ends /params/update",
      "8 every-request-answered",
    ]);
  });

  test("are not checked without their beginning", async () => {
    const { reported, withRules } = await inspectText(jsonl(prompt, end, late));
    expect({ reported, withRules }).toEqual({ reported: [], withRules: 0 });
  });

  test("follow each other in one file, each in its own version", async () => {
    const text = jsonl(...start(1), prompt, ...start(2), ...start(1), late);
    expect(await inspectText(text)).toMatchObject({
      conversations: 3,
      profiles: ["v1-full", "v2-full"],
      reported: ["5 every-request-answered"],
    });
  });

  test("restart after an initialize without a response", async () => {
    const [hello] = start(1);
    expect(await inspectText(jsonl(hello, hello, ...start(1).slice(1)))).toMatchObject({
      conversations: 2,
      reported: ["1 every-request-answered"],
    });
  });

  test("restart where the recording began before the client", async () => {
    const text = jsonl(...Array.from({ length: 200 }, () => late), ...start(1));
    expect(await inspectText(text)).toMatchObject({ conversations: 2, withRules: 1, errors: 0 });
  });
});

describe("the summary", () => {
  test("counts messages by method and direction, and findings by rule", async () => {
    const odd = { sessionUpdate: "plan", entries: [{ content: 5 }] };
    const dropped = agent.notify("session/update", { sessionId: "s", update: odd });
    const text = `${jsonl(...start(1), dropped, dropped, wrong)}nonsense\n`;
    const result = await inspectText(text);
    expect(result).toMatchObject({
      ...{ messages: 7, valid: 4, repaired: 2, invalid: 1, unreadable: 1, lines: 8 },
      ...{ errors: 2, warnings: 2, notes: 0, bytes: text.length },
    });
    expect(result.methods.find(({ method }) => method === "session/update")).toEqual({
      ...{ from: "agent", kind: "notification", method: "session/update" },
      ...{ messages: 2, valid: 0, repaired: 2, invalid: 0, rulesBroken: 2 },
    });
    expect(result.rules).toEqual([
      { rule: "skip-invalid-items", level: "warning", count: 2 },
      { rule: "not-json", level: "error", count: 1 },
      { rule: "type", level: "error", count: 1 },
    ]);
  });

  test("does not grow with unknown names", async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...{ jsonrpc: "2.0", method: `_acme/${index}` },
    }));
    const { methods } = await inspectText(jsonl(...many));
    expect(methods.length).toBeLessThan(510);
    expect(methods.reduce((sum, { messages }) => sum + messages, 0)).toBe(2000);
    expect(methods.at(-1)!.method).toBe("(others)");
  });
});
