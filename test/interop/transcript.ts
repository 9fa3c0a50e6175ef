import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Transform } from "node:stream";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PYTHON_ENV } from "../python/python-env.js";
import { ROOT } from "../support/paths.js";
import { scriptOf } from "./scripts/script-of.js";

export type Side = "client" | "agent";

/** The library that a peer is written with, or a program that plays. */
export type Library = "bindings" | "sdk" | "python" | { readonly command: string };

/** One line that one side wrote. */
export interface Entry {
  readonly from: Side;
  readonly line: string;
}

/** How a process ended, and what it printed on standard error. */
export interface Exit {
  readonly code: number | null;
  readonly errors: string;
}

/** A conversation of two processes. */
export interface Recording {
  readonly transcript: readonly Entry[];
  /** How the client ended, and how the agent. */
  readonly exits: readonly [Exit, Exit];
}

/**
 * Lets a client and an agent, each a process, play the script of a profile until
 * both have ended, and listens in.
 */
export async function recordScript(
  profile: string,
  libraries: { readonly client: Library; readonly agent: Library },
): Promise<Recording> {
  const client = startPlayer(libraries.client, "client", profile);
  return listenIn(client, startPlayer(libraries.agent, "agent", profile));
}

/** Lets two programs, a client and an agent, talk until both have ended, and listens in. */
export function recordPrograms(client: string, agent: string): Promise<Recording> {
  return listenIn(listen(client, []), listen(agent, []));
}

async function listenIn(client: Started, agent: Started): Promise<Recording> {
  const transcript: Entry[] = [];
  client.child.stdout.pipe(tap("client", transcript)).pipe(agent.child.stdin);
  agent.child.stdout.pipe(tap("agent", transcript)).pipe(client.child.stdin);
  // One side may have ended when the other still sends.
  for (const { child } of [client, agent]) child.stdin.on("error", () => {});
  return { transcript, exits: await Promise.all([client.exited, agent.exited]) };
}

function startPlayer(library: Library, side: Side, profile: string): Started {
  const SCRIPT = JSON.stringify(scriptOf(profile).script);
  if (typeof library === "object")
    return listen(library.command, [side], { ...process.env, SCRIPT });
  if (library !== "python")
    return start("script.mjs", [library, side, profile], { ...process.env, SCRIPT });
  const env = { ...PYTHON_ENV, SCRIPT };
  return listen("python3", [join(ROOT, "test/python/programs/player.py"), side, profile], env);
}

/** A process whose output is read. */
interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<Exit>;
}

function start(script: string, args: readonly string[] = [], env?: NodeJS.ProcessEnv): Started {
  const path = fileURLToPath(new URL(`peers/${script}`, import.meta.url));
  return listen(process.execPath, [path, ...args], env);
}

function listen(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Started {
  // A conversation that has got stuck ends with the code null.
  const child = spawn(command, args, { timeout: 60_000, ...(env !== undefined && { env }) });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "close").then(([code]) => ({ code: code as number | null, errors }));
  return { child, exited };
}

/** Passes bytes on as they come and notes each whole line. */
function tap(from: Side, transcript: Entry[]): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const bytes = Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        transcript.push({ from, line: bytes.toString("utf8", start, end) });
        start = end + 1;
      }
      rest = bytes.subarray(start);
      done(null, chunk);
    },
  });
}
