import { httpTransport } from "acp-bindings/remote";
import { createClient, select, type ClientConnection } from "acp-bindings/v2";
import { afterEach, expect, test } from "vitest";
import { startRemote, stopAll } from "./remote-agent.js";
import { createHub } from "./shared-session.js";

afterEach(stopAll);

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
    info: { name: "editor", version: "1.0.0" },
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
  const connection: ClientConnection = await client.connect(httpTransport(url));
  return { connection, asked, withdrawn: withdrawn.opened };
}

const textsOf = ({ state }: ReturnType<ClientConnection["session"]>): readonly string[] =>
  state.messages.map(({ kind, content }) =>
    [kind, ...content.map((block) => (block.type === "text" ? block.text : ""))].join(" "),
  );

test("two editors take part in one turn, which goes on when the one that began it has gone", async () => {
  const left = latch();
  const hub = createHub(async (text, turn) => {
    const answer = await turn.ask(`Do: ${text}?`);
    turn.text(`The answer is ${answer}.`);
    await left.opened;
    turn.text("Done.");
  });
  const { url } = await startRemote({ serve: hub.serve });
  const [first, second] = await Promise.all([openEditor(url), openEditor(url, "yes")]);
  const own = await first.connection.newSession({ cwd: "/" });
  const { id: sessionId } = own;

  // The second editor finds the session, attaches to it, and sees the turn of the first.
  const found: string[] = [];
  for await (const info of second.connection.listSessions()) found.push(info.sessionId);
  expect(found).toEqual([sessionId]);
  const other = await second.connection.resumeSession({ sessionId, cwd: "/" });
  const turn = own.prompt("Buy milk");
  turn.catch(() => {});
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
  const caughtUp = await again.connection.resumeSession({
    sessionId,
    cwd: "/",
    replayFrom: { type: "start" },
  });
  expect(textsOf(caughtUp)).toEqual([
    "user_message Buy milk",
    "agent_message The answer is yes.",
    "agent_message Done.",
  ]);
  expect(textsOf(other)).toEqual(textsOf(caughtUp));
  for (const { connection } of [second, again]) connection.close();
});
