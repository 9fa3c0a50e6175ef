import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ALLOW_ONCE, REJECT_ONCE, select, text, type AgentSession } from "#acp/v1";
import { connectMocks } from "#acp/v1/mocks";
import { createTerminalClient } from "./client.js";
import { converse, toPrompt } from "./converse.js";
import type { Screen } from "./screen.js";
import { createTerminals } from "./terminals.js";

/** A user who types these lines, and what they see. */
function createUser(...lines: readonly string[]): Screen & { readonly seen: string[] } {
  const seen: string[] = [];
  const left = [...lines];
  return {
    seen,
    write: (text) => void seen.push(text),
    line: (text) => void seen.push(text),
    ask: async (question) => {
      seen.push(question);
      return left.shift();
    },
    onInterrupt: () => ({ end: () => {} }),
    close: () => {},
  };
}

type Turn = (session: AgentSession) => Promise<void>;

/** Runs a conversation of the user with an agent whose turns are all the same; releases everything afterwards. */
async function runConversation(t: TestContext, user: Screen, turn: Turn): Promise<void> {
  const terminals = createTerminals();
  const mock = await connectMocks(createTerminalClient(user, terminals), {
    handlers: {
      session: {
        prompt: async (_, { session }) => {
          await turn(session);
          return { stopReason: "end_turn" };
        },
      },
    },
  });
  t.after(() => {
    mock.close();
    terminals.dispose();
  });
  await converse(mock.client, user);
}

test("the user sees the text of the agent and its stop reason", async (t) => {
  const user = createUser("Hello");
  await runConversation(t, user, (session) => session.text("Hi"));
  assert.deepEqual(user.seen, ["> ", "Hi", "[end_turn]", "> "]);
});

test("files that are mentioned are sent as links", () => {
  const [words, link] = toPrompt("look at @src/main.ts please");
  assert.deepEqual(words, text("look at @src/main.ts please"));
  assert.equal(link?.type === "resource_link" && link.name, "main.ts");
});

for (const [typed, chosen] of [
  [["Hello", "9", "2"], REJECT_ONCE],
  [["Hello", "1"], ALLOW_ONCE],
  // The input has ended, so there is nobody to agree.
  [["Hello"], REJECT_ONCE],
] as const) {
  test(`a question is answered with ${chosen.name} when the user types ${typed.slice(1).join(", ") || "nothing"}`, async (t) => {
    const answers: unknown[] = [];
    await runConversation(t, createUser(...typed), async (session) => {
      const toolCall = { toolCallId: "t1", title: "Delete everything" };
      const options = [ALLOW_ONCE, REJECT_ONCE];
      answers.push(await session.client.requestPermission({ toolCall, options }));
    });
    assert.deepEqual(answers, [select(chosen)]);
  });
}

test("the agent reads and writes files through the client", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "client-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "a.txt");
  await writeFile(path, "one\ntwo\nthree\n");
  await runConversation(t, createUser("Hello"), async ({ client: { fs } }) => {
    const part = await fs.readTextFile?.({ path, line: 2, limit: 1 });
    await fs.writeTextFile?.({ path, content: part?.content ?? "" });
    const missing = { path: join(folder, "none") };
    await assert.rejects(async () => fs.readTextFile?.(missing), /No such file/);
  });
  assert.equal(await readFile(path, "utf8"), "two");
});

test("the agent runs commands through the client, and gets the end of their output", async (t) => {
  const script = "process.stdout.write('text' + 'é'.repeat(5)); process.exitCode = 3";
  await runConversation(t, createUser("Hello"), async (session) => {
    const args = ["-e", script];
    const command = { command: process.execPath, args, outputByteLimit: 9 };
    await using terminal = await session.terminal(command);
    const exitStatus = { exitCode: 3, signal: null };
    assert.deepEqual(await terminal?.wait(), exitStatus);
    assert.deepEqual(await terminal?.output(), {
      // Nine bytes would cut a character in two.
      output: "é".repeat(4),
      truncated: true,
      exitStatus,
    });
    await terminal?.release();
    await assert.rejects(async () => terminal?.output(), /No such terminal/);
  });
});

test("the terminal of a killed command stays and reports the signal", async (t) => {
  await runConversation(t, createUser("Hello"), async (session) => {
    const args = ["-e", "setInterval(() => {}, 1000)"];
    await using terminal = await session.terminal({ command: process.execPath, args });
    await terminal?.kill();
    const exitStatus = { exitCode: null, signal: "SIGTERM" };
    assert.deepEqual(await terminal?.wait(), exitStatus);
    assert.deepEqual((await terminal?.output())?.exitStatus, exitStatus);
  });
});
