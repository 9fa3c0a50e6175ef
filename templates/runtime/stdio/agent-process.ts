import { spawn, type ChildProcess } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { DRAIN_TIME, type Transport, type TransportReceiver } from "../rpc/transport.js";
import { byteTransport, type StdioOptions } from "./byte-transport.js";
import { createErrorLines } from "./error-lines.js";
import { superviseTree, TREE_OPTIONS } from "./process-tree.js";

/** Options for starting an agent. */
export interface SpawnOptions extends StdioOptions {
  readonly cwd?: string;
  /** The complete environment of the process; by default that of this process. */
  readonly env?: { readonly [name: string]: string | undefined };
  /**
   * The destination of the agent's standard error: inherited by default, discarded, or passed to
   * a function line by line. Invalid UTF-8 is replaced by U+FFFD, lines of more than 64 Ki UTF-16
   * units are split, and the last lines may arrive after the exit.
   */
  readonly stderr?: "inherit" | "ignore" | ((line: string) => void);
  /** The time that `dispose` waits before each stronger signal, in milliseconds; 5000 by default. */
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
   * Sends a signal, by default SIGTERM, to the process and its descendants. On Windows, it always
   * terminates them.
   */
  kill(signal?: NodeJS.Signals): void;
  /**
   * Ends the process and its descendants: closes its input, sends SIGTERM after the grace period,
   * and SIGKILL after another one. Can be called repeatedly.
   *
   * @returns the same value as `exited`
   */
  dispose(): Promise<number | string>;
}

/** Thrown when a process could not be started; `cause` is the system's error. */
export class AgentStartError extends Error {
  override readonly name = "AgentStartError";
  readonly command: string;
  /** The system's error code, e.g. `ENOENT`. */
  readonly code: string | undefined;

  constructor(command: string, cwd: string | undefined, cause: NodeJS.ErrnoException) {
    const place = cwd === undefined ? "" : ` in ${cwd}`;
    super(`cannot start ${command}${place}: ${cause.message}`, { cause });
    this.command = command;
    this.code = cause.code;
  }
}

/**
 * The reason of a connection that ended because the agent's process did: the `cause` of the
 * ConnectionClosedError of calls that were not answered.
 */
export class AgentExitError extends Error {
  override readonly name = "AgentExitError";
  /** The exit code, or the name of the signal that ended the process. */
  readonly exit: number | string;

  constructor(exit: number | string, cause?: unknown) {
    const how = typeof exit === "number" ? `exited with code ${exit}` : `was ended by ${exit}`;
    super(`the agent ${how}`, cause === undefined ? undefined : { cause });
    this.exit = exit;
  }
}

const DEFAULT_GRACE_MS = 5000;
/** The time that the end of the output waits for the exit that explains it, in milliseconds. */
const EXIT_MS = 200;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Starts an agent and connects to its standard input and output.
 *
 * @throws TypeError for a command, arguments or options that are invalid for any process, such as
 *   a null byte
 */
export function spawnAgent(
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): AgentProcess {
  const { cwd, env, stderr = "inherit" } = options;
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      ...TREE_OPTIONS,
      stdio: ["pipe", "pipe", typeof stderr === "function" ? "pipe" : stderr],
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
    });
  } catch (error) {
    // The system's errors have a number; some of them are thrown, others emitted.
    if (!(error instanceof Error && "errno" in error)) throw error;
    return failedAgent(
      Promise.reject(new AgentStartError(command, cwd, error as NodeJS.ErrnoException)),
    );
  }
  if (child.pid !== undefined) return runningAgent(child, options);
  for (const stream of child.stdio ?? []) stream?.destroy();
  const failed = new Promise<never>((_, reject) => {
    child.once("error", (error) => reject(new AgentStartError(command, cwd, error)));
  });
  return failedAgent(failed);
}

function runningAgent(child: ChildProcess, options: SpawnOptions): AgentProcess {
  const [stdin, stdout] = [child.stdin!, child.stdout!];
  const transport = byteTransport(stdout, stdin, options);
  const tree = superviseTree(child);
  const exited = new Promise<number | string>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  void exited.then(() => endWithoutWriter(stdout));
  if (typeof options.stderr === "function") {
    const lines = createErrorLines(options.stderr);
    child.stderr!.on("data", lines.push).once("end", lines.end);
  }
  const end = async (): Promise<number | string> => {
    const graceMs = Math.min(options.graceMs ?? DEFAULT_GRACE_MS, LONGEST_TIMER_MS);
    stdin.end();
    // Unread output would keep the process from ending.
    if (stdout.readableFlowing === null) stdout.resume();
    if (!(await settlesWithin(exited, graceMs))) tree.signal("SIGTERM");
    if (!(await settlesWithin(tree.ended, graceMs))) tree.signal("SIGKILL");
    return exited;
  };
  let ended: Promise<number | string> | undefined;
  const dispose = (): Promise<number | string> => (ended ??= end());
  const start = (receiver: TransportReceiver): void => {
    const close = async (error?: unknown): Promise<void> => {
      if (!(await settlesWithin(exited, EXIT_MS))) return receiver.close(error);
      receiver.close(new AgentExitError(await exited, error));
    };
    transport.start({
      message: (value) => receiver.message(value),
      invalid: (...input) => receiver.invalid(...input),
      close: (error) => void close(error),
    });
  };
  return {
    ...transport,
    start,
    pid: child.pid,
    exited,
    kill: (signal = "SIGTERM") => tree.signal(signal),
    dispose,
    [Symbol.asyncDispose]: async () => void (await dispose()),
  };
}

/** Returns an agent whose process could not be started; `failure` is the reason. */
function failedAgent(failure: Promise<never>): AgentProcess {
  const ends: readonly (Readable | Writable)[] = [new PassThrough(), new PassThrough()];
  failure.catch((error: Error) => ends.forEach((end) => end.destroy(error)));
  return {
    ...byteTransport(ends[0] as Readable, ends[1] as Writable),
    pid: undefined,
    exited: failure,
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
