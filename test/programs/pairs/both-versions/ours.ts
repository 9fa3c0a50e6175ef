import { defineAgent } from "acp-bindings/agent";
import { serveVersions } from "acp-bindings";
import { stdio } from "acp-bindings/stdio";

const agents = defineAgent({
  info: { name: "both", version: "1.0.0" },
  prompt: async (prompt, turn) => {
    await turn.plan([{ content: "Edit", status: "in_progress" }]);
    const call = await turn.toolCall({ title: "Edit a.ts", kind: "edit" });
    await call.update({ status: (await call.ask()) ? "completed" : "failed" });
    for (const block of prompt) if (block.type === "text") await turn.text(block.text);
  },
});
await serveVersions(agents, stdio()).closed;
