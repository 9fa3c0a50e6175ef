import { beforeAll, describe, expect } from "vitest";
import { loadProtocols } from "../generators/model/parts/profiles.js";
import { scriptOf } from "../interop/scripts/script-of.js";
import { CLIENTS, playClient, serveAgent, type Library } from "../interop/transports/libraries.js";
import {
  playProgram,
  serveProgram,
  type PlayerProgram,
} from "../interop/transports/start-player.js";
import { pythonPlayer } from "../python/player.js";
import { lacksRemote } from "../python/run-python.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { printPlayer } from "./build-player.js";
import { buildRemote, lacksLibraries, librariesTest, remoteText } from "./libraries.js";

const folder = temporaryFolder();

const PAIRS = [
  ["go", "bindings"],
  ["bindings", "go"],
  ["go", "go"],
  ["go", "sdk"],
  ["sdk", "go"],
  ...(lacksRemote
    ? []
    : ([
        ["go", "python"],
        ["python", "go"],
      ] as const)),
] as const;

describe.each(["v1", "v2"])("the whole script of %s", (profile) => {
  const programs: { [language: string]: PlayerProgram } = { python: pythonPlayer };
  beforeAll(() => {
    if (lacksLibraries) return;
    const protocol = loadProtocols().find((one) => one.profile === profile)!;
    const { script } = scriptOf(profile);
    const files = { ...printPlayer(protocol, script), "remote.go": remoteText("player.go") };
    const program = buildRemote(folder, `player-${profile}`, files);
    programs["go"] = { command: (_, ...args) => [program, ...args] };
  }, 300_000);

  describe.each(Object.keys(CLIENTS))("over %s", (kind) => {
    librariesTest.each(PAIRS)(
      "is played by a client on %s and an agent on %s",
      async (client, agent) => {
        const [calling, serving] = [programs[client], programs[agent]];
        const played =
          serving === undefined
            ? await serveAgent(profile, { serves: agent as Library, agent: agent as Library })
            : await serveProgram(serving, profile);
        const library = client as Library;
        const problems =
          calling === undefined
            ? await playClient(profile, played.url, { kind, opens: library, client: library })
            : await playProgram(calling, profile, kind, played.url);
        expect(problems).toEqual([]);
        expect(await played.finish()).toEqual([]);
      },
    );
  });
});
