import { expect, test } from "vitest";
import { memoryTransports } from "acp-bindings";
import { CANCELLED, createAgent, createClient } from "acp-bindings/v1";

const info = { name: "test", version: "1" };

test("a session that is created after its call was aborted is closed, and not deleted", async () => {
  const calls: string[] = [];
  let resolve!: () => void;
  const released = new Promise<void>((done) => (resolve = done));
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
