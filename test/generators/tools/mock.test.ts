import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createClient } from "acp-bindings/v1";
import { byteTransport } from "acp-bindings/stdio";
import { describe, expect, test } from "vitest";
import { mock, type MockScript } from "../../../generators/index.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand, spawnCommand } from "../cli/run-command.js";

const folder = temporaryFolder();

/** The scripts that the guide shows, by file. */
const page = readFileSync(join(ROOT, "templates/site/guides/tool/mock.md"), "utf8");
const shown = new Map(
  [...page.matchAll(/^```json file (\S+)\n(.*?)^```$/gms)].map(([, file, text]) => [file!, text!]),
);

function scriptOf(file: string): MockScript {
  return JSON.parse(shown.get(file)!) as MockScript;
}

/** Starts a mocked agent, and connects a client that reports what it meets. */
function start(script: MockScript) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const seen: string[] = [];
  const ended = mock({ side: "agent", script, input, output });
  const client = createClient({
    info: { name: "editor", version: "1.0.0" },
    handlers: {
      session: {
        update: ({ update }) => {
          const { content } = update as { readonly content?: { readonly text?: string } };
          const text = content?.text ?? "";
          seen.push(text.length > 99 ? `${text.length} characters` : text || update.sessionUpdate);
        },
        requestPermission: () => new Promise(() => {}),
      },
    },
    onError: (error) => seen.push(String(error).split("\n")[0]!),
  });
  const connect = () => client.connect(byteTransport(output, input));
  return { ended, seen, connect, input };
}

/** Opens a session, sends a prompt, and returns what became of it. */
async function turn(script: MockScript, meanwhile?: (cancel: () => void) => void) {
  const { ended, seen, connect, input } = start(script);
  const { agent } = await connect();
  const { sessionId } = await agent.session.new({ cwd: "/", mcpServers: [] });
  const prompt = agent.session.prompt({ sessionId, prompt: [{ type: "text", text: "Go." }] });
  meanwhile?.(() => void agent.session.cancel({ sessionId }));
  const result = await Promise.resolve(prompt).then(
    ({ stopReason }) => stopReason,
    (error: Error) => error.message,
  );
  input.end();
  return { result, seen, ended: await ended };
}

describe("the scripts of the guide", () => {
  test("hello.json: a turn", async () => {
    const { result, seen, ended } = await turn(scriptOf("hello.json"));
    expect({ result, seen, ended }).toEqual({ result: "end_turn", seen: ["Hello."], ended: {} });
  });

  test("slow-start.json: the connection waits", async () => {
    const { steps, ...script } = scriptOf("slow-start.json");
    expect(steps[0]).toEqual({ pause: 2000 });
    const { connect, ended, input } = start({
      ...script,
      steps: [{ pause: 30 }, ...steps.slice(1)],
    });
    const { agent } = await connect();
    expect(await agent.session.new({ cwd: "/", mcpServers: [] })).toMatchObject({
      sessionId: "s1",
    });
    input.end();
    expect(await ended).toEqual({});
  });

  test("death-in-a-turn.json: the prompt fails, and the mock has its exit code", async () => {
    const { result, seen, ended } = await turn(scriptOf("death-in-a-turn.json"));
    expect(result).toMatch(/clos|end/);
    expect(seen[0]).toBe("I will look at");
    expect(ended).toEqual({ exit: 3 });
  });

  test("asks.json: the question is answered cancelled with its turn", async () => {
    const { result, ended } = await turn(scriptOf("asks.json"), (cancel) => setTimeout(cancel, 20));
    expect({ result, ended }).toEqual({ result: "cancelled", ended: {} });
  });

  test("unknown-update.json: the turn goes on", async () => {
    const { result, seen } = await turn(scriptOf("unknown-update.json"));
    expect({ result, seen }).toMatchObject({ result: "end_turn" });
    expect(seen).toEqual(expect.arrayContaining(["mood_update", "Done."]));
  });

  test("wrong-version.json: the connection is refused", async () => {
    const { connect } = start(scriptOf("wrong-version.json"));
    await expect(connect()).rejects.toThrow("99");
  });

  test("noise.json: all messages arrive, and the error", async () => {
    const { result, seen } = await turn(scriptOf("noise.json"));
    expect(result).toContain("refused");
    expect(seen).toEqual(expect.arrayContaining(["In pieces.", "1000000 characters"]));
  });

  test("any-turns.json: every prompt is answered", async () => {
    const { connect, seen, ended, input } = start(scriptOf("any-turns.json"));
    const { agent } = await connect();
    for (let n = 0; n < 3; n++) {
      const { sessionId } = await agent.session.new({ cwd: "/", mcpServers: [] });
      await agent.session.prompt({ sessionId, prompt: [] });
    }
    expect(seen).toEqual(["Yes.", "Yes.", "Yes."]);
    input.end();
    expect(await ended).toEqual({});
  });

  test.each([
    ["keeps to it", `send({ id: prompt, result: { stopReason: "cancelled" } })`, 0, ""],
    ["ignores the cancel", "", 1, "acp-codegen mock: step 7: silent for"],
  ])("never-answers.json: an agent that %s", (_, onCancel, code, err) => {
    for (const [file, text] of shown) writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, "agent.mjs"), agentSource(onCancel));
    const args = ["--script", "never-answers.json", "--timeout", "2", "--", "node", "agent.mjs"];
    const ended = spawnCommand(["mock", "client", ...args], { cwd: folder });
    expect(ended.err).toContain(err);
    expect(ended.code).toBe(code);
  });

  test("there is no other", () => expect(shown.size).toBe(9));
});

/** An agent without a library, which asks for permission in each turn. */
function agentSource(onCancel: string): string {
  return `
    import { createInterface } from "node:readline";
    const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
    let prompt;
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, method } = JSON.parse(line);
      if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
      if (method === "session/new") {
        send({ method: "_acme/status", params: {} });
        send({ id, result: { sessionId: "a" } });
      }
      if (method === "session/prompt") {
        prompt = id;
        send({ id: 1, method: "session/request_permission", params: {} });
      }
      if (method === "session/cancel") { ${onCancel} }
    }`;
}

describe("acp-codegen mock", () => {
  test("names the step in which the client leaves the script", async () => {
    const file = join(folder, "hello.json");
    writeFileSync(file, shown.get("hello.json")!);
    const { code, out, err } = await runCommand(["mock", "agent", "--script", file]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("mock: step 1: the process was ended by the end of its output");
  });

  test.each([
    ['{"steps": []}', "agent", "/steps"],
    ['{"steps": ["connect"], "exits": 1}', "agent", 'Did you mean "exit"?'],
    [
      '{"steps": ["initialise"]}',
      "client",
      'wrong.json:1:12#/steps/0: there is no step "initialise" here. Did you mean "initialize"?',
    ],
    [
      '{"steps": ["connect", {"answer": {}, "to": "initialize", "of": "p"}]}',
      "agent",
      '#/steps/1/of: the step "answer" has no member "of". Did you mean "to"?',
    ],
    [
      '{"steps": [\n{"pause": "2s"},\n{"ask": "q"}, {"answered": "q", "with": "maybe"}, {"flood": {}}]}',
      "agent",
      [
        'wrong.json:2:11#/steps/0/pause: "pause" must be a whole number of milliseconds below 2 ** 31, not "2s".',
        '#/steps/2/with: "with" must be "allow" or "reject" or "cancelled", not "maybe".',
        'wrong.json:3:51#/steps/3: the step "flood" requires "count".',
      ],
    ],
    ['{"steps": [{"in": "s1", "chunk": 5}]}', "agent", '"chunk" must be a text, not 5'],
    [
      '{"steps": [{"sendText": "abc", "cut": [2, 1]}, {"sendHex": "0a1"}]}',
      "agent",
      [
        '"cut" must be rising whole numbers, not [2,1]',
        '"sendHex" must be pairs of hexadecimal digits',
      ],
    ],
    ['{"version": 3, "steps": ["connect"]}', "agent", "/version"],
    ['{"steps": ["prompt"]}', "client", '"prompt" must be a text or a list, not {}'],
    ['{"steps": [{"together": [{"chnk": "a"}]}]}', "agent", 'together/0: there is no step "chnk"'],
    ['{"steps": [{"together": ["connect"]}]}', "agent", "together/0: there is no step"],
    ['{"steps": [{"together": [null]}]}', "agent", 'together/0: there is no step "null" here'],
    ['{"steps": [{"close": true}]}', "agent", 'there is no step "close" here'],
    [
      '{"steps": ["connect", {"end": "end_turn"}, {"turn": "x", "as": "q"}]}',
      "agent",
      '#/steps/1: no step before has bound "$p". Bound so far: long, deep, n, initialize.',
    ],
    [
      '{"steps": [{"sendText": "$prompt"}], "replies": [{"to": {}, "send": {"id": "$idd"}}]}',
      "agent",
      [
        '#/steps/0: no step before has bound "$prompt"',
        '#/replies/0: no step before has bound "$idd"',
      ],
    ],
    [
      '{"steps": ["open", {"call": "session/list"}, {"call": "session/list", "returns": {}, "fails": 5}]}',
      "client",
      [
        '#/steps/1: the step "call" requires either "returns" or "fails".',
        '#/steps/2: the step "call" requires either "returns" or "fails".',
      ],
    ],
    [
      '{"skip": [{"method": {"$anny": true}}], "replies": [{"to": {"id": {"$matches": 1}}, "send": {}}], "steps": ["connect", {"turn": {"$anny": true}}, {"expect": {"result": {"a": [{"$hass": "x"}]}}}]}',
      "agent",
      [
        '#/steps/1/turn: a pattern has no "$anny". Did you mean "$any"?',
        '#/steps/2/expect/result/a/0: a pattern has no "$hass". Did you mean "$has"?',
        '#/skip/0/method: a pattern has no "$anny". Did you mean "$any"?',
        '#/replies/0/to/id: a pattern has no "$matches". Known: $let, $any,',
      ],
    ],
    [
      '{"steps": ["connect", {"answered": "q", "with": "allow"}, {"ask": "q"}, {"answered": "q", "with": "allow"}, {"elicited": "e", "with": "accept"}]}',
      "agent",
      ['#/steps/1: no step before has asked "q".', '#/steps/4: no step before has asked "e".'],
    ],
    [
      '{"exits": 1, "steps": ["connect", {"nw": "s1"}, {"pause": "2s"}, {"answer": {}, "to": "other"}, {"turn": "x", "as": 5}]}',
      "agent",
      [
        'Did you mean "exit"?',
        'there is no step "nw" here. Did you mean "new"?',
        '#/steps/2/pause: "pause" must be',
        '#/steps/3: no step before has bound "$other".',
        '#/steps/4/as: "as" must be a text, not 5.',
      ],
    ],
    ['{"steps": ["open"]}', "agent", "Known: send, sendText, sendHex, flood, expect"],
    ['{"steps": [{"state": []}]}', "agent", 'there is no step "state" here'],
    ["no JSON", "agent", "wrong.json: is not JSON"],
  ])("refuses %s for the %s", async (text, side, problems) => {
    const file = join(folder, "wrong.json");
    writeFileSync(file, text);
    const command = side === "client" ? ["--", "agent"] : [];
    const { code, err } = await runCommand(["mock", side, "--script", file, ...command]);
    for (const problem of [problems].flat()) expect(err).toContain(problem);
    expect(code).toBe(2);
  });

  test("reports a name that is not bound once, and names no step that the guide lacks", async () => {
    const file = join(folder, "wrong.json");
    const answer = '{"answer": {}, "to": "other"}';
    writeFileSync(file, `{"steps": ["connect", ${answer}, ${answer}, {"zzz": 1}]}`);
    const { err } = await runCommand(["mock", "agent", "--script", file]);
    expect(err.match(/has bound/g)).toHaveLength(1);
    const [, known] = /Known: (.*)\.$/m.exec(err)!;
    const guides =
      page + readFileSync(join(ROOT, "templates/site/guides/tool/conformance.md"), "utf8");
    for (const name of known!.split(", ")) expect(guides).toMatch(new RegExp(`["\`]${name}["\`]`));
    expect(known).not.toMatch(/\b(do|log|state|open)\b/);
  });

  test("shows what an agent has written that dies", async () => {
    const file = join(folder, "open.json");
    writeFileSync(file, '{"steps": ["open"]}');
    const agent = [process.execPath, "-e", "console.error('no key'); process.exit(3)"];
    const { code, err } = await runCommand(["mock", "client", "--script", file, "--", ...agent]);
    expect(err).toContain("step 1: the process exited with code 3 while");
    expect(err).toContain("\n  stderr: no key\n");
    expect(code).toBe(1);
  });

  test("judges an answer with another text", async () => {
    writeFileSync(
      join(folder, "says.json"),
      JSON.stringify({ steps: ["open", { prompt: "Hi" }, { says: "Hello" }] }),
    );
    const raw = join(ROOT, "test/generators/cli/raw-agent.mjs");
    const args = ["--script", join(folder, "says.json"), "--", process.execPath, raw, "{}"];
    const { code, err } = await runCommand(["mock", "client", ...args]);
    expect(err).toMatch(/step 3: expected .*"text":"Hello".*, received .*agent_message_chunk/);
    expect(code).toBe(1);
  });
});
