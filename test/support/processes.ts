import { spawnSync, type ChildProcess, type SpawnSyncOptions } from "node:child_process";
import { once } from "node:events";

/** How a process ended, and what it printed. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What a process has printed so far, and how it ended. */
export interface Printed {
  out: string;
  err: string;
  readonly ended: Promise<Ended>;
}

/** Reads what a process prints until it ends; it may end before it has read its input. */
export function listenTo(child: ChildProcess): Printed {
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed.err += text));
  child.stdin?.on("error", () => {});
  const ended = once(child, "close").then(([code]) => {
    const { out, err } = printed;
    return { code: code as number | null, out, err };
  });
  const printed: Printed = { out: "", err: "", ended };
  return printed;
}

/** Runs a program until it ends. */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}
