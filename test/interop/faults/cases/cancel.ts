import { IS_DEEP } from "../../../support/deep.js";
import { createOutcome, runCases, withPeer, type Case, type Fault } from "../fault.js";
import type { Peer } from "../peer.js";
import { describe, isRefusal, requestLine } from "../wire.js";

const GRACE = { limits: { cancelGraceMs: 50 } };
const MIB = 1024 * 1024;
const ABANDONED = IS_DEEP ? 100_000 : 32_000;
/** Enough to see where it goes. */
const SAMPLE = 20_000;
const BATCH = 4_000;

const cases: readonly Case[] = [
  ...["_fault/never", "_fault/late", "_fault/wait"].map((method): Case => ({
    name: method,
    run: async (peer) => {
      await peer.exchange(requestLine("1", method, "{}"));
      void peer.sendMessage({ method: "$/cancel_request", params: { requestId: 1 } });
      const answer = await peer.message(({ id }) => id === 1);
      if (!isRefusal([answer], -32800, 1)) return describe([answer]);
      void peer.sendMessage({ method: "_fault/release" });
      await peer.ping();
      const late = peer.take();
      return late.length === 0 ? undefined : `${describe(late)} after that`;
    },
  })),
];

export const cancel: readonly Fault[] = [
  {
    id: "B13",
    fault: "handlers that never settle, settle late, stop; cancelled",
    asked: "-32800 within the grace, a late result dropped",
    run: (library) => runCases(library, cases, GRACE),
  },
  {
    id: "B14",
    fault: `${ABANDONED.toLocaleString("en")} calls given up, never answered`,
    asked: "0 pending, heap ≤ +5 MiB",
    run: (library) =>
      withPeer(library, GRACE, async (peer) => {
        await abandon(peer, BATCH);
        const before = await readMemory(peer);
        const count = library === "ours" ? ABANDONED : SAMPLE;
        await abandon(peer, count);
        const { heap, open } = await readMemory(peer);
        const growth = (heap - before.heap) / MIB;
        const pending = `${open?.pending ?? "?"} of ${count} pending`;
        return createOutcome(`${pending}, heap +${growth.toFixed(1)} MiB`, {
          "nothing is pending": open?.pending === 0,
          "the heap stays as it is": growth <= 5,
        });
      }),
  },
  {
    id: "B14",
    fault: `${ABANDONED.toLocaleString("en")} requests cancelled by the client, handlers never settle`,
    asked: "0 running, heap ≤ +5 MiB",
    run: (library) =>
      withPeer(library, GRACE, async (peer) => {
        await cancelMany(peer, BATCH);
        const before = await readMemory(peer);
        const answered = await cancelMany(peer, ABANDONED);
        const { heap, open } = await readMemory(peer);
        const growth = (heap - before.heap) / MIB;
        // The one that asks is running, too.
        const running = open && open.running - 1;
        const figure = `${answered} answered, ${running ?? "?"} running`;
        return createOutcome(`${figure}, heap +${growth.toFixed(1)} MiB`, {
          "all are answered -32800": answered === ABANDONED,
          "nothing is running": running === 0,
          "the heap stays as it is": growth <= 5,
        });
      }),
  },
];

interface Memory {
  readonly heap: number;
  /** Absent when the library does not tell. */
  readonly open?: { readonly pending: number; readonly running: number };
}

async function readMemory(peer: Peer): Promise<Memory> {
  return (await peer.request("_fault/memory")).result as Memory;
}

/** Lets the peer make calls and give each up. */
async function abandon(peer: Peer, count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    await peer.request("_fault/abandon", { count: BATCH });
    peer.take();
  }
}

/** Makes requests and cancels each, a batch at once; how many are answered -32800. */
async function cancelMany(peer: Peer, count: number): Promise<number> {
  let answered = 0;
  for (let first = 0; first < count; first += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, index) => first + index);
    const requests = ids.map((id) => requestLine(String(id), "_fault/never", "{}"));
    const cancels = ids.map((requestId) =>
      JSON.stringify({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } }),
    );
    void peer.send(`${requests.join("")}${cancels.join("\n")}\n`);
    const last = await peer.message(({ id }) => id === ids.at(-1));
    await peer.ping();
    answered += [last, ...peer.take()].filter(({ error }) => error?.code === -32800).length;
  }
  return answered;
}
