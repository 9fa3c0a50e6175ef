import { spawn } from "node:child_process";
import { ROOT } from "../support/paths.js";
import { listenTo, type Ended } from "../support/processes.js";

/** The arguments of Node.js that run a TypeScript program. */
export function nodeArgs(file: string): readonly string[] {
  return ["--import", "tsx", file];
}

/** Runs a TypeScript program until it ends. */
export function runProgram(file: string, ...args: readonly string[]): Promise<Ended> {
  return runWithInput("", file, ...args);
}

/** Runs a TypeScript program that reads its standard input, until it ends. */
export function runWithInput(
  input: string,
  file: string,
  ...args: readonly string[]
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeArgs(file), ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined, PAUSE_MS: "1" },
    stdio: "pipe",
  });
  child.stdin.end(input);
  return listenTo(child).ended;
}
