import assert from "node:assert/strict";
import { test } from "node:test";
import { createAgent, RpcError } from "acp-bindings/v1";
import { connectMocks } from "acp-bindings/v1/mocks";

const agent = createAgent({
  info: { name: "tested", version: "1.0.0" },
  handlers: {
    session: {
      new: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async ({ prompt }, { session }) => {
        if (prompt.length === 0) throw RpcError.invalidParams("The prompt is empty.");
        const call = await session.toolCall({ title: "Edit", kind: "edit" });
        if (!(await call.ask())) await call.fail("The user rejected it.");
        else await call.run(() => session.client.fs.writeTextFile?.({ path: "/a", content: "x" }));
        return { stopReason: "end_turn" };
      },
    },
  },
});

test("it works with a client that has no capabilities", async () => {
  const { client, paramsOf } = await connectMocks(agent);
  const session = await client.newSession({ cwd: "/" });
  assert.equal((await session.prompt("Go")).stopReason, "end_turn");
  assert.deepEqual(paramsOf("fs/write_text_file"), []);
});

test("it writes the file when the user allows it", async () => {
  const { client, paramsOf } = await connectMocks(agent, { capabilities: "all" });
  await (await client.newSession({ cwd: "/" })).prompt("Go");
  assert.equal(paramsOf("fs/write_text_file")[0]?.content, "x");
});

test("it fails the call when the user rejects it", async () => {
  const { client } = await connectMocks(agent, { user: { permission: "reject_once" } });
  const session = await client.newSession({ cwd: "/" });
  await session.prompt("Go");
  assert.equal([...session.state.toolCalls.values()][0]?.status, "failed");
});
