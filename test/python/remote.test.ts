import { expect } from "vitest";
import {
  CLIENTS,
  LIBRARIES,
  playClient,
  serveAgent,
  type Library,
} from "../interop/transports/libraries.js";
import { playProgram, serveProgram } from "../interop/transports/start-player.js";
import { pythonPlayer } from "./player.js";
import { remoteTest } from "./run-python.js";

type Player = Library | "python";

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
        ? await serveProgram(pythonPlayer, profile)
        : await serveAgent(profile, { serves: agent, agent });
    const problems =
      client === "python"
        ? await playProgram(pythonPlayer, profile, kind, played.url)
        : await playClient(profile, played.url, { kind, opens: client, client });
    expect(problems).toEqual([]);
    expect(await played.finish()).toEqual([]);
  },
);
