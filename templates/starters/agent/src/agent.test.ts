import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryTransports } from "#acp";
import {
  createClient,
  type ClientConnection,
  type ClientSession,
  type ContentBlock,
} from "#acp/v1";
import { agent } from "./agent.js";

/** Connects a client with one file, whose user chooses the option with an id. */
async function startClient(optionId: string): Promise<{
  readonly connection: ClientConnection;
  readonly session: ClientSession;
  readonly files: Map<string, string>;
}> {
  const files = new Map([["/notes.txt", "first"]]);
  const client = createClient({
    info: { name: "test", version: "0.1.0" },
    handlers: {
      session: { requestPermission: () => ({ outcome: { outcome: "selected", optionId } }) },
      fs: {
        readTextFile: ({ path }) => ({ content: files.get(path) ?? "" }),
        writeTextFile: ({ path, content }) => void files.set(path, content),
      },
    },
  });
  const [near, far] = memoryTransports();
  agent.connect(far);
  const connection = await client.connect(near);
  return { connection, session: await connection.newSession({ cwd: "/" }), files };
}

const notes: ContentBlock = { type: "resource_link", name: "notes", uri: "file:///notes.txt" };

test("it repeats the prompt", async () => {
  const { connection, session } = await startClient("reject_once");
  assert.equal((await session.prompt("Hello, old friend")).stopReason, "end_turn");
  const content = [{ type: "text", text: "Hello, old friend" }];
  assert.deepEqual(session.state.messages[0]?.content, content);
  connection.close();
});

for (const [answer, content, status] of [
  ["allow_once", "first\nsecond\n", "completed"],
  ["reject_once", "first", "failed"],
] as const) {
  test(`a file that is mentioned is ${status === "failed" ? "left alone" : "edited"} after ${answer}`, async () => {
    const { connection, session, files } = await startClient(answer);
    await session.prompt([{ type: "text", text: "second" }, notes]);
    assert.equal(files.get("/notes.txt"), content);
    const [toolCall] = session.state.toolCalls.values();
    assert.equal(toolCall?.status, status);
    connection.close();
  });
}

test("a cancelled turn ends as cancelled", async () => {
  const { connection, session } = await startClient("reject_once");
  const turn = session.prompt("word ".repeat(500));
  await session.cancel();
  assert.equal((await turn).stopReason, "cancelled");
  connection.close();
});
