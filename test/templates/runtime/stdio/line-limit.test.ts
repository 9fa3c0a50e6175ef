import { describe, expect, test } from "vitest";
import { IS_DEEP } from "../../../support/deep.js";
import { createWire, connect, request } from "../role/wire.js";
import { readLine, runScript } from "./script.js";

const LIMIT = 8 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** How many megabytes it may take: twice the limit, and 32. */
const ALLOWED = 2 * 8 + 32;

/** A request whose line has exactly that many bytes. */
function requestOf(bytes: number, id: number): string {
  const line = (padding: string): string => JSON.stringify(request(id, "m", { padding }));
  return line("x".repeat(bytes - line("").length));
}

describe("a line of the limit", () => {
  test.each(["\n", "\r\n"])(
    "is answered, one byte more gets a single -32600, and the next is read (ends %j)",
    async (end) => {
      const wire = createWire(1000);
      connect(wire.transport, {
        request: async (_method, params) => Object.keys(params as object),
      });
      wire.write(requestOf(1000, 1) + end);
      expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: 1, result: ["padding"] });
      wire.write(requestOf(1001, 2) + end);
      wire.write(requestOf(1000, 3) + end);
      expect(await wire.next()).toEqual({
        jsonrpc: "2.0",
        id: 2,
        error: { code: -32600, message: "Line too long" },
      });
      expect(await wire.next()).toMatchObject({ id: 3 });
      expect(wire.unread).toEqual([]);
    },
  );
});

test.each([
  ["chunks of 64 KiB", 64 * 1024, (IS_DEEP ? 512 : 96) * MEGABYTE],
  ["chunks of 16 bytes", 16, 10 * MEGABYTE],
])(
  "a line of the limit, one of a byte more and an endless one take at most twice the limit and 32 MiB: %s",
  async (_, chunk, endless) => {
    const measured = (await readLine(runScript(measure(chunk, endless)))) as Measured;
    const growth = measured.growth / MEGABYTE;
    console.info(
      `line limit 8 MiB, chunks of ${chunk} bytes: peak memory grew by ${growth.toFixed(1)} MiB, ${ALLOWED} allowed`,
    );
    expect(measured.answers).toEqual([
      { id: 1, result: LIMIT },
      { id: 2, error: { code: -32600, message: "Line too long" } },
      { id: 3, error: { code: -32600, message: "Line too long" } },
      { id: 4, result: 90 },
    ]);
    expect(growth).toBeLessThan(ALLOWED);
  },
);

interface Measured {
  readonly answers: readonly object[];
  /** How much higher the peak of the memory was than before, in bytes. */
  readonly growth: number;
}

/** Prints what a connection answers to lines of the limit, beyond, and without an end, and the memory it took. */
function measure(chunk: number, endless: number): string {
  return `
    import { Readable, Writable } from "node:stream";
    import { setFlagsFromString } from "node:v8";
    import { runInNewContext } from "node:vm";
    const filler = Buffer.alloc(${chunk}, "x");
    function* padded(id, size) {
      const head = '{"jsonrpc":"2.0","id":' + id + ',"method":"m","params":{"size":' + size + ',"padding":"';
      const tail = '"}}';
      yield Buffer.from(head);
      let left = size - head.length - tail.length;
      for (; left > filler.length; left -= filler.length) yield filler;
      yield Buffer.from("x".repeat(left) + tail + "\\n");
    }
    function* all() {
      // Ordinary load first: the engine's own needs are no growth.
      for (let n = 0; n < 10_000; n++) yield* padded(0, 1024);
      yield* padded(1, ${LIMIT});
      yield* padded(2, ${LIMIT + 1});
      yield* padded(3, ${endless});
      yield* padded(4, 90);
    }
    const chunks = all();
    // A collector that comes late would count as growth.
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    let uncollected = 0;
    const input = new Readable({
      read() {
        const { value = null } = chunks.next();
        uncollected += value?.length ?? 0;
        if (uncollected >= ${MEGABYTE}) {
          uncollected = 0;
          collect();
        }
        // Answers come between the lines.
        if (value?.[0] === 0x7b) setImmediate(() => this.push(value));
        else this.push(value);
      },
    });
    const answers = [];
    const output = new Writable({
      write(line, _, done) {
        const { jsonrpc, ...answer } = JSON.parse(line);
        if (answer.id !== 0) answers.push(answer);
        done();
      },
    });
    let before;
    const receiver = {
      request: async ({ params: { size } }) => {
        if (size === 1024) before = process.resourceUsage().maxRSS;
        return size;
      },
      notification: () => {},
    };
    const connection = new Connection(byteTransport(input, output, { maxLineBytes: ${LIMIT} }), receiver, () => {});
    connection.start();
    await connection.closed;
    const growth = (process.resourceUsage().maxRSS - before) * 1024;
    console.log(JSON.stringify({ answers, growth }));`;
}
