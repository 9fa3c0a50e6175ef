import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "acp-bindings/v1";
import { spawnAgent } from "acp-bindings/stdio";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { runToEnd, type Ended } from "../../../support/processes.js";
import { COMMAND, HELLO, start, startProgram, startRaw } from "./faults/running.js";

const AGENT = join(ROOT, "test/templates/typescript/bridge/echo-agent-v2.mjs");
const folder = temporaryFolder();

/** Runs the command to its end. */
const run = (...args: readonly string[]): Ended =>
  runToEnd(process.execPath, [COMMAND, ...args], { input: "" });

/** Has an editor of version 1 take a turn with the agent of version 2. Returns what that said, and what was printed. */
async function takeTurn(...options: readonly string[]) {
  const [texts, lines]: [string[], string[]] = [[], []];
  const agent = spawnAgent(process.execPath, [COMMAND, ...options, process.execPath, AGENT], {
    stderr: (line) => lines.push(line),
  });
  const client = createClient({
    info: { name: "editor", version: "1.0.0" },
    handlers: {
      session: {
        update: {
          agent_message_chunk: ({ content }) =>
            void (content.type === "text" && texts.push(content.text)),
        },
        requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
      },
    },
  });
  const connection = await client.connect(agent);
  const session = await connection.newSession({ cwd: "/" });
  expect(await session.prompt("Hello")).toMatchObject({ stopReason: "end_turn" });
  connection.close();
  expect(await agent.dispose()).toBe(0);
  return { texts, lines };
}

describe("acp-bridge", () => {
  test("connects an editor of version 1 and an agent of version 2", async () => {
    const file = join(folder, "losses.ndjson");
    const { texts, lines } = await takeTurn("--losses", file, "--");
    expect(texts).toEqual(["Hello"]);
    expect(lines.join("\n")).toContain(
      "session/update, feature-not-advertised: The client did not advertise",
    );
    const last = readFileSync(file, "utf8").trim().split("\n").at(-1)!;
    const loss = { kind: "dropped", to: "v1", place: "feature-not-advertised", sessionId: "s" };
    expect(JSON.parse(last)).toMatchObject(loss);
  });

  test("runs an agent by the settings of an editor in the manual", async () => {
    const manual = readFileSync(join(ROOT, "templates/site/guides/tool/bridge.md"), "utf8");
    const settings = JSON.parse(/```json\n(.*?)```/s.exec(manual)![1]!) as {
      readonly agent_servers: { readonly [name: string]: { readonly args: readonly string[] } };
    };
    const { args } = Object.values(settings.agent_servers)[0]!;
    expect(args.slice(-2)).toEqual(["my-agent", "--flag"]);
    await takeTurn(...args.slice(args.indexOf("acp-bridge") + 1, -2));
  });

  test("reports no losses with --quiet", async () => {
    const { child, until, errors, code } = startRaw([AGENT], "--quiet", "--agent", "v2");
    // Cut anywhere, a line is still a line.
    for (const part of [
      '{"jsonrpc":"2.0","id":1,"meth',
      'od":"initialize","params":{"protocolVersion":1}}\n',
    ])
      child.stdin.write(part);
    expect(await until(1)).toMatchObject([{ id: 1, result: { protocolVersion: 1 } }]);
    child.stdin.end();
    await code;
    expect(errors()).toBe("");
  });

  test("ends with the exit code of the agent", async () => {
    expect(run("--", process.execPath, "-e", "process.exit(7)")).toMatchObject({ code: 7 });
  });

  const MISSING = "the agent's command is missing; write it after --";
  test.each<[string, string, number]>([
    ["", MISSING, 2],
    ["--", MISSING, 2],
    ["--agnt v2 -- x", "there is no option --agnt", 2],
    ["--agent v3 -- x", '--agent is v1 or v2, not "v3"', 2],
    ["--agent -- x", "--agent needs a value", 2],
    ["--losses --quiet -- x", "--losses needs a value", 2],
    ["--quiet=yes -- x", "--quiet takes no value", 2],
    [
      "--quiet node a.js -h",
      "write the agent's command after --: acp-bridge --quiet -- node a.js -h",
      2,
    ],
    ["-- ./no-such-agent", "cannot start ./no-such-agent: there is no such program", 3],
    ["--losses /no/folder -- x", "cannot write /no/folder: there is no such folder", 3],
  ])("says what is wrong with its use: %s", async (args, problem, code) => {
    const found = run(...args.split(" ").filter((arg) => arg !== ""));
    const [first, second] = found.err.split("\n");
    expect({ code: found.code, first }).toEqual({ code, first: `acp-bridge: ${problem}` });
    expect(second).toBe(code === 2 ? "Run acp-bridge --help for its options." : "");
  });

  const manifest = readFileSync(join(ROOT, "out/typescript/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  test.each([
    ["--help", expect.stringMatching(/^Usage: acp-bridge/)],
    ["--version", `${version}\n`],
  ])("prints the answer to %s", async (flag, out) => {
    expect(run(flag)).toEqual({ code: 0, out, err: "" });
  });

  /** An agent that answers initialize with a version, or an error. */
  const answering = (outcome: object): readonly string[] => [
    process.execPath,
    "-e",
    `process.stdin.setEncoding("utf8").on("data", (data) => {
      for (const line of data.trim().split("\\n"))
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, ...${JSON.stringify(outcome)} }) + "\\n");
    });`,
  ];
  const NEITHER = "the agent speaks neither version 1 nor version 2";
  const error = { error: { code: -32602, message: "Not that one" } };
  const inShell = (problem: string, script: string): [string, string[], string[]][] =>
    process.platform === "win32" ? [] : [[problem, [], ["sh", "-c", script]]];
  test.each<[string, readonly string[], readonly string[]]>([
    [`${NEITHER}: it answered with version 99`, [], answering({ result: { protocolVersion: 99 } })],
    [`${NEITHER}: its answer names no version`, [], answering({ result: {} })],
    [`${NEITHER}: Not that one`, [], answering(error)],
    ["the agent does not speak version 2: Not that one", ["--agent", "v2"], answering(error)],
    ["the agent does not speak version 1: Not that one", ["--agent", "v1"], answering(error)],
    [
      "the agent speaks version 1, as the client does, and not version 2",
      ["--agent", "v2"],
      answering({ result: { protocolVersion: 1 } }),
    ],
    [
      "the agent ended with exit code 0 before it answered initialize",
      [],
      [process.execPath, "-e", "process.stdin.once('data', () => process.exit(0))"],
    ],
    ...inShell("the agent ended with exit code 3 before it answered initialize", "exit 3"),
    ...inShell("the agent ended by SIGKILL before it answered initialize", "kill -9 $$"),
  ])("says what is wrong with an agent: %s", async (problem, options, agent) => {
    const { child, send, until, errors, code } = startProgram(agent, ...options);
    send(HELLO);
    await until(0);
    child.stdin.end();
    await code;
    expect(errors()).toBe(`acp-bridge: ${problem}\n`);
  });

  test("shows the first lines of an agent that writes something else", async () => {
    const noise =
      'for (const word of ["Welcome", "2", "3", "4"]) console.log(word + "!".repeat(99))';
    const { err } = run("--agent", "v2", "--", process.execPath, "-e", noise);
    const lines = err.trim().split("\n");
    expect(lines.length).toBe(3);
    expect(lines[0]).toMatch(
      /^acp-bridge: the agent wrote a line that is not a message: "Welcome!{73}"$/,
    );
    expect(lines[2]).toMatch(/\(Others are not shown\.\)$/);
  });

  test("answers the prompt of an agent that crashes, and ends with its code", async () => {
    const { send, until, code } = start(
      `const take = ({ id, method }) =>
        method === "session/prompt" ? process.exit(9) : send({ id, result: { sessionId: "s" } });`,
      "--quiet",
    );
    send(HELLO);
    send({ id: 2, method: "session/new", params: { cwd: "/", mcpServers: [] } });
    send({ id: 3, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    expect((await until(3)).at(-1)).toMatchObject({
      id: 3,
      error: { message: "The agent has ended with exit code 9" },
    });
    expect(await code).toBe(9);
  });
});
