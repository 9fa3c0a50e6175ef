import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { isAbsolute } from "node:path";
import { prepareCommand, type ProcessPlace } from "#acp/stdio";
import { RpcError } from "#acp/v1";
import type { ClientTerminalHandlers, CreateTerminalRequest, TerminalExitStatus } from "#acp/v1";
import { createOutputBuffer, type OutputBuffer } from "./output-buffer.js";

/** The commands that agents have started. */
export interface Terminals {
  /** The methods `terminal/*`. */
  readonly handlers: ClientTerminalHandlers;
  /** Ends whatever still runs. */
  dispose(): void;
}

/** A command, from `terminal/create` to `terminal/release`. */
interface Terminal {
  readonly sessionId: string;
  readonly child: ChildProcess;
  readonly output: OutputBuffer;
  /** How it ended, once it has. */
  exitStatus?: TerminalExitStatus;
  readonly exited: Promise<TerminalExitStatus>;
}

/** Where an agent says nothing else, this many bytes of output are kept. */
const DEFAULT_BYTE_LIMIT = 1024 * 1024;

export function createTerminals(): Terminals {
  const terminals = new Map<string, Terminal>();
  const find = ({ sessionId, terminalId }: { sessionId: string; terminalId: string }): Terminal => {
    const terminal = terminals.get(terminalId);
    if (terminal?.sessionId === sessionId) return terminal;
    throw RpcError.resourceNotFound("No such terminal", { terminalId });
  };
  return {
    handlers: {
      create: async (request) => {
        const terminalId = crypto.randomUUID();
        terminals.set(terminalId, await startTerminal(request));
        return { terminalId };
      },
      output: (request) => {
        const { output, exitStatus } = find(request);
        return { ...output.read(), ...(exitStatus !== undefined && { exitStatus }) };
      },
      waitForExit: (request) => find(request).exited,
      // The terminal stays: its output and how it ended can be asked for.
      kill: (request) => signal(find(request), "SIGTERM"),
      release: (request) => {
        signal(find(request), "SIGKILL");
        terminals.delete(request.terminalId);
      },
    },
    dispose: () => {
      for (const terminal of terminals.values()) signal(terminal, "SIGKILL");
      terminals.clear();
    },
  };
}

/** @throws RpcError when the command cannot be started */
async function startTerminal({
  sessionId,
  command,
  args = [],
  env = [],
  cwd,
  outputByteLimit,
}: CreateTerminalRequest): Promise<Terminal> {
  if (cwd != null && !isAbsolute(cwd)) {
    throw RpcError.invalidParams("The path is not absolute");
  }
  const child = spawnCommand(command, args, {
    cwd: cwd ?? process.cwd(),
    env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
  });
  const output = createOutputBuffer(outputByteLimit ?? DEFAULT_BYTE_LIMIT);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.add(text));
  }
  const exited = new Promise<TerminalExitStatus>((resolve) => {
    // Later than "exit": all of the output has been read.
    child.once("close", (exitCode, name) => {
      resolve((terminal.exitStatus = { exitCode, signal: name }));
    });
  });
  const terminal: Terminal = { sessionId, child, output, exited };
  try {
    await once(child, "spawn");
  } catch (error) {
    throw RpcError.invalidParams((error as Error).message);
  }
  return terminal;
}

/** On Windows, this also starts what npm installs. */
function spawnCommand(command: string, args: readonly string[], place: ProcessPlace) {
  try {
    const prepared = prepareCommand(command, args, place);
    return spawn(prepared.file, [...prepared.args], {
      ...prepared.options,
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, so that what it has started can be ended with it.
      detached: process.platform !== "win32",
    });
  } catch (error) {
    throw RpcError.invalidParams((error as Error).message);
  }
}

/** Signals the command and what it has started. */
function signal({ child, exitStatus }: Terminal, name: NodeJS.Signals): void {
  if (exitStatus !== undefined || child.pid === undefined) return;
  if (process.platform === "win32") return void child.kill(name);
  try {
    process.kill(-child.pid, name);
  } catch {
    // They have all just ended.
  }
}
