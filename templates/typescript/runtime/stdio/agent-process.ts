import type { ChildProcess } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { AcpError } from "../acp-error.js";
import {
  DRAIN_TIME,
  SENT,
  type Transport,
  type TransportReceiver,
} from "../rpc/transports/transport.js";
import { byteTransport, type StdioOptions } from "./byte-transport.js";
import { CommandNotFoundError } from "./command-line.js";
import { createErrorLines } from "./error-lines.js";
import { superviseTree, TREE_OPTIONS } from "./process-tree.js";
import * as sentences from "../sentences.js";
import { checkSettings, type Kinds } from "../rpc/require-argument.js";
import { explainMissing, startProcess, type ProcessPlace } from "./start-process.js";

/** Options for starting an agent. */
export interface SpawnOptions extends StdioOptions {
  /** The folder of the process, also for a relative command; by default that of this process. */
  readonly cwd?: string;
  /**
   * Variables that are added to the environment of this process; `undefined` removes one. With
   * `inheritEnv: false`, they are the whole environment.
   */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Whether the agent gets the environment of this process; true by default. */
  readonly inheritEnv?: boolean;
  /**
   * The destination of the agent's standard error: inherited by default, discarded, or passed to
   * a function line by line. Invalid UTF-8 is replaced by U+FFFD, lines of more than 64 Ki UTF-16
   * units are split, and the last lines may arrive after the exit.
   */
  readonly stderr?: "inherit" | "ignore" | ((line: string) => void);
  /** The time before each stronger signal, once the connection has ended, in milliseconds; 5000 by default. */
  readonly graceMs?: number;
}

/**
 * The transport to an agent that runs as a child process, as the leader of its own process group and session.
 * Ctrl-C in the terminal therefore reaches only this process; the group receives SIGTERM when
 * this process ends, also when a signal ends it. SIGKILL cannot be intercepted: the agent then
 * only sees the end of its input.
 */
export interface AgentProcess extends Transport, AsyncDisposable {
  /** Absent when the process could not be started. */
  readonly pid: number | undefined;
  /**
   * Resolves with the exit code, or with the name of the signal that ended the process. Rejects
   * with an AgentStartError when it could not be started; callers need not handle the rejection
   * since the transport ends with the same error.
   */
  readonly exited: Promise<number | string>;
  /**
   * Returns a signal for one call, such as `client.connect` or `newSession`, which is aborted with an
   * AgentSilentError when the agent has written nothing for a time: neither messages nor, if they are
   * passed to a function, lines of standard error. An agent that installs itself, and says so, thus
   * gets the time that it needs.
   *
   * @param ms the time in milliseconds, which every line renews
   * @throws AcpError for anything but a positive number
   */
  silence(ms: number): AbortSignal;
  /**
   * Sends a signal, by default SIGTERM, to the process and its descendants. On Windows, it always
   * terminates them.
   */
  kill(signal?: NodeJS.Signals): void;
  /**
   * Ends the process and its descendants: closes its input, sends SIGTERM after the grace period,
   * and SIGKILL after another one. The end of the connection calls it as well, so that this only
   * waits. Can be called repeatedly.
   *
   * @returns the same value as `exited`
   */
  dispose(): Promise<number | string>;
}

/**
 * Thrown when a process could not be started; `cause` is the system's error. The message says
 * which files were searched for, and where.
 */
export class AgentStartError extends AcpError {
  override readonly name = "AgentStartError";
  readonly command: string;
  /** The system's error code, e.g. `ENOENT`. */
  readonly code: string | undefined;

  constructor(command: string, place: ProcessPlace, cause: NodeJS.ErrnoException) {
    const where = place.cwd === undefined ? "" : ` in ${place.cwd}`;
    const isMissing = cause.code === "ENOENT" && cause.syscall !== undefined;
    const reason = (isMissing && explainMissing(command, place)) || cause.message;
    super(`cannot start ${command}${where}: ${reason}`, undefined, { cause });
    this.command = command;
    this.code = cause.code;
  }
}

/**
 * The reason of a connection that ended because the agent's process did: the `cause` of the
 * ConnectionClosedError of calls that were not answered.
 */
export class AgentExitError extends AcpError {
  override readonly name = "AgentExitError";
  /** The exit code, or the name of the signal that ended the process. */
  readonly exit: number | string;
  /** The last line of its standard error, if that is passed to a function. */
  readonly lastError: string | undefined;

  constructor(exit: number | string, cause?: unknown, lastError?: string) {
    const how = typeof exit === "number" ? sentences.exited(`${exit}`) : `was ended by ${exit}`;
    const text = sentences.agentEnded(how, lastError?.slice(0, MOST_SHOWN) ?? "");
    super(text, undefined, cause === undefined ? undefined : { cause });
    this.exit = exit;
    this.lastError = lastError;
  }
}

/** The reason of a signal of `silence`: the agent has written nothing for its time. */
export class AgentSilentError extends AcpError {
  override readonly name = "AgentSilentError";
  /** The last line of its standard error, if that is passed to a function. */
  readonly lastError: string | undefined;

  constructor(ms: number, lastError?: string) {
    super(sentences.agentSilent(`${ms / 1000}`, lastError?.slice(0, MOST_SHOWN) ?? ""));
    this.lastError = lastError;
  }
}

const DEFAULT_GRACE_MS = 5000;
/** The time that the end of the output waits for the exit that explains it, in milliseconds. */
const EXIT_MS = 200;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What Node.js prints behind an error: the trace, the properties of the error, its own version. */
const TRACE = /^(\s+(at |\w+:)|\}|Node\.js v)/;
/** The length of a line of standard error in a message, in UTF-16 units. */
const MOST_SHOWN = 200;

const OPTIONS: Kinds = {
  stderr: undefined,
  cwd: "a string",
  env: "an object",
  inheritEnv: "true or false",
  graceMs: sentences.timeSetting,
  maxLineBytes: sentences.countSetting,
};

/**
 * Starts an agent and connects to its standard input and output. On Windows, this also starts
 * the batch files that npm installs, such as `npx`; the current folder is not searched for them.
 *
 * @throws AcpError for an option of a wrong type
 * @throws TypeError for a command, arguments or options that are invalid for any process, such as
 *   a null byte, or for a batch file, such as a line break
 */
export function spawnAgent(
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): AgentProcess {
  checkSettings("", options, OPTIONS);
  const { stderr = "inherit" } = options;
  let child: ChildProcess;
  try {
    child = startProcess(command, args, options, {
      ...TREE_OPTIONS,
      stdio: ["pipe", "pipe", typeof stderr === "function" ? "pipe" : stderr],
    });
  } catch (error) {
    // The system's errors have a code; some of them are thrown, others emitted.
    if (!isSystemError(error)) throw error;
    return failedAgent(Promise.reject(new AgentStartError(command, options, error)));
  }
  if (child.pid !== undefined) return runningAgent(child, options);
  for (const stream of child.stdio ?? []) stream?.destroy();
  const failed = new Promise<never>((_, reject) => {
    child.once("error", (error) => reject(new AgentStartError(command, options, error)));
  });
  return failedAgent(failed);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof CommandNotFoundError || (error instanceof Error && "errno" in error);
}

function runningAgent(child: ChildProcess, options: SpawnOptions): AgentProcess {
  const [stdin, stdout] = [child.stdin!, child.stdout!];
  const transport = byteTransport(stdout, stdin, options);
  const tree = superviseTree(child);
  const exited = new Promise<number | string>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  void exited.then(() => endWithoutWriter(stdout));
  const errors = readErrors(child, options.stderr);
  const end = async (): Promise<number | string> => {
    const graceMs = Math.min(options.graceMs ?? DEFAULT_GRACE_MS, LONGEST_TIMER_MS);
    stdin.end();
    // Unread output would keep the process from ending.
    if (stdout.readableFlowing === null) stdout.resume();
    if (!(await settlesWithin(exited, graceMs))) tree.signal("SIGTERM");
    if (!(await settlesWithin(tree.ended, graceMs))) tree.signal("SIGKILL");
    return exited;
  };
  let active = performance.now();
  const silence = (ms: number): AbortSignal => {
    if (typeof ms !== "number" || !(ms > 0))
      throw new AcpError(
        `silence needs a positive number, not ${String(ms)}: agent.silence(10_000)`,
      );
    const controller = new AbortController();
    active = performance.now();
    const check = (): void => {
      const left = Math.max(active, errors.active()) + ms - performance.now();
      if (left > 0) setTimeout(check, Math.min(left, LONGEST_TIMER_MS)).unref();
      else controller.abort(new AgentSilentError(ms, errors.last()));
    };
    check();
    return controller.signal;
  };
  let ended: Promise<number | string> | undefined;
  const dispose = (): Promise<number | string> => (ended ??= end());
  let resolveClosed: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  const start = (receiver: TransportReceiver): void => {
    closed = new Promise((resolve) => (resolveClosed = resolve));
    const close = async (error?: unknown): Promise<void> => {
      const isOver = await settlesWithin(exited, EXIT_MS);
      if (isOver) await settlesWithin(errors.ended, EXIT_MS);
      receiver.close(isOver ? new AgentExitError(await exited, error, errors.last()) : error);
      resolveClosed?.();
    };
    transport.start({
      message: (value) => {
        active = performance.now();
        receiver.message(value);
      },
      invalid: (...input) => {
        active = performance.now();
        receiver.invalid(...input);
      },
      close: (error) => void close(error),
    });
  };
  /** The exit explains why a message could not be written, so the connection ends first. */
  const send = (message: object): Promise<void> => {
    const sent = transport.send(message);
    if (sent === SENT) return sent;
    const explained = sent.catch(async (error: unknown) => {
      await closed;
      throw error;
    });
    explained.catch(() => {});
    return explained;
  };
  return {
    start,
    send,
    unsent: transport.unsent!,
    close: () => {
      transport.close();
      resolveClosed?.();
      void dispose();
    },
    pid: child.pid,
    exited,
    silence,
    kill: (signal = "SIGTERM") => tree.signal(signal),
    dispose,
    [Symbol.asyncDispose]: async () => void (await dispose()),
  };
}

/** The standard error of a process. */
interface Errors {
  readonly ended: Promise<void>;
  /** Returns the last line that is not empty. */
  last(): string | undefined;
  /** Returns the time of the last line, as `performance.now()` gives it. */
  active(): number;
}

/** Passes the lines of standard error to a function, if there is one. */
function readErrors(child: ChildProcess, take: SpawnOptions["stderr"]): Errors {
  if (typeof take !== "function") return { ended: SENT, last: () => undefined, active: () => 0 };
  let last: string | undefined;
  let active = 0;
  const lines = createErrorLines((line) => {
    if (!TRACE.test(line)) last = line.trim() || last;
    active = performance.now();
    take(line);
  });
  const ended = new Promise<void>((resolve) => {
    child.stderr!.on("data", lines.push).once("end", () => {
      lines.end();
      resolve();
    });
  });
  return { ended, last: () => last, active: () => active };
}

/** Returns an agent whose process could not be started; `failure` is the reason. */
function failedAgent(failure: Promise<never>): AgentProcess {
  const ends: readonly (Readable | Writable)[] = [new PassThrough(), new PassThrough()];
  failure.catch((error: Error) => ends.forEach((end) => end.destroy(error)));
  return {
    ...byteTransport(ends[0] as Readable, ends[1] as Writable),
    pid: undefined,
    exited: failure,
    silence: () => new AbortController().signal,
    kill: () => {},
    dispose: () => failure,
    [Symbol.asyncDispose]: async () => {},
  };
}

/**
 * Ends the output of an exited process once no more data arrives: a descendant that is still
 * running may keep it open.
 */
function endWithoutWriter(stdout: Readable & { readonly bytesRead?: number }): void {
  const read = stdout.bytesRead;
  const check = (): void => {
    if (stdout.closed) return;
    if (stdout.readableFlowing && stdout.bytesRead === read) stdout.destroy();
    else endWithoutWriter(stdout);
  };
  // The check runs after the reads of its turn, in case the timer is late.
  setTimeout(() => setImmediate(check), DRAIN_TIME).unref();
}

/** Returns whether a promise resolves within a time. */
async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const isInTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
