import { createOutcome, withPeer, type Fault } from "../fault.js";
import type { End } from "../peer.js";
import { echo, requestLine } from "../wire.js";

const LARGE = "x".repeat(100_000);

export const ends: readonly Fault[] = [
  {
    id: "B15",
    fault: "the input ends right behind the last request, in the middle of a line",
    asked: "each whole message answered, ends with 0",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        void peer.send(
          `${echo("whole", "")}\n${echo("last", "")}\n{"jsonrpc":"2.0","id":"cut","me`,
        );
        peer.endInput();
        const end = await peer.ended();
        const answered = peer.take().filter(({ id, result }) => id !== null && result).length;
        return createOutcome(`${answered} of 2 answered, ${describeEnd(end)}`, {
          "both are answered": answered === 2,
          ...endsWell(end),
        });
      }),
  },
  {
    id: "B15",
    fault: "the input ends with calls in both directions open",
    asked: "handlers aborted, calls rejected, ends with 0",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        const params = { sessionId: "s-1", path: "/a" };
        void peer.send(requestLine("1", "_fault/wait", "{}"));
        void peer.sendMessage({
          id: 2,
          method: "_fault/call",
          params: { method: "fs/read_text_file", params },
        });
        await peer.message(({ method }) => method === "fs/read_text_file");
        peer.endInput();
        const end = await peer.ended();
        const { aborted, rejected } = end.counts ?? { aborted: 0, rejected: 0 };
        return createOutcome(`${aborted} aborted, ${rejected} rejected, ${describeEnd(end)}`, {
          "the handler is aborted": aborted === 1,
          "the call is rejected": rejected === 1,
          ...endsWell(end),
        });
      }),
  },
  {
    id: "B16",
    fault:
      "the output breaks (EPIPE) with answers of 10 MB under way; then close twice, call, notify",
    asked: "ends with 0, nothing unhandled",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        peer.stopReading();
        void peer.send(Array.from({ length: 100 }, (_, id) => `${echo(id, LARGE)}\n`).join(""));
        peer.breakOutput();
        const end = await peer.ended();
        return createOutcome(describeEnd(end), endsWell(end));
      }),
  },
];

function endsWell({ code, counts }: End): Record<string, boolean> {
  return { "ends with 0": code === 0, "nothing is unhandled": counts?.unhandled === 0 };
}

function describeEnd({ code, signal, counts }: End): string {
  const unhandled = counts === undefined ? "" : `, ${counts.unhandled} unhandled`;
  return `ends with ${code ?? signal ?? "?"}${unhandled}`;
}
