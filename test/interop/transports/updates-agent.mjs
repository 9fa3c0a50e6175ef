// An agent that sends 20,000 updates in one turn; runs on Node.js, Bun and Deno.
import { stdio } from "acp-bindings/stdio";
import { createAgent } from "acp-bindings/v1";

const agent = createAgent({
  info: { name: "updates", version: "1" },
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      cancel: () => {},
      prompt: async ({ sessionId }, { client }) => {
        for (let index = 0; index < 20_000; index++) {
          const content = { type: "text", text: String(index) };
          const sent = client.session.update({
            sessionId,
            update: { sessionUpdate: "agent_message_chunk", content },
          });
          if (index % 100 === 0) await sent;
        }
        return { stopReason: "end_turn" };
      },
    },
  },
});
await agent.connect(stdio()).closed;
