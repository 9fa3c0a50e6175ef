import { httpTransport } from "acp-bindings/remote";
import { afterEach, expect, test } from "vitest";
import { deepTest } from "../../support/deep.js";
import { createRandom } from "../samples/random.js";
import {
  createRecordingClient,
  promptOf,
  startProxy,
  startRemote,
  stopAll,
  wait,
  type Work,
} from "./remote-agent.js";

afterEach(stopAll);

/**
 * Takes a turn through a proxy that cuts all connections at random, and some right behind a
 * request, so that the client does not learn whether the server has received it.
 */
async function takeTurnWithCuts(work: Work, seed: string): Promise<void> {
  const random = createRandom(seed);
  const { port, served } = await startRemote();
  let cuts = 0;
  const proxy = await startProxy(port, (from, to, isOfClient) => {
    from.on("data", (chunk: Buffer) => {
      to.write(chunk);
      if (!isOfClient || !chunk.subarray(0, 5).equals(Buffer.from("POST ")) || !random.chance(0.1))
        return;
      cuts++;
      setImmediate(() => from.destroy());
    });
  });
  const { client, texts, questions } = createRecordingClient();
  const { agent, closed, close } = await connectWith(client, proxy.url);
  const { sessionId } = await agent.session.new({ cwd: "/", mcpServers: [] });
  texts.length = 0;
  let isOver = false;
  const turn = agent.session.prompt(promptOf(sessionId, work)).finally(() => (isOver = true));
  while (!isOver) {
    await Promise.race([wait(20 + random.below(400)), turn]);
    proxy.cut();
    cuts++;
  }
  expect(await turn).toMatchObject({ stopReason: "end_turn" });
  const numbers = (count = 0): string[] => Array.from({ length: count }, (_, index) => `${index}`);
  expect(texts).toEqual(numbers(work.chunks));
  expect(questions).toEqual(numbers(work.questions));
  expect(cuts).toBeGreaterThan(10);
  close();
  await closed;
  await expect.poll(() => served).toEqual([{ isClosed: true }]);
}

async function connectWith(
  client: ReturnType<typeof createRecordingClient>["client"],
  url: string,
) {
  const connection = await client.connect(httpTransport(url));
  const { agent, closed } = connection;
  return { agent, closed, close: () => connection.close() };
}

const seed = process.env["SEED"] ?? "20261126";

test("chunks and questions of a turn whose connections are cut at random arrive once each, in order", async () => {
  await takeTurnWithCuts({ chunks: 300, questions: 150, pause: 5 }, seed);
}, 60_000);

deepTest(
  "the same for a minute",
  async () => {
    const end = Date.now() + 60_000;
    for (let turn = 1; Date.now() < end; turn++)
      await takeTurnWithCuts({ chunks: 300, questions: 150, pause: 20 }, `${seed} ${turn}`);
  },
  180_000,
);
