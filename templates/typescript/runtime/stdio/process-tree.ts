import { spawnSync, type ChildProcess } from "node:child_process";
import { systemProgram } from "./command-line.js";

/** The first interval for polling whether a group is empty, in milliseconds. */
const FIRST_WAIT = 10;
const LONGEST_WAIT = 1000;

/** A process that was started with `detached` (not on Windows), and its descendants. */
export interface ProcessTree {
  /** Sends a signal to all of them. On Windows, which has no signals, it terminates them. */
  signal(name: NodeJS.Signals): void;
  /** Resolves when all of them have ended; on Windows, when the process has. */
  readonly ended: Promise<void>;
}

/** Options of `spawn` that make the process the leader of its own process group. */
export const TREE_OPTIONS: { readonly detached: boolean } = {
  detached: process.platform !== "win32",
};

/** Sends a signal to a tree, 0 for none; returns whether it has members. */
export type SendToTree = (pid: number, name: NodeJS.Signals | 0) => boolean;

/**
 * Supervises the tree of a process: sends SIGTERM to the remaining descendants when the process
 * ends, and to the whole tree when this process ends. Descendants that started their own session,
 * as daemons do, are not part of the tree.
 *
 * @param child a process that has started
 */
export function superviseTree(
  child: ChildProcess,
  send: SendToTree = process.platform === "win32" ? endTree : signalGroup,
): ProcessTree {
  const pid = child.pid!;
  let hasEnded = false;
  const signal = (name: NodeJS.Signals | 0): boolean => !hasEnded && send(pid, name);
  const forget = onProcessExit(() => signal("SIGTERM"));

  const ended = new Promise<void>((resolve) => {
    const finish = (): void => {
      // From now on, another process may have the same id.
      hasEnded = true;
      forget();
      resolve();
    };
    const poll = (wait: number): void => {
      const next = Math.min(wait * 2, LONGEST_WAIT);
      setTimeout(() => (signal(0) ? poll(next) : finish()), wait).unref();
    };
    child.once("exit", () => {
      if (process.platform !== "win32" && signal("SIGTERM")) poll(FIRST_WAIT);
      else finish();
    });
  });
  return { signal: (name) => void signal(name), ended };
}

/** Returns whether the group has members, including those that their parent has not yet reaped. */
function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, name);
  } catch {
    // ESRCH: the group is empty; macOS reports EPERM when all members have ended.
    return false;
  }
}

function endTree(pid: number): boolean {
  // By its path, because the current folder may have a program of this name.
  const taskkill = systemProgram("taskkill.exe", process.env["SystemRoot"]);
  const { status } = spawnSync(taskkill, ["/pid", String(pid), "/T", "/F"], {
    stdio: "ignore",
    windowsHide: true,
  });
  return status === 0;
}

/** Signals that end a process without listeners for them. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const hooks = new Set<() => void>();

/**
 * Runs a synchronous function when this process ends: regularly, by `process.exit`, by an
 * uncaught error, or by a signal without other listeners. SIGKILL and crashes of the engine are
 * not detected.
 *
 * @returns removes the hook; the last one also removes the listeners of this module
 */
function onProcessExit(hook: () => void): () => void {
  if (hooks.size === 0) {
    process.on("exit", runHooks);
    for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  }
  hooks.add(hook);
  return () => {
    if (hooks.delete(hook) && hooks.size === 0) removeListeners();
  };
}

function runHooks(): void {
  for (const hook of hooks) hook();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) {
    runHooks();
    removeListeners();
    // Restores the default: the signal ends the process.
    process.kill(process.pid, signal);
    return;
  }
  // Another listener decides; when it exits, the `exit` listener runs the hooks. Some listeners
  // end the process only when they are the only one, and two of that kind would ignore the
  // signal, so this listener is removed for the current tick.
  process.off(signal, onSignal);
  process.nextTick(() => {
    if (hooks.size > 0) process.prependListener(signal, onSignal);
  });
}

function removeListeners(): void {
  process.off("exit", runHooks);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
