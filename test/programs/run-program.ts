import { spawn } from "node:child_process";
import { ROOT } from "../support/paths.js";

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

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
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeArgs(file), ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined, PAUSE_MS: "1" },
      stdio: "pipe",
    });
    child.stdin.end(input);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
