import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../../../support/paths.js";
import { listenTo } from "../../../../support/processes.js";

export const COMMAND = join(ROOT, "out/typescript/dist/bridge/command.js");

/** A start of an agent of version 2: `take(message)` gets each message, `send(message)` answers. */
const AGENT = `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (data) => {
    const lines = (rest + data).split("\\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.method === "initialize")
        send({ id: message.id, result: { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } } });
      else take(message);
    }
  });`;

export const HELLO = { id: 0, method: "initialize", params: { protocolVersion: 1 } };

/** A bridge that runs, the lines that it writes, and its exit code. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  send(message: object): void;
  /** Resolves with the messages up to the one with an id. */
  until(id: unknown): Promise<readonly { readonly [name: string]: unknown }[]>;
  readonly errors: () => string;
  readonly code: Promise<number | null>;
}

export function start(agent: string, ...options: readonly string[]): Running {
  return startRaw(["-e", AGENT + agent], "--agent", "v2", ...options);
}

/** Starts the bridge with an agent that Node runs with the given arguments. */
export function startRaw(agent: readonly string[], ...options: readonly string[]): Running {
  return startProgram([process.execPath, ...agent], ...options);
}

/** Starts the bridge with an agent that is any program. */
export function startProgram(agent: readonly string[], ...options: readonly string[]): Running {
  const child = spawn(process.execPath, [COMMAND, ...options, "--", ...agent]);
  const printed = listenTo(child);
  const messages = (): { readonly [name: string]: unknown }[] =>
    printed.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { readonly [name: string]: unknown });
  return {
    child,
    send: (message) =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    until: async (id) => {
      while (!messages().some((message) => message["id"] === id))
        await new Promise((resolve) => setTimeout(resolve, 5));
      return messages();
    },
    errors: () => printed.err,
    code: printed.ended.then(({ code }) => code),
  };
}
