import { describe, expect, test } from "vitest";
import { AcpError, ConnectionClosedError, memoryTransports, type Transport } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };
const place = { cwd: "/", mcpServers: [] };

describe.each([1, 2] as const)("a turn, version %i", (version) => {
  test.each([
    ["", {}],
    [", with onAuthRequired", { onAuthRequired: () => false }],
    [", with intercept", { intercept: (_: unknown, next: () => Promise<unknown>) => next() }],
  ])("fails with the reason why the connection ended%s", async (_, options) => {
    const { connection, end } = await connect(version, options);
    const session = await connection.newSession(place);
    const turn = session.prompt("wait");
    await settled();
    const reason = new Error("crashed");
    end(reason);
    const later = session.prompt("wait");
    for (const one of [turn, later]) {
      const error: unknown = await one.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConnectionClosedError);
      expect(error).toMatchObject({ method: "session/prompt", cause: reason });
    }
    await settled();
    const state = session.state.messages.length;
    await session.prompt("never sent").catch(() => {});
    expect(session.state.messages.length).toBe(state);
  });

  test("ends as the agent ends it when its session is closed, and otherwise fails", async () => {
    const closed = async (prompt: string): Promise<unknown> => {
      const { connection } = await connect(version);
      const session = await connection.newSession(place);
      const turn = session.prompt(prompt);
      await settled();
      await session.agent.close!({});
      return turn.catch((thrown: unknown) => thrown);
    };
    expect(await closed("wait")).toMatchObject({ stopReason: "cancelled" });
    const error = await closed("hang");
    expect(error).toBeInstanceOf(AcpError);
    expect(String(error)).toContain("the session was closed before the turn had ended");
  });
});

describe.each([1, 2] as const)("a session that was closed, version %i", (version) => {
  test("refuses prompts and calls at once, and says how to open it again", async () => {
    const { connection } = await connect(version);
    const session = await connection.newSession(place);
    const { state } = session;
    await session.agent.close!({});
    for (const call of [
      session.prompt("hello"),
      session.agent.setConfigOption({ configId: "a", value: "b" } as never),
      session.agent.close!({}),
    ]) {
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AcpError);
      expect(String(error)).toContain("open it again with resumeSession");
    }
    await session.cancel();
    expect([session.state === state, state.messages.length]).toEqual([true, 0]);
  });
});

test("a prompt that is not sent leaves no message", async () => {
  const { connection } = await connect(1);
  const session = await connection.newSession(place);
  await session.prompt("hello", { signal: AbortSignal.abort() }).catch(() => {});
  await session.prompt([{ type: "text", text: 5 as never }]).catch(() => {});
  expect(session.state.timeline).toEqual([]);
});

const wait = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", resolve));

const one = v1.createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      resume: () => ({}),
      close: () => {
        for (const controller of running) controller.abort();
      },
      prompt: async ({ prompt }, { session }) => {
        const [block] = prompt;
        const text = block?.type === "text" ? block.text : "";
        if (text === "hang") await new Promise(() => {});
        if (text === "wait") await waitForClose();
        if (text === "wait") return { stopReason: "cancelled" };
        await session.text("hi");
        return { stopReason: "end_turn" };
      },
    },
  },
});

const running = new Set<AbortController>();

function waitForClose(): Promise<unknown> {
  const controller = new AbortController();
  running.add(controller);
  return wait(controller.signal);
}

const two = v2.createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      list: () => ({ sessions: [] }),
      resume: () => ({}),
      close: () => ({}),
      // A prompt that hangs is answered and never reported.
      prompt: async ({ prompt }, { session }) => {
        const [block] = prompt;
        const text = block?.type === "text" ? block.text : "";
        if (text === "hang") return { messageId: "never" };
        return session.startTurn(async (turn) => {
          await turn.text("hi");
          if (text === "wait") await wait(turn.signal);
        });
      },
    },
  },
});

async function connect(version: 1 | 2, more: object = {}) {
  const [left, right] = memoryTransports();
  (version === 1 ? one : two).connect(left);
  let end: (error: Error) => void = () => {};
  const transport: Transport = {
    ...right,
    start: (receiver) => {
      end = (error) => receiver.close(error);
      right.start(receiver);
    },
  };
  const create =
    version === 1 ? v1.createClient : (v2.createClient as never as typeof v1.createClient);
  const client = create({
    info,
    limits: { cancelGraceMs: 50 },
    handlers: { session: { requestPermission: () => v1.CANCELLED } },
    ...more,
  });
  const connection = await client.connect(transport);
  return { connection, end: (error: Error) => end(error) };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
