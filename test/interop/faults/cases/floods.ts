import { setTimeout as sleep } from "node:timers/promises";
import { IS_DEEP } from "../../../support/deep.js";
import { createOutcome, withPeer, type Fault, type Outcome } from "../fault.js";
import type { Peer } from "../peer.js";

const COUNT = IS_DEEP ? 100_000 : 32_000;
const SHOWN = COUNT.toLocaleString("en");
const CHUNK = 1000;
/** How many requests may run at once, unless a limit is given. */
const IN_FLIGHT = 4096;
const TOO_MANY = -32029;

/** One after the other: what is no JSON, and what is JSON but no message. */
const GARBAGE = ["x", "{", "[]", "1", "null", '{"a":1}'];

export const floods: readonly Fault[] = [
  {
    id: "B11",
    fault: `${SHOWN} requests, the output not read; handlers answer at once`,
    asked: "growth ≤ 64 MiB; all answered once it is read",
    run: (library) =>
      leastOf(3, library, async (peer) => {
        const { growth, answered, refused } = await flood(peer, "_fault/now");
        return createOutcome(`+${growth.toFixed()} MiB; ${answered} answered, ${refused} refused`, {
          "growth within 64 MiB": growth <= 64,
          "all are answered": answered === COUNT,
        });
      }),
  },
  {
    id: "B11",
    fault: `${SHOWN} requests, the output not read; handlers never settle`,
    asked: `growth ≤ 64 MiB; all but ${IN_FLIGHT} refused with ${TOO_MANY}; a cancel makes room`,
    run: (library) =>
      withPeer(library, { limits: { cancelGraceMs: 50 } }, async (peer) => {
        const { growth, answered, refused } = await flood(peer, "_fault/never");
        const figure = `+${growth.toFixed()} MiB; ${refused} refused`;
        const hasRoom = await cancelAndCall(peer);
        return createOutcome(`${figure}, then ${hasRoom ? "room" : "no answer to a cancel"}`, {
          "growth within 64 MiB": growth <= 64,
          "nothing else is answered": answered === 0,
          "all above the cap are refused": refused === COUNT - IN_FLIGHT,
          "a cancel makes room": hasRoom,
        });
      }),
  },
  {
    id: "B12",
    fault: `${SHOWN} lines of garbage`,
    asked: "1,000 answered at most, then closed; bytes out ≤ 40 × bytes in",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        const before = peer.written;
        const bytes = lines(COUNT, (index) => GARBAGE[index % GARBAGE.length]!);
        await peer.send(bytes);
        const fate = await peer.ping().then(
          () => "alive",
          (error: Error) => error.message,
        );
        const factor = (peer.written - before) / bytes.length;
        const answers = peer.take().length;
        return createOutcome(`${answers} answered, ${factor.toFixed(1)} × bytes in, ${fate}`, {
          "at most 1,000 are answered": answers <= 1000,
          "at most 40 times the bytes": factor <= 40,
          "closed after that": fate === "connection died",
        });
      }),
  },
  {
    id: "B12",
    fault: "5,000 lines of garbage, a request after each 500",
    asked: "each answered with id null, alive",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        let answered = 0;
        for (let round = 0; round < 10; round++) {
          const answers = await peer.exchange(lines(500, () => "garbage"));
          answered += answers.filter(({ id, error }) => id === null && error !== undefined).length;
        }
        return createOutcome(`${answered} answered, alive`, {
          "each is answered": answered === 5000,
        });
      }),
  },
];

/** Writes the requests, reads nothing until the peer takes no more of them, then everything. */
const WARM_UP = 10_000;
const CALL = { jsonrpc: "2.0", params: {} };

/** How much memory a process holds depends on when it last collected: the best of some tries counts. */
async function leastOf(
  tries: number,
  library: Parameters<typeof withPeer>[0],
  run: (peer: Peer) => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await withPeer(library, {}, run);
  const isDone = outcome.mistakes.length === 0 || tries === 1 || library === "sdk";
  return isDone ? outcome : leastOf(tries - 1, library, run);
}

async function flood(
  peer: Peer,
  method: string,
): Promise<{ growth: number; answered: number; refused: number }> {
  // The start of a process does not count as time of the flood.
  await peer.send(lines(WARM_UP, (id) => JSON.stringify({ ...CALL, id, method: "_fault/now" })));
  await peer.ping();
  peer.take();
  const before = peer.memory();
  let highest = before;
  peer.stopReading();
  for (let sent = 0; sent < COUNT; sent += CHUNK) {
    const chunk = lines(CHUNK, (index) => JSON.stringify({ ...CALL, id: sent + index, method }));
    const taken = peer.send(chunk);
    const isTaken = await Promise.race([taken.then(() => true), sleep(1000, false)]);
    if (sent % (10 * CHUNK) === 0 || !isTaken) highest = Math.max(highest, peer.memory());
    if (!isTaken) peer.startReading();
    await taken;
  }
  // Time to work on what has been written.
  await sleep(500);
  highest = Math.max(highest, peer.memory());
  peer.startReading();
  await peer.ping();
  highest = Math.max(highest, peer.memory());
  const answers = peer.take().filter(({ id }) => typeof id === "number");
  const refused = answers.filter(({ error }) => error?.code === TOO_MANY).length;
  const unique = new Set(answers.map(({ id }) => id)).size;
  return { growth: highest - before, answered: unique - refused, refused };
}

/** Whether cancelling a request that never settles lets another one in. */
async function cancelAndCall(peer: Peer): Promise<boolean> {
  void peer.sendMessage({ method: "$/cancel_request", params: { requestId: 5 } });
  return peer
    .message(({ id, error }) => id === 5 && error?.code === -32800)
    .then(
      async () => (await peer.request("_fault/echo")).error === undefined,
      () => false,
    );
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");
}
