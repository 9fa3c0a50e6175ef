import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect } from "vitest";
import { loadProtocols } from "../generators/model/parts/profiles.js";
import { scriptOf } from "../interop/scripts/script-of.js";
import {
  CLIENTS,
  playClient,
  serveAgent,
  type PlayedAgent,
} from "../interop/transports/libraries.js";
import { ROOT } from "../support/paths.js";
import { printPlayer } from "./build-player.js";
import {
  buildRemote,
  lacksLibraries,
  remoteTest,
  remoteText,
  testRemote,
  writeRemote,
} from "./build-remote.js";
import { temporaryFolder } from "./go-test.js";

const folder = temporaryFolder();

/** A program that hangs fails its test, in milliseconds. */
const TIME_LIMIT = 60_000;

const PAIRS = [
  ["go", "bindings"],
  ["bindings", "go"],
  ["go", "go"],
  ["go", "sdk"],
  ["sdk", "go"],
] as const;

describe.each(["v1", "v2"])("the whole script of %s", (profile) => {
  const { script } = scriptOf(profile);
  let program = "";
  beforeAll(() => {
    if (lacksLibraries) return;
    const protocol = loadProtocols().find((one) => one.profile === profile)!;
    const files = { ...printPlayer(protocol, script), "remote.go": remoteText("player.go") };
    program = buildRemote(folder, `player-${profile}`, files);
  }, 300_000);

  /** Starts the player; returns its first line, and what is left to say at its end. */
  function start(...args: readonly string[]) {
    const child = spawn(program, args, {
      timeout: TIME_LIMIT,
      env: { ...process.env, SCRIPT: JSON.stringify(script) },
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const finish = async (): Promise<readonly string[]> => {
      const code = child.exitCode ?? ((await once(child, "close"))[0] as number);
      return code === 0 && errors === "" ? [] : [`exit code ${code}`, errors];
    };
    return { finish, firstLine: () => once(createInterface(child.stdout), "line") };
  }

  async function serveGo(): Promise<PlayedAgent> {
    const { finish, firstLine } = start("agent");
    return { url: `http://127.0.0.1:${String(await firstLine())}/acp`, finish };
  }

  describe.each(Object.keys(CLIENTS))("over %s", (kind) => {
    remoteTest.each(PAIRS)(
      "is played by a client on %s and an agent on %s",
      async (client, agent) => {
        const played =
          agent === "go" ? await serveGo() : await serveAgent(profile, { serves: agent, agent });
        const problems =
          client === "go"
            ? await start("client", kind, played.url).finish()
            : await playClient(profile, played.url, { kind, opens: client, client });
        expect(problems).toEqual([]);
        expect(await played.finish()).toEqual([]);
      },
    );
  });
});

remoteTest(
  "the handler of Go admits, limits and ends what strangers send, and leaves no goroutines",
  () => {
    const files = {
      "worker.go": remoteText("worker.go"),
      "remote_test.go": remoteText("remote_test.go"),
    };
    const requests = join(ROOT, "test/fixtures/remote-requests.json");
    const { code, out, err } = testRemote(writeRemote(folder, "tests", files), {
      REQUESTS: requests,
    });
    expect(out, err).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  300_000,
);
