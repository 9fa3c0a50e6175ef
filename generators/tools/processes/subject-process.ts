import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { onShutdown } from "../../run/cleanup.js";
import { usageError } from "../../run/messages.js";
import { startError } from "../../run/start-error.js";
import { loadProcessModule } from "./process-module.js";
import { programOf } from "./remote-program.js";

/** The end of a process: its exit code, or the name of the signal that ended it. */
export type ProcessEnd = number | string;

/** How much of the standard error of a subject is kept for the report, in characters. */
const KEPT_ERRORS = 2000;

/** The longest line that is waited for, in characters; a longer one is taken in pieces. */
const LONGEST = 8 * 1024 * 1024;

/** How long a process may take to start, in milliseconds. */
const START_MS = 10_000;

/** A program that runs, usually a process. */
export interface Program {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  once(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  kill(signal: NodeJS.Signals): unknown;
}

/** A subject that runs: lines in, lines out. */
export class SubjectProcess {
  /** The exit code or signal; undefined while the process runs. */
  end: ProcessEnd | undefined;
  readonly #child: Program;
  readonly #killAll: () => void;
  readonly #lines: string[] = [];
  #rest = "";
  #errors = "";
  /** Those who wait for a line or an end. */
  readonly #waiting = new Set<() => void>();
  #isOver = false;
  /** Removes the task that ends the process when a signal ends this one. */
  readonly #forget: () => void;

  /** @param killAll ends the program and everything that it has started */
  constructor(child: Program, killAll: () => void) {
    this.#child = child;
    this.#killAll = killAll;
    this.#forget = onShutdown(killAll);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => this.#receive(text));
    child.stdout.on("close", () => {
      this.#isOver = true;
      this.#wake();
    });
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_ERRORS);
    });
    child.once("exit", (code, signal) => {
      this.end = code ?? signal ?? "unknown";
      this.#wake();
    });
    // A subject that ends does not read what is sent to it.
    child.stdin.on("error", () => {});
  }

  /** Whether the output has ended: nothing more will come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The last of what the subject wrote to standard error. */
  get errors(): string {
    return this.#errors.trim();
  }

  write(bytes: string | Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  output(change: "pause" | "resume" | "close"): void {
    const { stdout } = this.#child;
    if (change === "close") stdout.destroy();
    else stdout[change]();
  }

  /** Returns the next line; undefined when none comes within a time, or the output has ended. */
  async line(milliseconds: number): Promise<string | undefined> {
    await this.#until(() => this.#lines.length > 0 || this.#isOver, milliseconds);
    return this.#lines.shift();
  }

  /** Returns whether the process ends within a time. */
  ended(milliseconds: number): Promise<boolean> {
    return this.#until(() => this.end !== undefined, milliseconds);
  }

  /** Ends the process and those that it has started, however they are. */
  async kill(): Promise<void> {
    this.#killAll();
    this.#forget();
    await this.ended(START_MS);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    if (this.#rest.length > LONGEST) {
      lines.push(this.#rest);
      this.#rest = "";
    }
    this.#lines.push(...lines.filter((line) => line.trim() !== ""));
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Waits until a condition holds; returns whether it does. */
  async #until(holds: () => boolean, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      if (holds()) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, left);
        this.#waiting.add(wake);
      });
    }
  }
}

const hasGroups = process.platform !== "win32";

function killGroup(child: ChildProcess): void {
  if (!hasGroups) {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // The whole group has ended.
  }
}

/**
 * Starts a subject, or connects to the one at an address.
 *
 * @throws InputError for an empty command; OutputError when the program cannot be started
 */
export async function startSubject(command: readonly string[]): Promise<SubjectProcess> {
  if (!command[0]?.trim())
    throw usageError("no command is given", "Give a program and its arguments, as a list.");
  const [program = "", ...args] = programOf(command);
  // A group of its own, so that what a script such as `npx` starts ends with it.
  const { startProcess } = await loadProcessModule();
  const options = { stdio: "pipe", detached: hasGroups } as const;
  const child = startProcess(program, args, {}, options) as ChildProcessWithoutNullStreams;
  const subject = new SubjectProcess(child, () => killGroup(child));
  await once(child, "spawn").catch((error: Error) => {
    throw startError(command[0]!, error);
  });
  return subject;
}
