import { createOutcome, runCases, withPeer, type Case, type Fault } from "../fault.js";
import { describe, echo, isRefusal } from "../wire.js";

const MIB = 1024 * 1024;

/** Bytes that are not UTF-8, after Markus Kuhn's stress test, and the two forms of UTF-16. */
const NOT_UTF8: Readonly<Record<string, readonly number[]>> = {
  "a continuation byte alone": [0x80],
  "a first byte alone": [0xc3],
  "a sequence without its last byte": [0xe2, 0x82],
  "an impossible byte": [0xff],
  "an overlong slash": [0xc0, 0xaf],
  "an overlong NUL": [0xe0, 0x80, 0x80],
  "a surrogate": [0xed, 0xa0, 0x80],
  "a pair of surrogates": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  "a code point beyond the last": [0xf4, 0x90, 0x80, 0x80],
  "five bytes": [0xf8, 0x88, 0x80, 0x80, 0x80],
};

const notUtf8: readonly Case[] = Object.entries(NOT_UTF8).map(([name, bytes]) => ({
  name,
  run: async (peer) => {
    const [start, end] = echo(1, "|").split("|");
    const line = [Buffer.from(start!), Buffer.from(bytes), Buffer.from(`${end!}\n`)];
    const answers = await peer.exchange(Buffer.concat(line));
    return isRefusal(answers, -32700) ? undefined : describe(answers);
  },
}));

export const framing: readonly Fault[] = [
  {
    id: "B1",
    fault: "a line of 33 MiB",
    asked: "one -32600 with its id, growth ≤ 96 MiB, alive",
    run: (library) =>
      withPeer(library, {}, async (peer) => {
        const before = peer.memory();
        void peer.send(`${echo(1, "x".repeat(33 * MIB))}\n`);
        const answer = await peer.message(({ id }) => id === null || id === 1);
        const growth = peer.memory() - before;
        await peer.ping();
        return createOutcome(`${describe([answer])}, +${growth.toFixed()} MiB, alive`, {
          "one refusal with its id": isRefusal([answer, ...peer.take()], -32600, 1),
          "growth within 96 MiB": growth <= 96,
        });
      }),
  },
  {
    id: "B3",
    fault: "invalid UTF-8 in a string",
    asked: "-32700 with id null, never U+FFFD to a handler",
    run: (library) => runCases(library, notUtf8),
  },
];
