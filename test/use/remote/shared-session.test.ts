import { RpcError, type Transport } from "acp-bindings";
import { httpTransport } from "acp-bindings/remote";
import { createAgent, createClient, select, type SessionUpdate } from "acp-bindings/v2";
import { afterEach, expect, test } from "vitest";
import { startRemote, stopAll } from "./remote-agent.js";

afterEach(stopAll);

type Served = ReturnType<ReturnType<typeof createAgent>["connect"]>;

const INFO = { name: "test", version: "1.0.0" };
const RUNNING = { sessionUpdate: "state_update", state: "running" } as const;
const IDLE = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" } as const;
const OPTIONS = [{ optionId: "yes", name: "Yes", kind: "allow_once" }] as const;

/** Serves one session that belongs to no connection: clients attach to it by resuming it. */
function createHub(work: (say: (text: string) => void) => Promise<void>) {
  const clients = new Set<Served>();
  const history: SessionUpdate[] = [];
  let isBusy = false;
  const sessionId = "s";
  const show = (update: SessionUpdate): void => {
    if (update.sessionUpdate !== "state_update") history.push(update);
    for (const { client } of clients) client.session.update({ sessionId, update }).catch(() => {});
  };
  const message = (sessionUpdate: "user_message" | "agent_message", text: string): void => {
    const content = [{ type: "text", text } as const];
    show({ sessionUpdate, messageId: crypto.randomUUID(), content });
  };
  /** Asks every client. The first answer counts, and the other questions are withdrawn. */
  const ask = async (title: string): Promise<string> => {
    const rest = new AbortController();
    const asked = [...clients].map(async ({ client }) => {
      const params = { sessionId, title, options: OPTIONS };
      const answer = await client.session.requestPermission(params, { signal: rest.signal });
      return "optionId" in answer.outcome ? String(answer.outcome.optionId) : Promise.reject();
    });
    return Promise.any(asked).finally(() => rest.abort());
  };
  /** Serves one client. When its connection ends, the session goes on. */
  return (transport: Transport): Served => {
    const agent = createAgent({
      info: INFO,
      onError: () => {},
      handlers: {
        session: {
          new: () => {
            clients.add(connection);
            return { sessionId };
          },
          list: () => ({ sessions: [{ sessionId, cwd: "/" }] }),
          // Attaching: the history so far, the state, and from then on what every client gets.
          resume: async ({ replayFrom }, { client }) => {
            for (const update of [...(replayFrom ? history : []), isBusy ? RUNNING : IDLE])
              await client.session.update({ sessionId, update });
            clients.add(connection);
            return {};
          },
          close: () => ({}),
          // Every client may prompt, one at a time; the work belongs to the session.
          prompt: ({ prompt: [block] }, { afterResponse }) => {
            if (isBusy) throw new RpcError(-32600, "The session is busy");
            isBusy = true;
            const text = block?.type === "text" ? block.text : "";
            message("user_message", text);
            show(RUNNING);
            afterResponse(async () => {
              message("agent_message", `The answer is ${await ask(`Do: ${text}?`)}.`);
              await work((said) => message("agent_message", said));
              isBusy = false;
              show(IDLE);
            });
            return { messageId: crypto.randomUUID() };
          },
        },
      },
    });
    const connection = agent.connect(transport);
    void connection.closed.then(() => clients.delete(connection));
    return connection;
  };
}

function latch() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** An editor whose user answers questions, or leaves them open until they are withdrawn. */
async function openEditor(url: string, answer?: string) {
  const asked: string[] = [];
  const withdrawn = latch();
  const client = createClient({
    info: INFO,
    handlers: {
      session: {
        requestPermission: async ({ title }, { signal }) => {
          asked.push(title);
          if (answer !== undefined) return select(answer);
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          withdrawn.open();
          throw signal.reason;
        },
      },
    },
  });
  const connection = await client.connect(httpTransport(url));
  return { connection, asked, withdrawn: withdrawn.opened };
}

type Session = ReturnType<Awaited<ReturnType<typeof openEditor>>["connection"]["session"]>;

const textsOf = ({ state }: Session): readonly string[] =>
  state.messages.map(({ kind, content }) =>
    [kind, ...content.map((block) => (block.type === "text" ? block.text : ""))].join(" "),
  );

test("two editors take part in one turn, which goes on when the one that began it has gone", async () => {
  const left = latch();
  const serve = createHub(async (say) => {
    await left.opened;
    say("Done.");
  });
  const { url } = await startRemote({ serve });
  const [first, second] = await Promise.all([openEditor(url), openEditor(url, "yes")]);
  const own = await first.connection.newSession({ cwd: "/" });

  // The second editor finds the session, attaches to it, and sees the turn of the first.
  const found: string[] = [];
  for await (const info of second.connection.listSessions()) found.push(info.sessionId);
  expect(found).toEqual([own.id]);
  const place = { sessionId: own.id, cwd: "/" };
  const other = await second.connection.resumeSession(place);
  own.prompt("Buy milk").catch(() => {});
  await first.withdrawn;
  expect([first.asked, second.asked]).toEqual([["Do: Buy milk?"], ["Do: Buy milk?"]]);
  await expect.poll(() => textsOf(other)).toHaveLength(2);
  expect(textsOf(own)).toEqual(textsOf(other));
  expect(other.state.state).toMatchObject({ state: "running" });
  await expect(other.prompt("Buy tea")).rejects.toMatchObject({ code: -32600 });

  // The first one goes while the agent works.
  first.connection.close();
  await first.connection.closed;
  left.open();
  await expect.poll(() => other.state.state?.state).toBe("idle");

  // It comes back, and has missed nothing.
  const again = await openEditor(url);
  const replayFrom = { type: "start" } as const;
  const caughtUp = await again.connection.resumeSession({ ...place, replayFrom });
  expect(textsOf(caughtUp)).toEqual([
    "user_message Buy milk",
    "agent_message The answer is yes.",
    "agent_message Done.",
  ]);
  expect(textsOf(other)).toEqual(textsOf(caughtUp));
  for (const { connection } of [second, again]) connection.close();
});
