import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { expect } from "vitest";
import { scriptOf } from "../interop/scripts/script-of.js";
import {
  CLIENTS,
  LIBRARIES,
  playClient,
  serveAgent,
  type Library,
  type PlayedAgent,
} from "../interop/transports/libraries.js";
import { ROOT } from "../support/paths.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";
import { remoteTest, runPython } from "./run-python.js";

/** A program that hangs fails its test, in milliseconds. */
const TIME_LIMIT = 60_000;

interface Program {
  /** Resolves with the first line that it prints. */
  readonly firstLine: Promise<string>;
  /** Resolves with what it has printed on standard error, or with how it has ended. */
  readonly ended: Promise<readonly string[]>;
}

type Player = Library | "python";

/** Starts the player of a script; see programs/player.py. */
function startPlayer(profile: string, ...args: readonly string[]): Program {
  const program = join(ROOT, "test/python/programs/player.py");
  const [side, ...others] = args;
  const child = spawn(PYTHON, ["-W", "error", program, side!, profile, ...others], {
    timeout: TIME_LIMIT,
    env: { ...PYTHON_ENV, SCRIPT: JSON.stringify(scriptOf(profile).script) },
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, "close").then(([code]) =>
    code === 0 && errors === "" ? [] : [`exit code ${code}`, ...errors.trim().split("\n")],
  );
  const lines = createInterface(child.stdout);
  const firstLine = Promise.race([
    once(lines, "line").then(([line]) => String(line)),
    ended.then((problems) => Promise.reject(new Error(problems.join("\n")))),
  ]);
  // A client prints nothing.
  firstLine.catch(() => {});
  return { firstLine, ended };
}

async function servePythonAgent(profile: string): Promise<PlayedAgent> {
  const { firstLine, ended } = startPlayer(profile, "agent", "serve");
  return { url: `http://127.0.0.1:${await firstLine}/acp`, finish: () => ended };
}

function playPythonClient(profile: string, kind: string, url: string): Promise<readonly string[]> {
  return startPlayer(profile, "client", kind, url).ended;
}

const PAIRS: readonly { readonly client: Player; readonly agent: Player }[] = [
  ...LIBRARIES.flatMap((library) => [
    { client: "python" as const, agent: library },
    { client: library, agent: "python" as const },
  ]),
  { client: "python", agent: "python" },
];

const CONVERSATIONS = PAIRS.flatMap((pair) =>
  Object.keys(CLIENTS).flatMap((kind) =>
    ["v1", "v2"].map((profile) => ({ ...pair, kind, profile })),
  ),
);

remoteTest.each(CONVERSATIONS)(
  "over $kind, a client on $client and an agent on $agent play the whole script of $profile",
  async ({ client, agent, kind, profile }) => {
    const played =
      agent === "python"
        ? await servePythonAgent(profile)
        : await serveAgent(profile, { serves: agent, agent });
    const problems =
      client === "python"
        ? await playPythonClient(profile, kind, played.url)
        : await playClient(profile, played.url, { kind, opens: client, client });
    expect(problems).toEqual([]);
    expect(await played.finish()).toEqual([]);
  },
);

remoteTest("an agent in an application of FastAPI has clients over both transports", () => {
  const run = ["-W", "error", "test/python/programs/users/remote.py"];
  expect(runPython(run)).toEqual({ code: 0, out: "", err: "" });
});
