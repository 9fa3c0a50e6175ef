import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { BridgeCore, type Tables } from "../../bridge/core.js";
import { ErrorCodes } from "../../rpc/errors.js";
import { LINE_TOO_LONG, readStart } from "../../rpc/malformed-input.js";
import { claimsToBeMessage, classify, type RequestId } from "../../rpc/messages.js";
import { superviseTree, TREE_OPTIONS } from "../process-tree.js";
import { startProcess } from "../start-process.js";
import { guardStdout } from "../stdout-guard.js";
import { readArguments, type BridgeArguments } from "./arguments.js";
import { openLossLog, type LossLog } from "./loss-log.js";
import { createSink, drained, parse, readLines, type Unusable } from "./streams.js";

/** Exit codes besides those of the agent. */
const WRONG_USE = 2;
const NOT_STARTED = 3;

/** Why a program cannot be started, by the error of the system. */
const REASONS: { readonly [code: string]: string } = {
  ENOENT: "there is no such program",
  EACCES: "the file is not executable",
};
/** Why a file cannot be written. */
const FILE_REASONS: { readonly [code: string]: string } = {
  ENOENT: "there is no such folder",
  EACCES: "it is not writable",
  EISDIR: "it is a folder",
};

/** An agent that has not answered `initialize` at two of these moments is reported, in milliseconds. */
const QUIET_MS = 5000;

/** Lines of the agent that are not messages are shown so often, up to this length. */
const BAD_LINES = { most: 3, length: 80 };

/** A timer that does not keep the process alive. */
const ALONE = { ref: false };

/** How long the exit of an agent that has closed its output is waited for, to say how it ended, in milliseconds. */
const EXIT_TIME = 200;

/** How long what is open may take after the client's input, and the agent after its own, in milliseconds. */
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
    print(`acp-bridge: ${read.problem}\nRun acp-bridge --help for its options.`);
    return WRONG_USE;
  }
  let log: LossLog;
  try {
    log = openLossLog(read.losses, read.quiet ? undefined : print, print);
  } catch (error) {
    print(`acp-bridge: cannot write ${read.losses}: ${reasonIn(error, FILE_REASONS)}`);
    return NOT_STARTED;
  }
  let child: ChildProcess;
  try {
    child = startProcess(
      read.command,
      read.args,
      {},
      { ...TREE_OPTIONS, stdio: ["pipe", "pipe", "inherit"] },
    );
    if (child.pid === undefined) throw (await once(child, "error"))[0];
  } catch (error) {
    print(`acp-bridge: cannot start ${read.command}: ${reasonIn(error, REASONS)}`);
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
  /** Ends the agent, because one of the sides has closed. */
  const stop = (): void => {
    toAgent.flush();
    agentInput.end();
    setTimeout(() => tree.signal("SIGTERM"), GRACE_TIME).unref();
  };
  let hasClient = true;
  const clientEnded = (): void => {
    hasClient = false;
    core.clientClosed();
    if (!core.needsAgent) return stop();
    setTimeout(stop, GRACE_TIME).unref();
  };
  process.stdout.once("error", () => {
    core.clientClosed();
    stop();
  });
  const core = new BridgeCore({
    tables,
    agentVersion,
    isStrict: strict,
    onLoss: (loss) => log.write(loss),
    onProblem: (text) => print(`acp-bridge: ${text}`),
    send: { client: toClient.send, agent: toAgent.send },
  });
  reportSilence(core, print);
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const unread = (reason: Unusable, start: string): void => {
    const { id = null, isResponse } = readStart(start);
    if (isResponse) core.fromClient(refusal(reason, id));
    else toClient.send(refusal(reason, reason === "too-long" ? id : null));
  };
  readLines(process.stdin, {
    line: (text) =>
      core.isAside
        ? toAgent.line(text)
        : parse(text, (message) => core.fromClient(message), unread),
    broken: unread,
    end: clientEnded,
  });
  const badLine = createBadLineLog(print);
  const unusable = (reason: Unusable, start: string): void => {
    badLine(start, reason === "too-long");
    const { id, isCall, isResponse } = readStart(start);
    if (id === undefined) return;
    if (isResponse) core.fromAgent(refusal(reason, id));
    else if (isCall) toAgent.send(refusal(reason, id));
  };
  const ended = new Promise<void>((resolve) => {
    readLines(agentOutput, {
      line: (text) => {
        if (core.isAside) return toClient.line(text);
        const take = (message: unknown): void => {
          if (isNoise(message)) return badLine(text);
          core.fromAgent(message);
          if (!hasClient && agentInput.writable && !core.needsAgent) stop();
        };
        parse(text, take, unusable);
      },
      broken: unusable,
      end: resolve,
    });
    agentOutput.once("close", resolve);
  });
  // An agent that closes its output can say nothing more, even if it goes on running.
  const closed = ended.then(async () => {
    const exit = await Promise.race([exited, wait(EXIT_TIME, undefined, ALONE)]);
    const how = exit && describeExit(exit);
    if (!core.isInitialized && hasClient)
      print(`acp-bridge: the agent ended ${how ? `${how} ` : ""}before it answered initialize`);
    core.agentClosed(how);
    stop();
  });
  const exit = await exited;
  await Promise.race([closed, wait(1000, undefined, ALONE)]);
  core.agentClosed(describeExit(exit));
  toClient.flush();
  restore();
  await drained(process.stdout);
  const { code, signal } = exit;
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}

/** Reports once that an agent has not answered `initialize` for some time. */
function reportSilence(core: BridgeCore, print: (line: string) => void): void {
  let wasInitializing = false;
  const timer = setInterval(() => {
    if (core.isInitializing && wasInitializing) {
      clearInterval(timer);
      print("acp-bridge: the agent does not answer initialize");
    }
    wasInitializing = core.isInitializing;
  }, QUIET_MS);
  timer.unref();
}

/** How a process has ended, as Node says it. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function describeExit({ code, signal }: Exit): string {
  return code === null ? `by ${signal}` : `with exit code ${code}`;
}

function reasonIn(thrown: unknown, reasons: { readonly [code: string]: string }): string {
  const { code = "", message } = thrown as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/** Creates a log for lines of the agent that are not messages. */
function createBadLineLog(
  print: (line: string) => void,
): (text: string, isTooLong?: boolean) => void {
  let left = BAD_LINES.most;
  return (text, isTooLong = false) => {
    if (left === 0) return;
    const start = JSON.stringify(text.slice(0, BAD_LINES.length));
    const more = --left === 0 ? " (Others are not shown.)" : "";
    const fault = isTooLong ? "is longer than the limit of 32 MiB" : "is not a message";
    print(`acp-bridge: the agent wrote a line that ${fault}: ${start}${more}`);
  };
}

/** Returns the error that a line gets which cannot be read. */
function refusal(reason: Unusable, id: RequestId): object {
  const error =
    reason === "too-long"
      ? { code: ErrorCodes.InvalidRequest, message: LINE_TOO_LONG }
      : { code: ErrorCodes.ParseError, message: "Parse error" };
  return { jsonrpc: "2.0", id, error };
}

/** Returns whether a JSON value is the output of a logger. */
function isNoise(value: unknown): boolean {
  return !claimsToBeMessage(value) && classify(value, true).kind === "invalid";
}
