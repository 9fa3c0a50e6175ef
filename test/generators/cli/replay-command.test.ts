import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { DEMO, replay as replayRecording } from "../../../generators/tools/replay/replay.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { NODE_ARGS, runCommand } from "./run-command.js";

const folder = temporaryFolder();

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly update?: { sessionUpdate: string } };
  readonly result?: { readonly sessionId?: string };
  readonly error?: { readonly code: number };
}

/** A replay that a test talks to. */
class Replay {
  readonly child: ChildProcess;
  err = "";
  readonly #lines: AsyncIterator<string>;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [...NODE_ARGS, "replay", ...args], { stdio: "pipe" });
    this.child.stderr!.on("data", (text) => (this.err += String(text)));
    this.child.stdin!.on("error", () => {});
    this.#lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  send(message: object): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  async next(): Promise<Message> {
    return JSON.parse((await this.line())!) as Message;
  }

  /** Returns what comes until an answer, a word for each message. */
  async untilAnswer(id: unknown): Promise<string[]> {
    const words: string[] = [];
    for (;;) {
      const message = await this.next();
      words.push(message.params?.update?.sessionUpdate ?? message.method ?? "answer");
      if (message.method === "session/request_permission") {
        this.send({ id: message.id, result: { outcome: { outcome: "cancelled" } } });
      }
      if (message.method === undefined && message.id === id) return words;
    }
  }

  async end(): Promise<number | null> {
    this.child.stdin!.end();
    const [code] = (await once(this.child, "close")) as [number | null];
    return code;
  }
}

const opening = [
  { id: "a", method: "initialize", params: { protocolVersion: 1 } },
  { id: "b", method: "session/new", params: { cwd: "/", mcpServers: [] } },
];
const prompt = { id: "c", method: "session/prompt", params: { sessionId: "demo-1", prompt: [] } };

async function open(...args: string[]): Promise<Replay> {
  const replay = new Replay("--demo", ...args);
  for (const request of opening) {
    replay.send(request);
    expect((await replay.next()).id).toBe(request.id);
  }
  return replay;
}

async function* emptyLines(): AsyncGenerator<string> {}

describe("acp-codegen replay", () => {
  test("plays the agent's side, and waits where the agent had waited", async () => {
    const replay = await open();
    replay.send(prompt);
    const words = await replay.untilAnswer("c");
    expect(words.filter((word) => word === "agent_message_chunk")).toHaveLength(18);
    expect(words.indexOf("session/request_permission")).toBeLessThan(words.lastIndexOf("plan"));
    replay.send({ ...prompt, id: "d" });
    expect((await replay.next()).error?.code).toBe(-32601);
    expect(await replay.end()).toBe(1);
    expect(replay.err).toContain("the recording has no further session/prompt");
  });

  test("begins again with a new session", async () => {
    const replay = await open("--loop");
    replay.send(prompt);
    await replay.untilAnswer("c");
    replay.send({ ...opening[1], id: "d" });
    const { result } = await replay.next();
    expect(result?.sessionId).toBe("demo-1-1");
    replay.send({ ...prompt, id: "e", params: { sessionId: result!.sessionId, prompt: [] } });
    expect((await replay.next()).params?.sessionId).toBe("demo-1-1");
    await replay.untilAnswer("e");
    expect(await replay.end()).toBe(0);
  });

  test("answers what a capture from the middle does not have", async () => {
    const file = join(folder, "middle.ndjson");
    const records = [
      { from: "client", message: { ...prompt, params: { sessionId: "old", prompt: [] } } },
      {
        from: "agent",
        message: {
          method: "session/update",
          params: { sessionId: "old", update: { sessionUpdate: "plan", entries: [] } },
        },
      },
      { from: "agent", message: { id: "c", result: { stopReason: "end_turn" } } },
    ];
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const replay = new Replay(file);
    for (const request of opening) replay.send(request);
    expect(await replay.next()).toMatchObject({ result: { protocolVersion: 1 } });
    expect(await replay.next()).toMatchObject({ result: { sessionId: "old" } });
    replay.send({ ...prompt, params: { sessionId: "mine", prompt: [] } });
    expect(await replay.next()).toMatchObject({ params: { sessionId: "mine" } });
    expect(await replay.untilAnswer("c")).toEqual(["answer"]);
    expect(await replay.end()).toBe(0);
  });

  test("says what the recording does not have, and what the other side leaves out", async () => {
    const file = join(folder, "unanswered.ndjson");
    const asked = { id: 9, method: "fs/read_text_file", params: { sessionId: "s", path: "/a" } };
    const records = [
      { from: "client", message: { ...prompt, params: { sessionId: "s", prompt: [] } } },
      { from: "agent", message: asked },
      { from: "client", message: { id: 9, result: { content: "" } } },
    ];
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const agent = new Replay(file);
    agent.send({ ...prompt, params: { sessionId: "s", prompt: [] } });
    expect(await agent.next()).toMatchObject({ method: "fs/read_text_file" });
    expect(await agent.end()).toBe(0);
    expect(agent.err).toContain("the recording has no answer to session/prompt");
    writeFileSync(file, JSON.stringify({ from: "agent", message: { id: "c", result: {} } }), {
      flag: "a",
    });
    const client = new Replay(file, "--as", "client");
    const { id } = await client.next();
    client.send({ id, result: {} });
    expect((await once(client.child, "close"))[0]).toBe(1);
    expect(client.err).toContain("it has not sent fs/read_text_file");
  });

  test("of a program checks its options", async () => {
    const world = { lines: emptyLines(), write: () => {}, say: () => {} };
    const replaying = replayRecording({ path: DEMO, side: "server" as "agent" }, world);
    await expect(replaying).rejects.toThrow('"side" of replay must be "agent" or "client"');
  });

  test("plays the client's side with a replay of the agent's", async () => {
    const agent = new Replay("--demo");
    const client = new Replay("--demo", "--as", "client");
    agent.child.stdout!.pipe(client.child.stdin!);
    client.child.stdout!.pipe(agent.child.stdin!);
    expect((await once(client.child, "close"))[0]).toBe(0);
    expect((await once(agent.child, "close"))[0]).toBe(0);
    expect(agent.err + client.err).toBe("");
  });

  test.each([
    [[], "a recording is required"],
    [["--demo", "x.ndjson"], "a recording is required"],
    [["--demo", "--speed", "0"], "Expected a number above 0"],
  ])("refuses %j", async (args, problem) => {
    const { code, err } = await runCommand(["replay", ...args]);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });
});
