import { spawn, type ChildProcess } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { LAST_WORDS, type Channel } from "../rpc/channel.js";
import { byteChannel, type StdioOptions } from "./byte-channel.js";
import { createErrorLines } from "./error-lines.js";
import { superviseTree, TREE_OPTIONS } from "./process-tree.js";

/** How to start an agent. */
export interface SpawnOptions extends StdioOptions {
  readonly cwd?: string;
  /** The whole environment of the process; that of this process when absent. */
  readonly env?: { readonly [name: string]: string | undefined };
  /**
   * Where its standard error goes: to ours when absent, nowhere, or line by line to
   * a function. Invalid UTF-8 is shown as U+FFFD, lines over 64 Ki units come in
   * pieces, and the last ones may come after the exit.
   */
  readonly stderr?: "inherit" | "ignore" | ((line: string) => void);
  /** How long `dispose` waits before it asks more firmly, in milliseconds; 5000 when absent. */
  readonly grace?: number;
}

/**
 * An agent that runs as a child process, the first of a process group and session
 * of its own. The terminal's Ctrl-C therefore reaches this process only; the
 * group gets SIGTERM when this process ends, also by a signal. Only SIGKILL
 * cannot be noticed: the agent then sees no more than the end of its input.
 */
export interface AgentProcess extends AsyncDisposable {
  readonly channel: Channel;
  /** Absent when the process could not be started. */
  readonly pid: number | undefined;
  /**
   * Resolves with the exit code, or with the name of the signal that ended the
   * process. Rejects with an AgentStartError when it could not be started, which
   * nobody has to catch: the channel ends with the same error.
   */
  readonly exited: Promise<number | string>;
  /** Sends a signal, SIGTERM when absent, to the process and its descendants. On Windows it always ends them. */
  kill(signal?: NodeJS.Signals): void;
  /**
   * Ends the process and its descendants: ends its input; after the grace period
   * sends SIGTERM, after another one SIGKILL. May be called again.
   *
   * @returns what `exited` does
   */
  dispose(): Promise<number | string>;
}

/** A process could not be started; `cause` is the error of the system. */
export class AgentStartError extends Error {
  override readonly name = "AgentStartError";
  readonly command: string;
  /** The system's name of the reason, e.g. `ENOENT`. */
  readonly code: string | undefined;

  constructor(command: string, cwd: string | undefined, cause: NodeJS.ErrnoException) {
    const place = cwd === undefined ? "" : ` in ${cwd}`;
    super(`cannot start ${command}${place}: ${cause.message}`, { cause });
    this.command = command;
    this.code = cause.code;
  }
}

const DEFAULT_GRACE = 5000;
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Starts an agent and connects to its standard input and output.
 *
 * @throws TypeError for a command, arguments or options that no process can have, such as a null byte
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
    // The system's refusals have a number; some of them are thrown, others emitted.
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
  const channel = byteChannel(stdout, stdin, options);
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
    const grace = Math.min(options.grace ?? DEFAULT_GRACE, LONGEST_TIMER);
    stdin.end();
    // Unread output would keep it from ending.
    if (stdout.readableFlowing === null) stdout.resume();
    if (!(await settlesWithin(exited, grace))) tree.signal("SIGTERM");
    if (!(await settlesWithin(tree.ended, grace))) tree.signal("SIGKILL");
    return exited;
  };
  let ended: Promise<number | string> | undefined;
  const dispose = (): Promise<number | string> => (ended ??= end());
  return {
    channel,
    pid: child.pid,
    exited,
    kill: (signal = "SIGTERM") => tree.signal(signal),
    dispose,
    [Symbol.asyncDispose]: async () => void (await dispose()),
  };
}

/** What a process that never was looks like; `failure` says why. */
function failedAgent(failure: Promise<never>): AgentProcess {
  const ends: readonly (Readable | Writable)[] = [new PassThrough(), new PassThrough()];
  failure.catch((error: Error) => ends.forEach((end) => end.destroy(error)));
  return {
    channel: byteChannel(ends[0] as Readable, ends[1] as Writable),
    pid: undefined,
    exited: failure,
    kill: () => {},
    dispose: () => failure,
    [Symbol.asyncDispose]: async () => {},
  };
}

/**
 * Ends an output whose process has ended, as soon as nothing more comes out of
 * it: a descendant that is still alive may hold it open.
 */
function endWithoutWriter(stdout: Readable & { readonly bytesRead?: number }): void {
  const read = stdout.bytesRead;
  const check = (): void => {
    if (stdout.closed) return;
    if (stdout.readableFlowing && stdout.bytesRead === read) stdout.destroy();
    else endWithoutWriter(stdout);
  };
  // After a turn's reading, in case that the timer is late.
  setTimeout(() => setImmediate(check), LAST_WORDS).unref();
}

/** Whether a promise resolves before the time is over. */
async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const isInTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
