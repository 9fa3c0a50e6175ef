import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  inspect,
  type InspectOptions,
  type InspectResult,
} from "../../generators/run/inspect/inspect.js";
import type { LineReport } from "../../generators/run/inspect/statistics.js";
import { agent, client, start, update } from "../../templates/conformance/transcript-builder.js";
import { ROOT } from "../support/paths.js";

const folder = mkdtempSync(join(tmpdir(), "acp-inspect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told extends InspectResult {
  /** The reports about lines with findings: `line verdict rule path`. */
  readonly told: readonly string[];
}

/** Inspects a transcript that comes in pieces of so many bytes. */
async function tell(
  text: string | Uint8Array,
  options: Partial<InspectOptions> = {},
  size = 1 << 20,
): Promise<Told> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const told: string[] = [];
  const line = ({ line: number, verdict, findings }: LineReport): void => {
    for (const { rule, path } of findings)
      told.push([number, verdict ?? "", rule, path].filter((part) => part !== "").join(" "));
  };
  return { ...(await inspect(chunks(), { inputs: {}, ...options }, { line })), told };
}

const jsonl = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } };
const wrong = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: 1 } };
const WRONG = "invalid type /params/sessionId";

describe("lines", () => {
  test("are numbered as an editor does, empty ones and all", async () => {
    const text = `${JSON.stringify(cancel)}\n\n\r\n${JSON.stringify(wrong)}\r\n`;
    for (const size of [1, 3, 1 << 20]) {
      const { told, lines, messages } = await tell(text, {}, size);
      expect({ told, lines, messages }).toEqual({ told: [`4 ${WRONG}`], lines: 4, messages: 2 });
    }
  });

  test("need no end after the last one, and may begin with a byte order mark", async () => {
    const { told, lines } = await tell(`\ufeff${JSON.stringify(cancel)}\n${JSON.stringify(wrong)}`);
    expect({ told, lines }).toEqual({ told: [`2 ${WRONG}`], lines: 2 });
  });

  test("that cannot be read are findings, and those after them are read", async () => {
    const text = Buffer.concat([
      Buffer.from("nonsense\n"),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`{"jsonrpc":"2.0","method":"${"x".repeat(5000)}"}\n`),
      Buffer.from('{"from":"client","message":"{"}\n'),
      Buffer.from(`{"jsonrpc":"2.0",\n${JSON.stringify(wrong)}\n`),
    ]);
    const { told, unreadable, invalid } = await tell(text, { maxLineBytes: 4000 });
    expect(told).toEqual([
      "1 unreadable not-json",
      "2 unreadable not-utf8",
      "3 unreadable too-long",
      "4 unreadable not-json",
      "5 unreadable not-json",
      `6 ${WRONG}`,
    ]);
    expect({ unreadable, invalid }).toEqual({ unreadable: 5, invalid: 1 });
  });

  test("may be longer than 32 MiB in no case", async () => {
    const long = Buffer.alloc(33 * 1024 * 1024, "x");
    const text = Buffer.concat([long, Buffer.from(`\n${JSON.stringify(wrong)}\n`)]);
    expect((await tell(text)).told).toEqual(["1 unreadable too-long", `2 ${WRONG}`]);
  });

  test("may be nested as deeply as they like", async () => {
    const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
    const text = `{"jsonrpc":"2.0","id":1,"method":"session/new","params":${deep}}\n${JSON.stringify(wrong)}\n`;
    expect((await tell(text)).told.at(-1)).toBe(`2 ${WRONG}`);
  });

  test("that tell about the recording are left out, the first one only", async () => {
    const header = { version: 1, recorded_at: "2026-04-19" };
    expect((await tell(jsonl(header, cancel))).told).toEqual([]);
    expect((await tell(jsonl(cancel, header))).told).toEqual(["2 invalid message-shape /jsonrpc"]);
  });

  test("of no transcript at all are no findings", async () => {
    expect(await tell("")).toMatchObject({ messages: 0, lines: 0, errors: 0, told: [] });
  });
});

describe("the profile", () => {
  const nes = (version: number) => [
    ...start(version, { agentHas: version === 2 ? { session: {}, nes: {} } : { nes: {} } }),
    client.ask(5, "nes/start", {}),
    agent.result(5, { sessionId: "n" }),
  ];

  test("is the one of the version in initialize that knows most", async () => {
    expect(await tell(jsonl(...start(1)))).toMatchObject({ profiles: ["v1-full"], errors: 0 });
    expect(await tell(jsonl(...start(2)))).toMatchObject({ profiles: ["v2-full"], errors: 0 });
    expect((await tell(jsonl(...nes(1)))).told).toEqual([]);
    expect((await tell(jsonl(...nes(2)))).told).toEqual([]);
  });

  test("is of the version that the agent has agreed to, or else that was asked for", async () => {
    const asked = client.ask(0, "initialize", { protocolVersion: 2, info: {} });
    const older = agent.result(0, { protocolVersion: 1 });
    expect((await tell(jsonl(asked, older))).profiles).toEqual(["v1-full"]);
    expect((await tell(jsonl(asked))).profiles).toEqual(["v2-full"]);
  });

  test("is one that is named, or composed of features", async () => {
    const text = jsonl(...nes(1));
    const stable = await tell(text, { inputs: { profiles: ["v1"] } });
    expect(stable.profiles).toEqual(["v1"]);
    expect(stable.told).toContain("5 invalid extension-prefix /method");
    const own = await tell(text, { inputs: { protocol: "v1", with: ["nes"], name: "editor" } });
    expect(own).toMatchObject({ profiles: ["editor"], told: [] });
  });

  test("may have features of one's own", async () => {
    const file = join(folder, "session-pin.json");
    const readme = readFileSync(join(ROOT, "schema/README.md"), "utf8");
    writeFileSync(file, /```json\n([\s\S]*?)```/.exec(readme)![1]!);
    const inputs = { protocol: "v1", with: [file] };
    const has = { agentHas: { sessionCapabilities: { pin: {} } } };
    const pin = (pinned: unknown) => client.ask(5, "session/pin", { sessionId: "s", pinned });
    const judged = async (greeted: typeof has | undefined, pinned: unknown) =>
      (await tell(jsonl(...start(1, greeted), pin(pinned), agent.result(5)), { inputs })).told;
    expect(await judged(has, true)).toEqual([]);
    expect(await judged(has, "yes")).toEqual(["5 invalid type /params/pinned"]);
    expect(await judged(undefined, true)).toEqual(["5 valid method-gate /method"]);
  });

  test("may be of a schema in upstream's format", async () => {
    const schema = join(ROOT, "out/schema/v1.schema.json");
    const inputs = { schema, protocol: "v1" };
    expect((await tell(jsonl(...start(1), wrong), { inputs })).told).toContain(`5 ${WRONG}`);
  });

  test.each([
    [{ profiles: ["v1", "v2"] }, jsonl(cancel), "a transcript is checked against one profile"],
    [{ profiles: ["v3"] }, "", 'unknown profile "v3"'],
  ])("must be one that there is: %j", async (inputs, text, message) => {
    await expect(tell(text, { inputs })).rejects.toThrow(message);
  });
});

test.each([
  [0, "v1-full"],
  [7, "v2-full"],
  [99, "v2-full"],
])("a probe of version %d that the agent refuses is inspected as %s", async (version, profile) => {
  const refusal = agent.error(0, -32022);
  const text = jsonl(client.ask(0, "initialize", { protocolVersion: version }), refusal, wrong);
  const { profiles, told } = await tell(text);
  expect(profiles).toEqual([profile]);
  expect(told).toContain(`3 ${WRONG}`);
});

describe("conversations", () => {
  const prompt = client.ask(2, "session/prompt", { sessionId: "s", prompt: [] });
  const late = update("agent_message_chunk");
  const end = agent.result(2, { stopReason: "end_turn" });

  test("are held against the rules of behavior, also at their end", async () => {
    const { told, withRules } = await tell(jsonl(...start(1), prompt, end, late, prompt));
    expect(withRules).toBe(1);
    expect(told).toEqual([
      "7 valid updates-before-turn-ends /params/update",
      "8 every-request-answered",
    ]);
  });

  test("without a beginning are not held against them", async () => {
    const { told, withRules } = await tell(jsonl(prompt, end, late));
    expect({ told, withRules }).toEqual({ told: [], withRules: 0 });
  });

  test("follow each other in one file, each in its own version", async () => {
    const text = jsonl(...start(1), prompt, ...start(2), ...start(1), late);
    expect(await tell(text)).toMatchObject({
      conversations: 3,
      profiles: ["v1-full", "v2-full"],
      told: ["5 every-request-answered"],
    });
  });

  test("begin anew after an initialize that nobody has answered", async () => {
    const [hello] = start(1);
    expect(await tell(jsonl(hello, hello, ...start(1).slice(1)))).toMatchObject({
      conversations: 2,
      told: ["1 every-request-answered"],
    });
  });

  test("begin anew where the recorder was there before the client", async () => {
    const text = jsonl(...Array.from({ length: 200 }, () => late), ...start(1));
    expect(await tell(text)).toMatchObject({ conversations: 2, withRules: 1, errors: 0 });
  });

  test("tell both directions apart without being told who sends what", async () => {
    const plain = start(1).map(({ message }) => message);
    const { methods } = await tell(jsonl(...plain));
    expect(methods.map(({ from, kind, method }) => `${from} ${kind} ${method}`)).toEqual([
      "client request initialize",
      "agent response initialize",
      "client request session/new",
      "agent response session/new",
    ]);
  });

  test("recorded by an agent say out for what it sends", async () => {
    const recorded = start(1).map(({ from, message }) => {
      return { dir: from === "agent" ? "out" : "in", frame: message };
    });
    expect((await tell(jsonl(...recorded), { recorder: "agent" })).told).toEqual([]);
    expect((await tell(jsonl(...recorded))).told).toContain("1 invalid method-direction /method");
  });
});

describe("the summary", () => {
  test("counts messages by method and direction, and findings by rule", async () => {
    const odd = { sessionUpdate: "plan", entries: [{ content: 5 }] };
    const dropped = agent.tell("session/update", { sessionId: "s", update: odd });
    const text = `${jsonl(...start(1), dropped, dropped, wrong)}nonsense\n`;
    const result = await tell(text);
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

  test("does not grow with the names that a peer makes up", async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...{ jsonrpc: "2.0", method: `_acme/${index}` },
    }));
    const { methods } = await tell(jsonl(...many));
    expect(methods.length).toBeLessThan(510);
    expect(methods.reduce((sum, { messages }) => sum + messages, 0)).toBe(2000);
    expect(methods.at(-1)!.method).toBe("(others)");
  });
});
