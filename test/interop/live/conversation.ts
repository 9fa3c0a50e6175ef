import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRecorder, tap } from "acp-bindings";
import { spawnAgent } from "acp-bindings/stdio";
import { CANCELLED, createClient, select, type ClientConnection } from "acp-bindings/v1-unstable";
import { ROOT } from "../../support/paths.js";
import { RUNTIME, type LiveAgent } from "./agents.js";
import { continueSession, createSession, type Step } from "./turns.js";

/** The folder of the agents, and of the recordings and logs of the last run. */
export const CACHE = join(ROOT, "node_modules/.cache/acp-agents");

const COMMAND = join(ROOT, "bin/acp-codegen.js");
const STEP_MS = 60_000;

/** What came of the conversations with two processes of an agent. */
export interface Conversation {
  readonly version: string;
  /** Each step by its title, and whether it passed. */
  readonly steps: readonly (readonly [title: string, passed: boolean])[];
  /** What failed, and what the client reported. */
  readonly failures: readonly { readonly title: string; readonly text: string }[];
  /** Lines on standard output that are no messages. */
  readonly noise: number;
  /** What the client sent and received, as lines of a recording. */
  readonly recording: string;
  /** What the agent wrote on standard error. */
  readonly log: string;
}

/** Returns the program and the arguments that run a command, or run it and record it in a file. */
export type Runner = (command: readonly string[]) => readonly string[];

export const directly: Runner = (command) => command;

export function recordedIn(file: string): Runner {
  const options = ["inspect", "--quiet", "--record", file, "--"];
  return (command) => [process.execPath, COMMAND, ...options, ...command];
}

/** Installs an agent, and gives it a home of its own, in which it uses the model server. */
export function prepareAgent({ id, command, setup }: LiveAgent, url: string) {
  const home = mkdtempSync(join(tmpdir(), "acp-live-"));
  const [cwd, TMPDIR] = [join(home, "project"), join(home, "tmp")];
  const { env, files = {} } = setup(url);
  for (const folder of [cwd, TMPDIR]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const [name, ...args] = command.split(" ");
  const PATH = [install(RUNTIME), process.env["PATH"]].join(delimiter);
  return {
    ...{ home, cwd, env: { PATH, HOME: home, TMPDIR, ...env } },
    command: [join(install(id), name!), ...args],
  };
}

/** Talks to two processes of an agent, which have a home of their own. */
export async function converse(agent: LiveAgent, url: string, run: Runner): Promise<Conversation> {
  const { home, cwd, env, command } = prepareAgent(agent, url);
  const [recording, log]: [string[], string[]] = [[], []];
  const steps: [title: string, passed: boolean][] = [];
  const failures: { title: string; text: string }[] = [];
  let [noise, version] = [0, ""];

  const step: Step = async (title, take) => {
    const late = delay(STEP_MS, undefined, { ref: false }).then(() => {
      throw new Error("no result in time");
    });
    try {
      const result = await Promise.race([take(), late]);
      steps.push([title, true]);
      return result;
    } catch (error) {
      steps.push([title, false]);
      failures.push({ title, text: String(error) });
      return undefined;
    }
  };
  const client = createClient({
    info: { name: "live", version: "1" },
    capabilities: { session: { configOptions: { boolean: {} } } },
    handlers: {
      session: {
        requestPermission: ({ options }) => {
          const option = options.find(({ kind }) => kind === "allow_once");
          return option === undefined ? CANCELLED : select(option);
        },
      },
    },
    onError: (error, { method }) =>
      failures.push({ title: `received ${method ?? "message"}`, text: String(error) }),
  });
  /** Starts the agent, and ends it when the conversation is over. */
  const connect = async (take: (connection: ClientConnection) => Promise<void>) => {
    const [program, ...args] = run(command);
    const options = { cwd, env };
    const stderr = (line: string): void => void log.push(`${line}\n`);
    await using running = spawnAgent(program!, args, { ...options, stderr });
    const recorder = createRecorder("client", (line) => recording.push(line));
    const connection = await step("initialize", () => client.connect(tap(running, recorder)));
    if (connection === undefined) return;
    version = connection.handshake.response.agentInfo?.version ?? "";
    await take(connection);
    noise += connection.stats.malformed;
    connection.close();
  };

  let sessionId: string | undefined;
  await connect(async (connection) => {
    sessionId = await createSession(connection, cwd, step);
  });
  if (sessionId !== undefined)
    await connect((connection) => continueSession(connection, sessionId!, cwd, step));
  // A process that the agent left behind may still write.
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
  return { version, steps, failures, noise, recording: recording.join(""), log: log.join("") };
}

/** Returns the folder with the commands of a package, which is installed unless it is there. */
function install(id: string): string {
  const folder = join(CACHE, id.replace("/", "-"));
  const bin = join(folder, "node_modules/.bin");
  const args = ["install", "--no-save", "--no-package-lock", "--prefix", folder, id];
  if (!existsSync(bin)) execFileSync("npm", args, { cwd: ROOT, stdio: "inherit" });
  return bin;
}
