import { stdio } from "acp-bindings/stdio";
import { createAgent } from "acp-bindings/v1";

const agent = createAgent({
  info: { name: "echo", version: "1.0.0" },
  handlers: {
    session: {
      new: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async ({ prompt }, { session }) => {
        for (const block of prompt) if (block.type === "text") await session.text(block);
        return { stopReason: "end_turn" };
      },
    },
  },
});
await agent.connect(stdio()).closed;
