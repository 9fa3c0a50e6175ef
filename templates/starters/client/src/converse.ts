import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { RpcError } from "#acp";
import type { ClientConnection, ContentBlock } from "#acp/v1";
import type { Screen } from "./screen.js";

/**
 * Opens a session in the current folder and sends what the user types, line by
 * line, until the input ends. Ctrl-C cancels the turn; pressed again, it ends the connection.
 *
 * @throws the connection's error when it has ended
 */
export async function converse(connection: ClientConnection, screen: Screen): Promise<void> {
  const { agent } = connection;
  const { sessionId } = await agent.session.new({ cwd: process.cwd(), mcpServers: [] });
  for (;;) {
    const line = await screen.ask("> ");
    if (line === undefined) return;
    if (line.trim() === "") continue;
    let isCancelled = false;
    const interruptible = screen.onInterrupt(() => {
      if (isCancelled) return connection.close();
      isCancelled = true;
      void agent.session.cancel({ sessionId });
    });
    try {
      const { stopReason } = await agent.session.prompt({ sessionId, prompt: toPrompt(line) });
      screen.line(`[${stopReason}]`);
    } catch (error) {
      // The agent has answered with an error; the next prompt may do better.
      if (!(error instanceof RpcError)) throw error;
      screen.line(`The agent answered with an error: ${error.message} (${error.code})`);
    } finally {
      interruptible.end();
    }
  }
}

/** What was typed, and a link to every file that is mentioned as `@path`. */
export function toPrompt(line: string): ContentBlock[] {
  const links = [...line.matchAll(/(?<=^|\s)@(\S+)/g)].map(([, path = ""]): ContentBlock => {
    const place = resolve(path);
    return { type: "resource_link", name: basename(place), uri: pathToFileURL(place).href };
  });
  return [{ type: "text", text: line }, ...links];
}
