import { createOutcome, withPeer, type Fault } from "../fault.js";
import type { End } from "../peer.js";
import { echo } from "../wire.js";

const LARGE = "x".repeat(100_000);

export const ends: readonly Fault[] = [
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
