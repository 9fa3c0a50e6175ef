import { describe, expect, test } from "vitest";

type Json = Readonly<Record<string, unknown>>;

interface Step extends Json {
  readonly before?: readonly Step[];
}

interface Caller {
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
}

interface Player {
  readonly problems: readonly string[];
  play(steps: readonly Step[]): Promise<void>;
  receive(kind: string, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>;
  finish(): readonly string[];
}

type PlayerClass = new (
  script: { readonly steps: readonly Step[]; readonly last: readonly Step[] },
  side: "client" | "agent",
  caller: Caller,
  fail: (code: number) => unknown,
) => Player;

const { href } = new URL("peers/player.mjs", import.meta.url);
const { Player } = (await import(/* @vite-ignore */ href)) as { Player: PlayerClass };

/** Lets a client play one script and an agent another, and gives the problems of both. */
async function playBoth(
  clients: readonly Step[],
  agents: readonly Step[],
): Promise<{ readonly client: readonly string[]; readonly agent: readonly string[] }> {
  const to = (other: () => Player): Caller => ({
    request: (method, params, signal) => other().receive("request", method, params, signal),
    notify: async (method, params) => {
      await other().receive("notification", method, params);
    },
  });
  const fail = (code: number): unknown => ({ code });
  const script = (steps: readonly Step[]): ConstructorParameters<PlayerClass>[0] => ({
    steps,
    last: [],
  });
  const client: Player = new Player(
    script(clients),
    "client",
    to(() => agent),
    fail,
  );
  const agent: Player = new Player(
    script(agents),
    "agent",
    to(() => client),
    fail,
  );
  await client.play(clients);
  return { client: client.finish(), agent: agent.finish() };
}

const ask = { request: "ask", params: { a: [1, { b: 2 }] }, result: { c: 3 } };
const note = { notify: "tell", params: {} };

describe("a player", () => {
  test("completes its script with a player of the same script", async () => {
    const question = { ...ask, before: [note, { request: "back", params: {}, error: 5 }] };
    expect(await playBoth([question], [question])).toEqual({ client: [], agent: [] });
  });

  test("accepts values that the script lacks, since receivers insert defaults", async () => {
    const more = { ...ask, result: { c: 3, d: 4 } };
    expect(await playBoth([ask], [more])).toEqual({ client: [], agent: [] });
  });

  test.each([
    ["other params", { ...ask, params: { a: [1, { b: 3 }] } }, "agent", "params of ask/a/1/b"],
    ["a list of another length", { ...ask, params: { a: [1] } }, "agent", "params of ask/a: other"],
    ["another result", { ...ask, result: { c: null } }, "client", "result of ask/c"],
    ["a missing result", { ...ask, result: undefined }, "client", "result of ask"],
    ["an error", { ...ask, error: 7 }, "client", "error of ask: 7"],
  ] as const)("reports %s", async (_, other, side, problem) => {
    const { [side]: problems } = await playBoth([ask], [other]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test("reports unexpected and missing messages", async () => {
    expect((await playBoth([note], [])).agent).toEqual(["notification tell is not expected now"]);
    expect((await playBoth([], [ask, { ...ask }])).agent).toEqual([
      "request ask did not come 2 times",
    ]);
  });

  test("refuses a script with a repeated step", async () => {
    await expect(playBoth([], [ask, ask])).rejects.toThrow("one step twice");
  });
});
