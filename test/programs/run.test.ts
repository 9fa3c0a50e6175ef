import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryTransports } from "acp-bindings";
import { spawnAgent } from "acp-bindings/stdio";
import {
  CANCELLED,
  createAgent,
  createClient,
  select,
  SessionStore,
  type SessionState,
} from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { Editor, type Screen } from "./pairs/editor-client/ours.js";
import { fileOf, LIBRARIES, type Library } from "./pairs.js";
import { nodeArgs, runProgram, runWithInput } from "./run-program.js";
import { IS_DEEP } from "../support/deep.js";

const folder = temporaryFolder();
const file = (name: string, library: Library): string => fileOf(name, library)!;

/** The quick run has our programs, a deep one those on the official SDK as well. */
const TRIED = LIBRARIES.slice(0, IS_DEEP ? undefined : 1);

describe.each(TRIED)("the terminal client on %s", (client) => {
  test.each(LIBRARIES)("shows the answer of the minimal agent on %s", async (agent) => {
    const args = ["Hello", process.execPath, ...nodeArgs(file("minimal-agent", agent))];
    const ended = await runProgram(file("terminal-client", client), ...args);
    expect(ended).toEqual({ code: 0, out: "Hello\nend_turn\n", err: "" });
  });
});

test("the examples of the official SDK, ported, talk to each other", async () => {
  const agent = [process.execPath, ...nodeArgs(file("example-agent", "ours"))];
  const ended = await runWithInput("3\n2\n", file("example-client", "ours"), ...agent);
  expect(ended).toEqual({
    code: 0,
    err: "",
    out: `Connected with version 1
I read the project first.
* Read
* Read completed
 One setting has to change.
* Change a setting
? Change a setting
  1. Allow (allow_once)
  2. Reject (reject_once)
Choose one of the numbers
* Change a setting failed
 The setting stays.
Completed with end_turn
`,
  });
});

/** A user who answers every question in one way. */
class User implements Screen {
  state: SessionState | undefined;
  readonly questions: string[] = [];

  readonly answer: string;

  constructor(answer: string) {
    this.answer = answer;
  }

  render(state: SessionState): void {
    this.state = state;
  }

  ask(title: string, options: Parameters<Screen["ask"]>[1]): Promise<string | undefined> {
    this.questions.push(title);
    return Promise.resolve(options.find(({ kind }) => kind === this.answer)?.optionId);
  }
}

const startAgent = (library: Library) => () =>
  spawnAgent(process.execPath, [...nodeArgs(file("realistic-agent", library))]);

describe.each(TRIED)("the editor with the realistic agent on %s", (library) => {
  const path = join(folder, "notes.txt");

  test("edits a file and runs a command when the user allows it", async () => {
    writeFileSync(path, "first\n");
    const user = new User("allow_once");
    const editor = new Editor(folder, user, startAgent(library));
    expect(await editor.prompt("second")).toBe("end_turn");
    expect(editor.documents.get(path)).toBe("first\nsecond\n");
    expect(user.questions).toEqual(["Edit"]);
    const calls = [...user.state!.toolCalls.values()];
    expect(calls.map(({ title, status }) => [title, status])).toEqual([
      ["Edit", "completed"],
      ["Check", "completed"],
    ]);
    expect(user.state!.plan?.entries.map(({ status }) => status)).toEqual([
      "completed",
      "completed",
    ]);
    await editor.close();
  });

  test("leaves the file unchanged when the user rejects the edit", async () => {
    const user = new User("reject_once");
    const editor = new Editor(folder, user, startAgent(library));
    expect(await editor.prompt("second")).toBe("end_turn");
    expect(editor.documents.size).toBe(0);
    expect([...user.state!.toolCalls.values()][0]?.status).toBe("failed");
    await editor.close();
  });

  test("ends a turn as cancelled", async () => {
    const user = new User("allow_once");
    const editor = new Editor(folder, user, startAgent(library));
    const abort = new AbortController();
    const turn = editor.prompt("word ".repeat(500), abort.signal);
    await vi.waitFor(() => expect(user.state).toBeDefined(), { timeout: 20_000 });
    abort.abort();
    expect(await turn).toBe("cancelled");
    await editor.close();
  });

  test("replays a session, changes its settings, and explains its errors", async () => {
    const client = createClient({
      info: { name: "test", version: "1.0.0" },
      handlers: { session: { requestPermission: () => CANCELLED } },
    });
    const connection = await client.connect(startAgent(library)());
    const place = { cwd: folder, mcpServers: [] };
    const session = await connection.newSession(place);
    await session.agent.setMode({ modeId: "code" });
    await session.agent.setConfigOption({ configId: "model", value: "large" });
    await session.prompt("second");
    const loaded = await connection.loadSession({ ...place, sessionId: session.id });
    expect(loaded.state.messages.map(({ kind }) => kind)).toEqual([
      "user_message",
      "agent_message",
    ]);
    expect(loaded.response.modes?.currentModeId).toBe("code");
    await expect(session.prompt([])).rejects.toThrow("no text");
    await expect(connection.loadSession({ ...place, sessionId: "unknown" })).rejects.toMatchObject({
      code: -32002,
    });
    connection.close();
  });
});

test("the editor loads its session again when the agent has ended", async () => {
  const sessions = new SessionStore<undefined>();
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    handlers: {
      session: {
        new: () => ({ sessionId: sessions.create(undefined) }),
        load: (_, { session }) => void session.text("Welcome back"),
        prompt: () => ({ stopReason: "end_turn" }),
      },
    },
  });
  const user = new User("allow_once");
  const ends: (() => void)[] = [];
  const editor = new Editor(folder, user, () => {
    const [near, far] = memoryTransports();
    const connection = agent.connect(far);
    ends.push(() => connection.close());
    return near;
  });
  expect(await editor.prompt("Hello")).toBe("end_turn");
  ends[0]!();
  await sleep(10);
  expect(await editor.prompt("Hello")).toBe("end_turn");
  expect(ends).toHaveLength(2);
  expect(user.state!.messages[0]?.content).toMatchObject([{ text: "Welcome back" }]);
  await editor.close();
});

describe("the agent for both versions", () => {
  const start = () => spawnAgent(process.execPath, [...nodeArgs(file("both-versions", "ours"))]);
  const ask = (params: { readonly options: readonly { readonly optionId: string }[] }) =>
    select(params.options[0]!.optionId);

  test("serves version 1", async () => {
    const client = createClient({
      info: { name: "client", version: "1.0.0" },
      handlers: { session: { requestPermission: ask } },
    });
    const connection = await client.connect(start());
    const session = await connection.newSession({ cwd: "/", mcpServers: [] });
    expect((await session.prompt("Hello")).stopReason).toBe("end_turn");
    expect(session.state.messages.at(-1)?.content).toMatchObject([{ text: "Hello" }]);
    expect([...session.state.toolCalls.values()][0]?.status).toBe("completed");
    connection.close();
  });

  test("serves version 2", async () => {
    const client = v2.createClient({
      info: { name: "client", version: "1.0.0" },
      handlers: { session: { requestPermission: ask } },
    });
    const connection = await client.connect(start());
    const session = await connection.newSession({ cwd: "/" });
    expect((await session.prompt("Hello")).stopReason).toBe("end_turn");
    expect([...session.state.toolCalls.values()][0]?.status).toBe("completed");
    connection.close();
  });
});
