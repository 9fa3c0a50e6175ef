import {
  CANCELLED,
  createAgent,
  createClient,
  memoryTransports,
} from "./generated/typescript/src/pinned/index.js";

const pinned = new Set<string>();
const agent = createAgent({
  info: { name: "pins", version: "1.0.0" },
  handlers: {
    session: {
      new: () => ({ sessionId: crypto.randomUUID() }),
      prompt: () => ({ stopReason: "end_turn" }),
      pin: ({ sessionId, pinned: isPinned }) =>
        void (isPinned ? pinned.add(sessionId) : pinned.delete(sessionId)),
    },
  },
});
const client = createClient({
  info: { name: "editor", version: "1.0.0" },
  handlers: { session: { requestPermission: () => CANCELLED } },
});

const [near, far] = memoryTransports();
agent.connect(far);
await using connection = await client.connect(near);
const session = await connection.newSession({ cwd: "/" });
await session.agent.pin?.({ pinned: true });
console.log(pinned.has(session.id));
