import { httpTransport } from "acp-bindings/remote";
import { expect } from "vitest";
import { createRandom } from "../samples/random.js";
import {
  createRecordingClient,
  promptOf,
  startProxy,
  startRemote,
  wait,
  type Work,
} from "./remote-agent.js";

/** A server of the agent of remote-agent.ts. */
export interface AgentServer {
  readonly port: number;
  /** How many connections it has had, and how many of them have ended. */
  count(): { readonly opened: number; readonly ended: number };
}

/** What a client has received in a turn. */
export interface TakenTurn {
  readonly stopReason: string;
  readonly texts: readonly string[];
  readonly questions: readonly string[];
}

/** The two ends of a connection over HTTP, in any language. */
export interface Ends {
  serve(): Promise<AgentServer>;
  /** Connects, takes a turn in a new session, and closes the connection. */
  takeTurn(url: string, work: Work): Promise<TakenTurn>;
}

/** Those of the bindings for TypeScript. */
export const OWN_ENDS: Ends = {
  serve: async () => {
    const { port, served } = await startRemote();
    const count = () => ({
      opened: served.length,
      ended: served.filter(({ isClosed }) => isClosed).length,
    });
    return { port, count };
  },
  takeTurn: async (url, work) => {
    const { client, texts, questions } = createRecordingClient();
    const connection = await client.connect(httpTransport(url));
    const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
    texts.length = 0;
    const { stopReason } = await connection.agent.session.prompt(promptOf(sessionId, work));
    connection.close();
    await connection.closed;
    return { stopReason, texts, questions };
  },
};

/**
 * Takes a turn through a proxy that cuts all connections at random, and some right behind a
 * request, so that the client does not learn whether the server has received it. The first request
 * that ends the connection does not reach the server.
 */
export async function takeTurnWithCuts(work: Work, seed: string, ends = OWN_ENDS): Promise<void> {
  const random = createRandom(seed);
  const { port, count } = await ends.serve();
  let cuts = 0;
  let isOver = false;
  let isLeaving = false;
  const proxy = await startProxy(port, (from, to, isOfClient) => {
    from.on("data", (chunk: Buffer) => {
      if (!isLeaving && chunk.subarray(0, 7).equals(Buffer.from("DELETE "))) {
        isLeaving = true;
        return from.destroy();
      }
      to.write(chunk);
      const isRequest = isOfClient && chunk.subarray(0, 5).equals(Buffer.from("POST "));
      // The first request opens the connection, and cannot be sent again.
      if (!isRequest || !/acp-message-number/i.test(`${chunk}`) || !random.chance(0.1)) return;
      cuts++;
      setImmediate(() => from.destroy());
    });
  });
  const turn = ends.takeTurn(proxy.url, work).finally(() => (isOver = true));
  await Promise.race([turn, untilOpened(count)]);
  while (!isOver) {
    await Promise.race([wait(20 + random.below(400)), turn]);
    proxy.cut();
    cuts++;
  }
  const numbers = (count = 0): string[] => Array.from({ length: count }, (_, index) => `${index}`);
  expect(await turn).toEqual({
    stopReason: "end_turn",
    texts: numbers(work.chunks),
    questions: numbers(work.questions),
  });
  expect(cuts).toBeGreaterThan(10);
  await expect.poll(count, { timeout: 5000 }).toMatchObject({ opened: 1, ended: 1 });
}

async function untilOpened(count: AgentServer["count"]): Promise<void> {
  while (count().opened === 0) await wait(10);
  await wait(100);
}
