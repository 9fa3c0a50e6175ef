import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { memoryTransports } from "#acp";
import { createAgent, type AgentContext, type PromptResponse } from "#acp/v1";
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

type Turn = (context: AgentContext, sessionId: string) => Promise<PromptResponse>;

/** Lets the user converse with an agent whose turns are all the same; ends what was started. */
async function talk(t: TestContext, user: Screen, turn: Turn): Promise<void> {
  const agent = createAgent({
    info: { name: "test", version: "0.1.0" },
    handlers: {
      session: {
        new: () => ({ sessionId: "s1" }),
        prompt: ({ sessionId }, context) => turn(context, sessionId),
        cancel: () => {},
      },
    },
  });
  const terminals = createTerminals();
  const [near, far] = memoryTransports();
  agent.connect(far);
  const connection = await createTerminalClient(user, terminals).connect(near);
  t.after(() => {
    connection.close();
    terminals.dispose();
  });
  await converse(connection, user);
}

test("what the agent says is shown, and why it stopped", async (t) => {
  const user = createUser("Hello");
  await talk(t, user, async ({ client }, sessionId) => {
    const content = { type: "text" as const, text: "Hi" };
    await client.session.update({
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return { stopReason: "end_turn" };
  });
  assert.deepEqual(user.seen, ["> ", "Hi", "[end_turn]", "> "]);
});

test("files that are mentioned are sent as links", () => {
  const [text, link] = toPrompt("look at @src/main.ts please");
  assert.deepEqual(text, { type: "text", text: "look at @src/main.ts please" });
  assert.equal(link?.type === "resource_link" && link.name, "main.ts");
});

for (const [typed, chosen] of [
  [["Hello", "9", "2"], "no"],
  [["Hello", "1"], "yes"],
  // The input has ended, so there is nobody to agree.
  [["Hello"], "no"],
] as const) {
  test(`a question is answered "${chosen}" when the user types ${typed.slice(1).join(", ") || "nothing"}`, async (t) => {
    const answers: unknown[] = [];
    await talk(t, createUser(...typed), async ({ client }, sessionId) => {
      const { outcome } = await client.session.requestPermission({
        sessionId,
        toolCall: { toolCallId: "t1", title: "Delete everything" },
        options: [
          { optionId: "yes", name: "Yes", kind: "allow_once" },
          { optionId: "no", name: "No", kind: "reject_once" },
        ],
      });
      answers.push(outcome);
      return { stopReason: "end_turn" };
    });
    assert.deepEqual(answers, [{ outcome: "selected", optionId: chosen }]);
  });
}

test("the agent reads and writes files through the client", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "client-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "a.txt");
  await writeFile(path, "one\ntwo\nthree\n");
  await talk(t, createUser("Hello"), async ({ client }, sessionId) => {
    const part = await client.fs.readTextFile?.({ sessionId, path, line: 2, limit: 1 });
    await client.fs.writeTextFile?.({ sessionId, path, content: part?.content ?? "" });
    const missing = { sessionId, path: join(folder, "none") };
    await assert.rejects(async () => client.fs.readTextFile?.(missing), /No such file/);
    return { stopReason: "end_turn" };
  });
  assert.equal(await readFile(path, "utf8"), "two");
});

test("the agent runs commands through the client, and gets the end of their output", async (t) => {
  const script = "process.stdout.write('gone' + 'é'.repeat(5)); process.exitCode = 3";
  await talk(t, createUser("Hello"), async ({ client: { terminal } }, sessionId) => {
    const created = await terminal.create?.({
      sessionId,
      command: process.execPath,
      args: ["-e", script],
      outputByteLimit: 9,
    });
    const place = { sessionId, terminalId: created?.terminalId ?? "" };
    const exitStatus = { exitCode: 3, signal: null };
    assert.deepEqual(await terminal.waitForExit?.(place), exitStatus);
    assert.deepEqual(await terminal.output?.(place), {
      // Nine bytes would cut a character in two.
      output: "é".repeat(4),
      truncated: true,
      exitStatus,
    });
    await terminal.release?.(place);
    await assert.rejects(async () => terminal.output?.(place), /No such terminal/);
    return { stopReason: "end_turn" };
  });
});

test("a command that is killed tells by which signal, and its terminal stays", async (t) => {
  await talk(t, createUser("Hello"), async ({ client: { terminal } }, sessionId) => {
    const args = ["-e", "setInterval(() => {}, 1000)"];
    const created = await terminal.create?.({ sessionId, command: process.execPath, args });
    const place = { sessionId, terminalId: created?.terminalId ?? "" };
    await terminal.kill?.(place);
    const exitStatus = { exitCode: null, signal: "SIGTERM" };
    assert.deepEqual(await terminal.waitForExit?.(place), exitStatus);
    assert.deepEqual((await terminal.output?.(place))?.exitStatus, exitStatus);
    return { stopReason: "end_turn" };
  });
});
