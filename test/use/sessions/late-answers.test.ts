import { expect, test } from "vitest";
import { memoryTransports } from "acp-bindings";
import { CANCELLED, createAgent, createClient } from "acp-bindings/v1";

const info = { name: "test", version: "1" };

test("a session that is created after its call was aborted is closed, and not deleted", async () => {
  const { calls, released, resolve } = record();
  const client = createClient({
    info,
    handlers: { session: { requestPermission: () => CANCELLED } },
  });
  const [left, right] = memoryTransports();
  createAgent({
    info,
    handlers: {
      session: {
        new: async () => {
          await released;
          return { sessionId: "late" };
        },
        prompt: () => ({ stopReason: "end_turn" }),
        list: () => ({ sessions: [] }),
        delete: ({ sessionId }) => void calls.push(`delete ${sessionId}`),
        close: ({ sessionId }) => void calls.push(`close ${sessionId}`),
      },
    },
  }).connect(left);
  const connection = await client.connect(right);
  const controller = new AbortController();
  const session = connection.newSession({ cwd: "/" }, { signal: controller.signal });
  controller.abort("enough");
  await expect(session).rejects.toBe("enough");
  resolve();
  await expect.poll(() => calls).toEqual(["close late"]);
  connection.close();
});

test("a terminal that is created after its turn was cancelled is released", async () => {
  const { calls, released, resolve } = record();
  const client = createClient({
    info,
    handlers: {
      session: { requestPermission: () => CANCELLED },
      terminal: {
        create: async () => {
          calls.push("create");
          await released;
          return { terminalId: "t" };
        },
        release: ({ terminalId }) => void calls.push(`release ${terminalId}`),
        output: () => ({ output: "", truncated: false }),
        waitForExit: () => ({}),
        kill: () => ({}),
      },
    },
  });
  const [left, right] = memoryTransports();
  createAgent({
    info,
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        prompt: async (_, { session }) => {
          await session.terminal({ command: "npm" });
          return { stopReason: "end_turn" };
        },
      },
    },
  }).connect(left);
  const connection = await client.connect(right);
  const session = await connection.newSession({ cwd: "/" });
  const turn = session.prompt("go");
  await expect.poll(() => calls).toEqual(["create"]);
  await session.cancel();
  expect((await turn).stopReason).toBe("cancelled");
  resolve();
  await expect.poll(() => calls).toEqual(["create", "release t"]);
  connection.close();
});

function record(): {
  readonly calls: string[];
  readonly released: Promise<void>;
  readonly resolve: () => void;
} {
  let resolve!: () => void;
  const released = new Promise<void>((done) => (resolve = done));
  return { calls: [], released, resolve };
}
