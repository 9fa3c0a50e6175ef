#!/usr/bin/env node
import { ConnectionClosedError } from "#acp/v1";
import { connect } from "#acp/remote";
import { AgentExitError, spawnAgent } from "#acp/stdio";
import { createTerminalClient } from "./client.js";
import { converse } from "./converse.js";
import { createScreen } from "./screen.js";
import { createTerminals } from "./terminals.js";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error("Say which agent to start: npm start -- <command> [arguments], or its address");
  process.exit(2);
}

const screen = createScreen();
const terminals = createTerminals();
const isRemote = /^(https?|wss?):\/\//.test(command);
const program = isRemote ? undefined : spawnAgent(command, args);

try {
  const client = createTerminalClient(screen, terminals);
  const connection = await client.connect(program ?? (await connect(command)));
  // While the user thinks about the next prompt, no call is there to fail.
  const lost = connection.closed.then(async () => {
    if (program === undefined) throw new ConnectionClosedError();
    throw new AgentExitError(await program.dispose());
  });
  await Promise.race([converse(connection, screen), lost]);
  connection.close();
} catch (error) {
  screen.line(explain(error));
  process.exitCode = 1;
} finally {
  screen.close();
  terminals.dispose();
  // A failed start has already been reported.
  await program?.dispose().catch(() => {});
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ConnectionClosedError)) return error.message;
  return error.cause instanceof Error ? error.cause.message : "The connection has ended.";
}
