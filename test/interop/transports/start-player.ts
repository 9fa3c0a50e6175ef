import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { scriptOf } from "../scripts/script-of.js";
import type { PlayedAgent } from "./libraries.js";

/** A program that hangs fails its test, in milliseconds. */
const TIME_LIMIT = 60_000;

/** A program in another language that plays a side of a script, which it has in SCRIPT. */
export interface PlayerProgram {
  /** Returns the command with its arguments, for `agent serve` or `client <kind> <url>`. */
  readonly command: (profile: string, side: string, ...others: string[]) => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

interface Started {
  /** Resolves with the first line that it prints. */
  readonly firstLine: Promise<string>;
  /** Resolves with what it has printed on standard error, or with how it has ended. */
  readonly ended: Promise<readonly string[]>;
}

function start({ command, env }: PlayerProgram, profile: string, ...args: string[]): Started {
  const [program, ...others] = command(profile, args[0]!, ...args.slice(1));
  const child = spawn(program!, others, {
    timeout: TIME_LIMIT,
    env: { ...(env ?? process.env), SCRIPT: JSON.stringify(scriptOf(profile).script) },
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, "close").then(([code]) =>
    code === 0 && errors === "" ? [] : [`exit code ${code}`, ...errors.trim().split("\n")],
  );
  const firstLine = Promise.race([
    once(createInterface(child.stdout), "line").then(([line]) => String(line)),
    ended.then((problems) => Promise.reject(new Error(problems.join("\n")))),
  ]);
  // A client prints nothing.
  firstLine.catch(() => {});
  return { firstLine, ended };
}

/** Serves an agent, whose program prints its port. */
export async function serveProgram(program: PlayerProgram, profile: string): Promise<PlayedAgent> {
  const { firstLine, ended } = start(program, profile, "agent", "serve");
  return { url: `http://127.0.0.1:${await firstLine}/acp`, finish: () => ended };
}

/** Plays a client, and returns what did not go as the script says. */
export function playProgram(
  program: PlayerProgram,
  profile: string,
  kind: string,
  url: string,
): Promise<readonly string[]> {
  return start(program, profile, "client", kind, url).ended;
}
