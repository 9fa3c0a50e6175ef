// An agent of version 2 that speaks nothing else, as a process.
import { createAgent } from "acp-bindings/v2";
import { stdio } from "acp-bindings/stdio";

let messages = 0;
createAgent({
  info: { name: "echo", version: "2.0.0" },
  capabilities: { session: {} },
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      list: () => ({ sessions: [] }),
      resume: () => ({}),
      close: () => ({}),
      cancel: () => {},
      prompt: ({ sessionId, prompt }, { client }) => {
        const messageId = `user-${++messages}`;
        const update = (value) => client.session.update({ sessionId, update: value });
        void (async () => {
          await update({ sessionUpdate: "user_message", messageId, content: prompt });
          await update({ sessionUpdate: "state_update", state: "running" });
          for (const content of prompt)
            await update({
              sessionUpdate: "agent_message_chunk",
              messageId: `agent-${messages}`,
              content,
            });
          await update({ sessionUpdate: "notice", severity: "info", title: "Echoed" });
          await update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
        })();
        return { messageId };
      },
    },
  },
}).connect(stdio());
