import { createClient, type Client } from "#acp/v1";
import { readTextFile, writeTextFile } from "./files.js";
import { askPermission } from "./permission.js";
import type { Screen } from "./screen.js";
import { showUpdate } from "./show-update.js";
import type { Terminals } from "./terminals.js";

/**
 * Creates a client for people at a terminal: it shows what the agent does, asks them, and provides
 * files and commands.
 */
export function createTerminalClient(screen: Screen, terminals: Terminals): Client {
  return createClient({
    info: { name: "terminal-client", version: "0.1.0" },
    // A handler advertises its capability.
    handlers: {
      session: {
        // An update says what has changed; the state of the session adds them up.
        update: ({ update }, { session }) => showUpdate(screen, update, session?.state),
        requestPermission: (request, { session, signal }) =>
          askPermission(screen, request, session?.state, signal),
      },
      fs: { readTextFile, writeTextFile },
      terminal: terminals.handlers,
    },
  });
}
