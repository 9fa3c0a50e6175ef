import assert from "node:assert/strict";
import { test } from "node:test";
import { resourceLink, text } from "#acp/v1";
import { connectMocks } from "#acp/v1/mocks";
import { agent } from "./agent.js";

test("it repeats the prompt", async () => {
  const mock = await connectMocks(agent);
  const session = await mock.client.newSession({ cwd: "/" });
  assert.equal((await session.prompt("Hello, old friend")).stopReason, "end_turn");
  assert.deepEqual(session.state.messages[0]?.content, [text("Hello, old friend")]);
  mock.close();
});

for (const [permission, content, status] of [
  ["allow_once", "first\nsecond\n", "completed"],
  ["reject_once", "first", "failed"],
] as const) {
  test(`a file that is mentioned is ${status === "failed" ? "left alone" : "edited"} after ${permission}`, async () => {
    const files = new Map([["/notes.txt", "first"]]);
    const mock = await connectMocks(agent, {
      user: { permission },
      handlers: {
        fs: {
          readTextFile: ({ path }) => ({ content: files.get(path) ?? "" }),
          writeTextFile: ({ path, content }) => void files.set(path, content),
        },
      },
    });
    const session = await mock.client.newSession({ cwd: "/" });
    await session.prompt([text("second"), resourceLink("file:///notes.txt")]);
    assert.equal(files.get("/notes.txt"), content);
    const [toolCall] = session.state.toolCalls.values();
    assert.equal(toolCall?.status, status);
    mock.close();
  });
}

test("without the client's files, the edit fails and the turn does not", async () => {
  const mock = await connectMocks(agent, { capabilities: "none" });
  const session = await mock.client.newSession({ cwd: "/" });
  const turn = session.prompt([text("second"), resourceLink("file:///notes.txt")]);
  assert.equal((await turn).stopReason, "end_turn");
  const [toolCall] = session.state.toolCalls.values();
  assert.equal(toolCall?.status, "failed");
  mock.close();
});

test("a cancelled turn ends as cancelled", async () => {
  const mock = await connectMocks(agent);
  const session = await mock.client.newSession({ cwd: "/" });
  const turn = session.prompt("word ".repeat(500));
  turn.cancel();
  assert.equal((await turn).stopReason, "cancelled");
  mock.close();
});
