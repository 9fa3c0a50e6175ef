import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { resourceLink, RpcError, text } from "#acp/v1";
import type { ClientConnection, ContentBlock } from "#acp/v1";
import type { Screen } from "./screen.js";

/**
 * Opens a session in the current folder and sends what the user types, line by
 * line, until the input ends. Ctrl-C cancels the turn; pressed again, it ends the connection.
 *
 * @throws the connection's error when it has ended
 */
export async function converse(connection: ClientConnection, screen: Screen): Promise<void> {
  const session = await connection.newSession({ cwd: process.cwd() });
  for (;;) {
    const line = await screen.ask("> ");
    if (line === undefined) return;
    if (line.trim() === "") continue;
    let isCancelled = false;
    const interruptible = screen.onInterrupt(() => {
      if (isCancelled) return connection.close();
      isCancelled = true;
      void session.cancel();
    });
    try {
      const { stopReason } = await session.prompt(toPrompt(line));
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

/** Returns the typed line, and a link to every file that it mentions as `@path`. */
export function toPrompt(line: string): ContentBlock[] {
  const files = [...line.matchAll(/(?<=^|\s)@(\S+)/g)].map(([, path = ""]) => resolve(path));
  return [
    text(line),
    ...files.map((file) => resourceLink(pathToFileURL(file).href, basename(file))),
  ];
}
