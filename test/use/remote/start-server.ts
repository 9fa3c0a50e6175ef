import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { ServerOptions, TestedServer } from "./server-cases.js";

export type Command = readonly [program: string, ...args: string[]];

/**
 * Starts a program that serves the agent of `remote-agent.ts` until its input ends. Its last argument
 * is the options, as JSON. It prints its port, then `opened`, `ended` or `error` for each connection
 * and each reported error; for a line with a number of milliseconds it drains the server within
 * that time, and prints `drained`, in the order of the lines.
 */
export async function startServer(
  [program, ...args]: Command,
  env?: NodeJS.ProcessEnv,
  options: ServerOptions = {},
): Promise<TestedServer> {
  const server = spawn(program, [...args, JSON.stringify(options)], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(server.stdout);
  const counts = { opened: 0, ended: 0, error: 0 };
  const drains: (() => void)[] = [];
  const [port] = (await once(lines, "line")) as [string];
  lines.on("line", (line: "opened" | "ended" | "error" | "drained") => {
    if (line === "drained") drains.shift()!();
    else counts[line]++;
  });
  return {
    port: Number(port),
    count: () => ({ ...counts }),
    drain: (time) => {
      server.stdin.write(`${time}\n`);
      return new Promise((resolve) => drains.push(resolve));
    },
    stop: () => void server.stdin.end(),
  };
}
