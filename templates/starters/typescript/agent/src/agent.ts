import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAgent, SessionStore } from "#acp/v1";
import { appendToFile, type EditPolicy } from "./append-to-file.js";

const sessions = new SessionStore<EditPolicy>();

/**
 * An agent that repeats the prompt, word by word, and appends it to the files that the prompt
 * mentions.
 */
export const agent = createAgent({
  info: { name: "echo-agent", version: "0.1.0" },
  handlers: {
    session: {
      new: () => ({ sessionId: sessions.create({ mayEdit: false }) }),
      prompt: async ({ prompt }, { session }) => {
        const policy = sessions.get(session.id);
        // Every agent receives text and links to resources.
        const text = prompt
          .flatMap((block) => (block.type === "text" ? block.text : []))
          .join("\n");
        const files = prompt.flatMap((block) =>
          block.type === "resource_link" && block.uri.startsWith("file:") ? block.uri : [],
        );
        await session.stream(words(text));
        for (const file of files) await appendToFile(session, fileURLToPath(file), text, policy);
        return { stopReason: "end_turn" };
      },
    },
  },
});

/** Yields text as a model does: in many small chunks. */
async function* words(text: string): AsyncGenerator<string> {
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
    yield word;
    await sleep(10);
  }
}
