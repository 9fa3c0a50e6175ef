import { describe, expect, test } from "vitest";
import { memoryTransports, type ConnectionLimits } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };
const prompt = [{ type: "text", text: "3" } as const];

describe.each([1, 2] as const)("the handlers of a prompt's updates, version %i", (version) => {
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

  test("may prompt and wait for the handlers of that turn", async () => {
    let ended = 0;
    let seen: number | undefined;
    const { session } = await connect(version, async (text) => {
      if (text === "0" && seen === undefined) {
        seen = 0;
        await session.prompt(prompt);
        seen = ended;
      } else await delay(10);
      ended++;
    });
    await session.prompt(prompt);
    expect([seen, ended]).toEqual([5, 6]);
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
      prompt: async (_, { session }) => {
        for (const number of NUMBERS) await session.text(number);
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
      prompt: (_, { session }) =>
        session.startTurn(async (turn) => {
          for (const number of NUMBERS) await turn.text(number);
        }),
    },
  },
});
