import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ClientOptions, TestedClient } from "./client-cases.js";
import type { Command } from "./start-server.js";

/**
 * Starts a program that connects a stream over HTTP with its standard input and output. Its last
 * arguments are the URL and the options, as JSON. After the messages it prints a line with `end` and
 * why the stream has ended. The end of its input closes the stream.
 */
export async function startClient(
  [program, ...args]: Command,
  url: string,
  options: ClientOptions,
  env?: NodeJS.ProcessEnv,
): Promise<TestedClient> {
  const child = spawn(program, [...args, url, JSON.stringify(options)], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => {});
  const received: unknown[] = [];
  const client = {
    received,
    end: undefined as string | undefined,
    send: (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    close: () => void child.stdin.end(),
  };
  createInterface(child.stdout).on("line", (line) => {
    if (line.startsWith("end")) client.end = line.slice("end ".length);
    else received.push(JSON.parse(line));
  });
  return client;
}
