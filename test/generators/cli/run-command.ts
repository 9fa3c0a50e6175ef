import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../../generators/cli/program.js";
import { ROOT } from "../../support/paths.js";
import { runToEnd, type Ended } from "../../support/processes.js";

/** Arguments of Node.js that run the compiled command, which the test run has built. */
export const NODE_ARGS: readonly string[] = [join(ROOT, "dist/cli/main.js")];

export interface RunOptions {
  /** The repository when absent. */
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Runs the command in this process, whose folder and environment it changes: one run at a time. */
export async function runCommand(
  args: readonly string[],
  { cwd = ROOT, env = {} }: RunOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const before = { cwd: process.cwd(), env: process.env };
  process.chdir(cwd);
  process.env = commandEnv(env);
  try {
    const code = await main(args, { stdin: Readable.from([]), stdout, stderr });
    return { code, out: stdout.text, err: stderr.text };
  } finally {
    process.chdir(before.cwd);
    process.env = before.env;
  }
}

class Collector extends Writable {
  text = "";
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Returns standard error without the lines that a slow machine prints about how far it is. */
export function withoutProgress(err: string): string {
  return err.replace(/^(pages of|files written|\d+ %).*\n/gm, "");
}

/** Runs the command in a process of its own, as a user does. */
export function spawnCommand(args: readonly string[], { cwd = ROOT, env }: RunOptions = {}): Ended {
  return runToEnd(process.execPath, [...NODE_ARGS, ...args], { cwd, env: commandEnv(env) });
}

/** Starts the command; the caller waits for it or ends it. */
export function startCommand(
  args: readonly string[],
  { cwd = ROOT, env }: RunOptions = {},
): ChildProcess {
  return spawn(process.execPath, [...NODE_ARGS, ...args], { cwd, env: commandEnv(env) });
}

function commandEnv(env: RunOptions["env"]): NodeJS.ProcessEnv {
  const { GITHUB_ACTIONS: _, ...own } = process.env;
  return { ...own, NO_COLOR: "1", ...env };
}
