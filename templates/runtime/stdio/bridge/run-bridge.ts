import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { BridgeCore, type Tables } from "../../bridge/core.js";
import { ErrorCodes } from "../../rpc/errors.js";
import { createLineReader, type LineReceiver } from "../../rpc/transports/lines.js";
import { createThrottle } from "../../rpc/transports/throttle.js";
import { createLineWriter, type LineWriter } from "../line-writer.js";
import { superviseTree, TREE_OPTIONS } from "../process-tree.js";
import { guardStdout } from "../stdout-guard.js";
import { readArguments, USAGE, type BridgeArguments } from "./arguments.js";
import { openLossLog, type LossLog } from "./loss-log.js";

/** Exit codes besides those of the agent. */
const WRONG_USE = 2;
const NOT_STARTED = 3;

/** Why a program cannot be started, by the error of the system. */
const REASONS: { readonly [code: string]: string } = {
  ENOENT: "there is no such program",
  EACCES: "the file is not executable",
};

/** Lines of the agent that are not messages are shown so often, up to this length. */
const BAD_LINES = { most: 3, length: 80 };

/** Reading from one side pauses while more bytes than this are unwritten to the other. */
const MOST_UNWRITTEN = 1024 * 1024;

/** The time between closing the agent's input and ending it, in milliseconds. */
const GRACE_TIME = 5000;

/**
 * Runs the command `acp-bridge`.
 *
 * @returns the exit code: that of the agent, 2 for wrong use, 3 when it cannot be started
 */
export async function runBridgeCommand(given: readonly string[], tables: Tables): Promise<number> {
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  const read = readArguments(given);
  if ("help" in read) {
    process.stdout.write(read.help);
    return 0;
  }
  if ("problem" in read) {
    print(`acp-bridge: ${read.problem}\n\n${USAGE}`);
    return WRONG_USE;
  }
  let log: LossLog;
  try {
    log = openLossLog(read.losses, read.quiet ? undefined : print);
  } catch (error) {
    print(`acp-bridge: cannot write ${read.losses}: ${(error as Error).message}`);
    return NOT_STARTED;
  }
  const child = spawn(read.command, [...read.args], {
    ...TREE_OPTIONS,
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (child.pid === undefined) {
    const [error] = (await once(child, "error")) as [NodeJS.ErrnoException];
    const reason = REASONS[error.code ?? ""] ?? error.message;
    print(`acp-bridge: cannot start ${read.command}: ${reason}`);
    return NOT_STARTED;
  }
  try {
    return await connect(child, read, tables, log, print);
  } finally {
    log.close();
  }
}

async function connect(
  child: ChildProcess,
  { agentVersion, strict }: BridgeArguments,
  tables: Tables,
  log: LossLog,
  print: (line: string) => void,
): Promise<number> {
  const tree = superviseTree(child);
  const restore = guardStdout();
  const [agentInput, agentOutput] = [child.stdin!, child.stdout!];
  const toAgent = createSink(agentInput, process.stdin);
  const toClient = createSink(process.stdout, agentOutput);
  const core = new BridgeCore({
    tables,
    agentVersion,
    isStrict: strict,
    onLoss: (loss) => log.write(loss),
    send: { client: toClient.send, agent: toAgent.send },
  });
  const exited = new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
  readLines(process.stdin, {
    line: (text) =>
      core.isAside
        ? toAgent.line(text)
        : parse(
            text,
            (message) => core.fromClient(message),
            () => toClient.send(PARSE_ERROR),
          ),
    broken: () => toClient.send(PARSE_ERROR),
    end: () => {
      core.clientClosed();
      toAgent.flush();
      agentInput.end();
      setTimeout(() => tree.signal("SIGTERM"), GRACE_TIME).unref();
    },
  });
  const badLine = createBadLineLog(print);
  const ended = new Promise<void>((resolve) => {
    readLines(agentOutput, {
      line: (text) =>
        core.isAside
          ? toClient.line(text)
          : parse(
              text,
              (message) => core.fromAgent(message),
              () => badLine(text),
            ),
      broken: (_reason, start) => badLine(start),
      end: resolve,
    });
    agentOutput.once("close", resolve);
  });
  const code = await exited;
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
  core.agentClosed();
  toClient.flush();
  restore();
  await drained(process.stdout);
  return code;
}

/** Creates a log for lines of the agent that are not messages. */
function createBadLineLog(print: (line: string) => void): (text: string) => void {
  let left = BAD_LINES.most;
  return (text) => {
    if (left === 0) return;
    const start = JSON.stringify(text.slice(0, BAD_LINES.length));
    const more = --left === 0 ? " (Others are not shown.)" : "";
    print(`acp-bridge: the agent wrote a line that is not a message: ${start}${more}`);
  };
}

const PARSE_ERROR = {
  jsonrpc: "2.0",
  id: null,
  error: { code: ErrorCodes.ParseError, message: "Parse error" },
};

function parse(text: string, take: (message: unknown) => void, refuse: () => void): void {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refuse();
  }
  take(message);
}

/** An output for messages, which pauses the input that fills it. */
function createSink(
  output: Writable,
  input: Readable,
): {
  readonly send: (message: object) => void;
  readonly line: (text: string) => void;
  readonly flush: LineWriter["flush"];
} {
  output.on("error", () => {});
  const writer = createLineWriter(output, () => throttle.update());
  const throttle = createThrottle({
    limit: MOST_UNWRITTEN,
    unsent: () => writer.unsent(),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
  });
  const line = (text: string): void => {
    writer.write(`${text}\n`).catch(() => {});
    throttle.update();
  };
  return { send: (message) => line(JSON.stringify(message)), line, flush: () => writer.flush() };
}

function readLines(
  input: Readable,
  {
    line,
    broken,
    end,
  }: {
    readonly line: (text: string) => void;
    readonly broken: LineReceiver["broken"];
    readonly end: () => void;
  },
): void {
  const reader = createLineReader({ line, broken });
  input.on("data", (chunk: Buffer) => reader.push(chunk));
  input.on("error", end);
  input.once("end", () => {
    reader.end();
    end();
  });
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.writableLength === 0 || output.destroyed) resolve();
    else output.once("drain", resolve).once("close", resolve);
  });
}
