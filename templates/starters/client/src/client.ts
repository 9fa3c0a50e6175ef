import { createClient, Sessions, type Client } from "#acp/v1";
import { readTextFile, writeTextFile } from "./files.js";
import { askPermission } from "./permission.js";
import type { Screen } from "./screen.js";
import { showUpdate } from "./show-update.js";
import type { Terminals } from "./terminals.js";

/** A client for people at a terminal: shows what the agent does, asks them, and serves files and commands. */
export function createTerminalClient(screen: Screen, terminals: Terminals): Client {
  // Updates say what has changed; this adds them up.
  const sessions = new Sessions();
  return createClient({
    info: { name: "terminal-client", version: "0.1.0" },
    // What is advertised here must be handled below, and the other way round.
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    handlers: {
      session: {
        update: (notification) => {
          showUpdate(screen, notification.update, sessions.apply(notification));
        },
        requestPermission: (request, { signal }) =>
          askPermission(screen, request, sessions.get(request.sessionId), signal),
      },
      fs: { readTextFile, writeTextFile },
      terminal: terminals.handlers,
    },
  });
}
