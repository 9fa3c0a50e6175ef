// An agent in a worker thread.

import { parentPort } from "node:worker_threads";
import { createAgent, portTransport } from "acp-bindings/v1";

const agent = createAgent({
  info: { name: "worker", version: "1" },
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      prompt: async ({ prompt }, { session }) => {
        for (const block of prompt) if (block.type === "text") await session.text(block.text);
        return { stopReason: "end_turn" };
      },
    },
  },
});
await agent.connect(portTransport(parentPort)).closed;
