import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RpcError } from "#acp";
import { createAgent, type AgentContext, type received } from "#acp/v1";
import { appendToFile, type EditPolicy } from "./append-to-file.js";

/** What this agent remembers of each session. */
const sessions = new Map<string, EditPolicy>();

/**
 * An agent that repeats what it is told, word by word, and appends it to the
 * files that the prompt mentions. `initialize` it answers by itself.
 */
export const agent = createAgent({
  info: { name: "echo-agent", version: "0.1.0" },
  handlers: {
    session: {
      new: () => {
        const sessionId = crypto.randomUUID();
        sessions.set(sessionId, { mayEdit: false });
        return { sessionId };
      },
      prompt: async ({ sessionId, prompt }, context) => {
        const policy = sessions.get(sessionId);
        if (policy === undefined) {
          throw RpcError.resourceNotFound("No such session", { sessionId });
        }
        const text = textOf(prompt);
        await echo(sessionId, text, context);
        for (const path of mentionedFiles(prompt)) {
          await appendToFile({ sessionId, path, text }, policy, context);
        }
        return { stopReason: "end_turn" };
      },
      // Nothing is left to do: the signals of the turn are aborted already, and however it ends
      // now, its stop reason is `cancelled`.
      cancel: () => {},
    },
  },
});

/** Streams text as a model does: many small chunks of one message. */
async function echo(
  sessionId: string,
  text: string,
  { client, signal }: AgentContext,
): Promise<void> {
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
    await client.session.update({
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: word } },
    });
    await sleep(10, undefined, { signal });
  }
}

/** A prompt is a list of content blocks. Every agent gets text and links to resources. */
function textOf(prompt: readonly received.ContentBlock[]): string {
  return prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function mentionedFiles(prompt: readonly received.ContentBlock[]): string[] {
  return prompt
    .flatMap((block) => (block.type === "resource_link" ? [block.uri] : []))
    .filter((uri) => uri.startsWith("file:"))
    .map((uri) => fileURLToPath(uri));
}
