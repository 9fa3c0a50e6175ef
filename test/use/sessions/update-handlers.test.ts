import { describe, expect, test } from "vitest";
import { memoryTransports, type ConnectionLimits } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };
const prompt = [{ type: "text", text: "3" } as const];

/** The ways to wait for a turn; each resolves when the turn returns. */
const LOOKS: Readonly<Record<string, (turn: v1.Turn) => Promise<unknown>>> = {
  await: async (turn) => void (await turn),
  then: (turn) => turn.then(() => {}),
  catch: (turn) => turn.catch(() => {}),
  finally: (turn) => turn.finally(() => {}),
  "for await": async (turn) => {
    for await (const _ of turn);
  },
};

describe.each([1, 2] as const)("the handlers of a prompt's updates, version %i", (version) => {
  const ways = Object.entries(LOOKS);

  test.each(ways)("have ended when a turn returns, at once or later, with %s", async (_, look) => {
    const ended: string[] = [];
    const { session } = await connect(version, async (text) => {
      await delay(30 - 10 * Number(text));
      ended.push(text);
    });
    const turn = session.prompt(prompt);
    const seen = await Promise.all(
      [0, 5, 15].map(async (ms) => {
        await delay(ms);
        await look(turn);
        return ended.length;
      }),
    );
    expect(seen).toEqual([3, 3, 3]);
  });

  test("have ended when a turn returns that another prompt follows", async () => {
    const ended: string[] = [];
    const { session } = await connect(version, async (text) => {
      await delay(20);
      ended.push(text);
    });
    const first = session.prompt(prompt).then(() => ended.length);
    await delay(5);
    await session.prompt(prompt);
    expect(await first).toBeGreaterThanOrEqual(3);
  });

  test("have ended when a turn fails, or its connection closes", async () => {
    const ended: string[] = [];
    const { session, connection } = await connect(version, async (text) => {
      await delay(10);
      ended.push(text);
    });
    await expect(session.prompt("fail")).rejects.toThrow();
    expect(ended).toHaveLength(3);
    const turn = session.prompt("hang");
    await delay(5);
    connection.close();
    await expect(turn).rejects.toThrow("closed");
    expect(ended).toHaveLength(6);
  });

  test("have ended when a call of the prompt's method returns", async () => {
    const ended: string[] = [];
    const { connection } = await connect(version, async (text) => {
      await delay(10);
      ended.push(text);
    });
    if (version === 2) return;
    await connection.agent.request("session/prompt", { sessionId: "s", prompt } as never);
    expect(ended).toHaveLength(3);
  });

  test.each(ways)("may wait for their own turn, at once or later, with %s", async (_, look) => {
    const ended: string[] = [];
    const { session } = await connect(version, (text) => {
      if (text === "0") return look(turn).then(() => void ended.push(text));
      return delay(Number(text)).then(async () => {
        await look(turn);
        ended.push(text);
      });
    });
    const turn: v1.Turn = session.prompt(prompt);
    await turn;
    expect(ended.toSorted()).toEqual(["0", "1", "2"]);
  });

  test.each(ways)("may prompt and wait for that turn with %s", async (_, look) => {
    const ended: string[] = [];
    let isFirst = true;
    const { session } = await connect(version, async (text) => {
      if (text === "0" && isFirst) {
        isFirst = false;
        await look(session.prompt(prompt));
      }
      ended.push(text);
    });
    await session.prompt(prompt);
    expect(ended).toHaveLength(6);
  });

  test("hold no turn up for longer than the grace period", async () => {
    const { session } = await connect(version, () => new Promise(() => {}), { cancelGraceMs: 20 });
    expect(await session.prompt(prompt)).toMatchObject({ stopReason: "end_turn" });
  });
});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Connects an agent that counts to three, and a client whose handler gets the numbers. */
async function connect(
  version: 1 | 2,
  handle: (text: string) => Promise<unknown>,
  limits: ConnectionLimits = {},
) {
  const [left, right] = memoryTransports();
  (version === 1 ? one : two).connect(left);
  const create =
    version === 1 ? v1.createClient : (v2.createClient as never as typeof v1.createClient);
  const client = create({
    info,
    limits,
    handlers: {
      session: {
        requestPermission: () => v1.CANCELLED,
        update: async ({ update }) => {
          if (update.sessionUpdate !== "agent_message_chunk") return;
          if (update.content.type === "text") await handle(update.content.text);
        },
      },
    },
  });
  const connection = await client.connect(right);
  const session = await connection.newSession({ cwd: "/", mcpServers: [] });
  return { connection, session };
}

const NUMBERS = ["0", "1", "2"];

const one = v1.createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      prompt: async ({ prompt: [block] }, { session, signal }) => {
        for (const number of NUMBERS) await session.text(number);
        const what = block?.type === "text" ? block.text : "";
        if (what === "fail") throw new Error("out of tokens");
        if (what === "hang")
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "end_turn" };
      },
    },
  },
});

const two = v2.createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      list: () => ({ sessions: [] }),
      resume: () => ({}),
      close: () => ({}),
      prompt: async ({ prompt: [block] }, { session, signal }) => {
        const what = block?.type === "text" ? block.text : "";
        if (what === "fail") {
          for (const number of NUMBERS) await session.text(number);
          throw new Error("out of tokens");
        }
        return session.startTurn(async (turn) => {
          for (const number of NUMBERS) await turn.text(number);
          if (what === "hang")
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
        });
      },
    },
  },
});
