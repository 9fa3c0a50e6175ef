import { memoryTransports, type Note } from "acp-bindings";
import { createAgent, createClient, type ClientHandlers } from "acp-bindings/v1";
import { expect, test } from "vitest";

const handlers: ClientHandlers = {
  session: {
    update: () => {},
    requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
  },
};

/** An agent whose prompt runs what it is given, and a client that talks to it. */
function connected(
  prompt: (send: (update: object) => Promise<void>) => Promise<void>,
  client: Parameters<typeof createClient>[0],
): ReturnType<ReturnType<typeof createClient>["connect"]> {
  const [near, far] = memoryTransports();
  createAgent({
    info: { name: "agent", version: "1" },
    // It sends what this version would not.
    checkOutgoing: false,
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        prompt: async (_, { client }) => {
          await prompt((update) =>
            client.session.update({ sessionId: "s", update: update as never }),
          );
          return { stopReason: "end_turn" };
        },
        cancel: () => {},
      },
    },
  }).connect(far);
  return createClient(client).connect(near);
}

test("repairable values are repaired before a handler receives them, and reported", async () => {
  const seen: unknown[] = [];
  const notes: Note[] = [];
  const entry = { content: "Do", priority: "high", status: "pending" };
  const connection = await connected(
    (send) => send({ sessionUpdate: "plan", entries: [entry, 5] }),
    {
      info: { name: "client", version: "1" },
      handlers: {
        session: { ...handlers.session, update: ({ update }) => void seen.push(update) },
      },
      onNotes: (items, { method }) => {
        expect(method).toBe("session/update");
        notes.push(...items);
      },
    },
  );
  await connection.agent.session.prompt({ sessionId: "s", prompt: [] });
  expect(seen).toEqual([{ sessionUpdate: "plan", entries: [entry] }]);
  expect(notes.map(({ pointer, rule }) => [pointer, rule])).toEqual([
    ["/update/entries/1", "skip-invalid-items"],
  ]);
  connection.close();
});
