import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryTransports } from "#acp";
import { createClient, Sessions, type ClientConnection, type ContentBlock } from "#acp/v1";
import { agent } from "./agent.js";

/** A client with one file, whose user answers questions with `answer`. */
async function startClient(answer: string): Promise<{
  readonly connection: ClientConnection;
  readonly sessionId: string;
  readonly sessions: Sessions;
  readonly files: Map<string, string>;
}> {
  const sessions = new Sessions();
  const files = new Map([["/notes.txt", "first"]]);
  const client = createClient({
    info: { name: "test", version: "0.1.0" },
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    handlers: {
      session: {
        update: (notification) => void sessions.apply(notification),
        requestPermission: () => ({ outcome: { outcome: "selected", optionId: answer } }),
      },
      fs: {
        readTextFile: ({ path }) => ({ content: files.get(path) ?? "" }),
        writeTextFile: ({ path, content }) => {
          files.set(path, content);
          return {};
        },
      },
    },
  });
  const [near, far] = memoryTransports();
  agent.connect(far);
  const connection = await client.connect(near);
  const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
  return { connection, sessionId, sessions, files };
}

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const notes: ContentBlock = { type: "resource_link", name: "notes", uri: "file:///notes.txt" };

test("it repeats what it is told", async () => {
  const { connection, sessionId, sessions } = await startClient("no");
  const prompt = [text("Hello, old friend")];
  const { stopReason } = await connection.agent.session.prompt({ sessionId, prompt });
  assert.equal(stopReason, "end_turn");
  assert.deepEqual(sessions.get(sessionId)?.messages[0]?.content, prompt);
  connection.close();
});

for (const [answer, content, status] of [
  ["once", "first\nsecond\n", "completed"],
  ["no", "first", "failed"],
] as const) {
  test(`a file that is mentioned is ${status === "failed" ? "left alone" : "edited"} when the user answers "${answer}"`, async () => {
    const { connection, sessionId, sessions, files } = await startClient(answer);
    await connection.agent.session.prompt({ sessionId, prompt: [text("second"), notes] });
    assert.equal(files.get("/notes.txt"), content);
    const [toolCall] = sessions.get(sessionId)?.toolCalls.values() ?? [];
    assert.equal(toolCall?.status, status);
    connection.close();
  });
}

test("a turn that is cancelled ends as cancelled", async () => {
  const { connection, sessionId } = await startClient("no");
  const turn = connection.agent.session.prompt({ sessionId, prompt: [text("word ".repeat(500))] });
  await connection.agent.session.cancel({ sessionId });
  assert.equal((await turn).stopReason, "cancelled");
  connection.close();
});
