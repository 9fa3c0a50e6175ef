import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, type TestAPI } from "vitest";
import { IS_DEEP } from "../../support/deep.js";
import { stopAll } from "./remote-agent.js";
import { startServer, type Command } from "./start-server.js";
import { OWN_ENDS, takeTurnWithCuts, type Ends, type TakenTurn } from "./turn-with-cuts.js";

/** The agent and the client of remote-agent.ts in another language. */
export interface Programs {
  /** As `startServer` says. */
  readonly serve: () => Command;
  /** Prints what it has received, as JSON. `work` is JSON as well. */
  readonly take: (url: string, work: string) => Command;
  readonly env?: NodeJS.ProcessEnv;
}

const TURNS = IS_DEEP ? 8 : 1;
const seed = process.env["SEED"] ?? "20261126";
const stops: (() => void)[] = [];

/** Tests turns between a language, TypeScript and itself: one turn each, in a deep run a minute of turns. */
export function testCuts(
  test: Pick<TestAPI, "each">,
  language: string,
  { serve, take, env }: Programs,
): void {
  const ends: Ends = {
    serve: async () => {
      const server = await startServer(serve(), env);
      stops.push(server.stop);
      return server;
    },
    takeTurn: async (url, work) => {
      const [program, ...args] = take(url, JSON.stringify(work));
      const { stdout } = await promisify(execFile)(program, args, { env });
      return JSON.parse(stdout) as TakenTurn;
    },
  };
  const pairs: readonly (readonly [client: string, server: string, ends: Ends])[] = [
    [language, "TypeScript", { ...ends, serve: OWN_ENDS.serve }],
    ["TypeScript", language, { ...OWN_ENDS, serve: ends.serve }],
    [language, language, ends],
  ];

  afterEach(() => {
    stopAll();
    for (const stop of stops.splice(0)) stop();
  });

  test.each(pairs)(
    "what a turn between a client in %s and a server in %s sends arrives once, in order, when connections are cut",
    async (_client, _server, both) => {
      const pause = IS_DEEP ? 20 : 5;
      for (let turn = 0; turn < TURNS; turn++)
        await takeTurnWithCuts({ chunks: 300, questions: 150, pause }, `${seed} ${turn}`, both);
    },
    TURNS * 60_000,
  );
}
