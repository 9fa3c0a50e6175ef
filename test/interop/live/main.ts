import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRecorder, tap } from "acp-bindings";
import { spawnAgent } from "acp-bindings/stdio";
import { CANCELLED, createClient, select, type ClientConnection } from "acp-bindings/v1-unstable";
import { inspect } from "../../../generators/run/inspect/inspect.js";
import { ROOT } from "../../support/paths.js";
import { AGENTS, RUNTIME, type LiveAgent } from "./agents.js";
import { startModelServer } from "./model-server.js";
import { continueSession, createSession, type Step } from "./turns.js";

// Talks to agents from npm: `npm run live`, or `npm run live -- gemini qwen`.

/** The folder of the agents, and of the recordings and logs of the last run. */
const CACHE = join(ROOT, "node_modules/.cache/acp-agents");
const STEP_MS = 60_000;

const names = process.argv.slice(2);
const model = await startModelServer();
const rows = [];
for (const name of names.length > 0 ? names : Object.keys(AGENTS)) {
  const agent = AGENTS[name];
  if (agent === undefined) throw new Error(`${name} is none of ${Object.keys(AGENTS).join(", ")}`);
  const { lines, ...row } = await tryAgent(name, agent, model.url);
  console.log([name, ...lines].join("\n  "));
  rows.push({ agent: name, ...row });
}
model.close();
console.table(rows);
process.exitCode = rows.some(({ errors }) => errors > 0) ? 1 : 0;

/** Talks to two processes of an agent, which have a home of their own, and inspects the recording. */
async function tryAgent(
  name: string,
  { id, command, setup, defects = [] }: LiveAgent,
  url: string,
) {
  const home = mkdtempSync(join(tmpdir(), "acp-live-"));
  const [cwd, TMPDIR] = [join(home, "project"), join(home, "tmp")];
  const { env, files = {} } = setup(url);
  for (const folder of [cwd, TMPDIR]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const bin = install(id);
  const PATH = [install(RUNTIME), process.env["PATH"]].join(delimiter);
  const [recording, log]: [string[], string[]] = [[], []];
  const lines: string[] = [];
  let [steps, passed, errors, noise, version] = [0, 0, 0, 0, ""];

  const fail = (title: string, error: unknown): void => {
    lines.push(`${title}: ${String(error)}`);
    if (!defects.includes(title)) errors++;
  };
  const step: Step = async (title, run) => {
    steps++;
    const late = delay(STEP_MS, undefined, { ref: false }).then(() => {
      throw new Error("no result in time");
    });
    try {
      const result = await Promise.race([run(), late]);
      passed++;
      return result;
    } catch (error) {
      fail(title, error);
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
    onError: (error, { method }) => fail(`received ${method ?? "message"}`, error),
  });
  /** Starts the agent, and ends it when the conversation is over. */
  const connect = async (converse: (connection: ClientConnection) => Promise<void>) => {
    const [program, ...args] = command.split(" ");
    const options = { cwd, env: { PATH, HOME: home, TMPDIR, ...env } };
    const stderr = (line: string): void => void log.push(`${line}\n`);
    await using agent = spawnAgent(join(bin, program!), args, { ...options, stderr });
    const recorder = createRecorder("client", (line) => recording.push(line));
    const connection = await step("initialize", () => client.connect(tap(agent, recorder)));
    if (connection === undefined) return;
    version = connection.handshake.response.agentInfo?.version ?? "";
    await converse(connection);
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

  writeFileSync(join(CACHE, `${name}.log`), log.join(""));
  const path = join(CACHE, `${name}.ndjson`);
  writeFileSync(path, recording.join(""));
  const inputs = { profiles: ["v1-unstable"] };
  const result = await inspect(createReadStream(path), { inputs });
  lines.push(...result.rules.map(({ level, rule, count }) => `${count} x ${level} ${rule}`));
  const { messages, repaired, invalid } = result;
  const findings = result.errors + result.warnings;
  const unlisted = result.rules.find(({ rule }) => rule === "unknown")?.count ?? 0;
  const counts = { messages, repaired, invalid, findings, unlisted, noise };
  return { version, passed: `${passed} of ${steps}`, ...counts, errors, lines };
}

/** Returns the folder with the commands of a package, which is installed unless it is there. */
function install(id: string): string {
  const folder = join(CACHE, id.replace("/", "-"));
  const bin = join(folder, "node_modules/.bin");
  const args = ["install", "--no-save", "--no-package-lock", "--prefix", folder, id];
  if (!existsSync(bin)) execFileSync("npm", args, { cwd: ROOT, stdio: "inherit" });
  return bin;
}
