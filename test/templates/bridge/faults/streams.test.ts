import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { IS_DEEP } from "../../../support/deep.js";
import { createRandom } from "../../../use/samples/random.js";
import { HELLO, start } from "./running.js";

const SEED = process.env["SEED"] ?? "bridge";
const LIST = "session/list";
const WORDS = ["plain", "ä€😀", "\u2028", '"\\', "\u0000", ""];

/** Answers with what it was given, in pieces that end anywhere. */
const ECHO_IN_PIECES = `
  let state = 7;
  const below = (limit) => (state = (state * 48271) % 2147483647) % limit;
  const pieces = [];
  const take = ({ id, params }) => {
    const result = { sessions: [], _meta: params._meta };
    let bytes = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\r\\n");
    while (bytes.length > 0) {
      const size = 1 + below(bytes.length);
      pieces.push(bytes.subarray(0, size));
      bytes = bytes.subarray(size);
    }
  };
  setInterval(() => { if (pieces.length > 0) process.stdout.write(pieces.shift()); }, 0);
  process.stdin.on("end", () => process.exit(0));`;

describe("lines that end anywhere in what is read", () => {
  test.each(Array.from({ length: IS_DEEP ? 30 : 2 }, (_, index) => index))(
    "are whole messages to both sides: %i",
    async (index) => {
      const random = createRandom(`${SEED} ${index}`);
      const { child, send, until, code } = start(ECHO_IN_PIECES);
      send(HELLO);
      await until(0);
      const sent = Array.from({ length: 60 }, (_, id) => ({
        jsonrpc: "2.0",
        id: id + 1,
        method: LIST,
        params: { _meta: { word: Array.from({ length: 9 }, () => random.pick(WORDS)).join("") } },
      }));
      let bytes = Buffer.from(sent.map((message) => `${JSON.stringify(message)}\n`).join(""));
      while (bytes.length > 0) {
        const size = 1 + random.below(Math.min(bytes.length, 200));
        child.stdin.write(bytes.subarray(0, size));
        bytes = bytes.subarray(size);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const [, ...answers] = await until(sent.length);
      expect(answers.map(({ id, result }) => [id, (result as { _meta: unknown })._meta])).toEqual(
        sent.map(({ id, params }) => [id, params._meta]),
      );
      child.stdin.end();
      expect(await code).toBe(0);
    },
  );
});

/** Resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kibibytes) * 1024;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const MEGABYTES = IS_DEEP ? 200 : 60;
const GROWTH = 40 * 2 ** 20;

describe.skipIf(process.platform !== "linux")("a side that sends without end", () => {
  test("is not read while an editor does not read, and nothing is lost", async () => {
    const { child, send, until, code } = start(`
      const content = { type: "text", text: "x".repeat(1000) };
      let left = ${MEGABYTES * 1000};
      const flood = () => {
        while (left > 0) {
          const update = { sessionUpdate: "agent_message_chunk", messageId: String(left--), content };
          const params = { sessionId: "s", update };
          const line = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }) + "\\n";
          if (!process.stdout.write(line)) return process.stdout.once("drain", flood);
        }
        send({ id: 1, result: { sessions: [] } });
      };
      const take = flood;
      process.stdin.on("end", () => process.exit(0));`);
    send(HELLO);
    await until(0);
    const before = memoryOf(child.pid!);
    child.stdout.removeAllListeners("data").pause();
    send({ id: 1, method: LIST, params: {} });
    await pause(1500);
    expect(memoryOf(child.pid!) - before).toBeLessThan(GROWTH);
    let [count, last, rest] = [0, "", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop()!;
      count += lines.length;
      last = lines.at(-1) ?? last;
    });
    child.stdout.resume();
    while (!last.includes('"id":1')) await pause(20);
    expect(count).toBe(MEGABYTES * 1000 + 1);
    child.stdin.end();
    expect(await code).toBe(0);
  });

  test("is not read while an agent does not read", async () => {
    const { child, send, until, code } = start(
      "const take = () => process.stdin.pause(); setInterval(() => {}, 1000);",
    );
    send(HELLO);
    await until(0);
    const before = memoryOf(child.pid!);
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "_note", params: { text: "x".repeat(10_000) } })}\n`;
    for (let left = MEGABYTES * 100; left > 0; left--) child.stdin.write(line);
    await pause(1500);
    expect(memoryOf(child.pid!) - before).toBeLessThan(GROWTH);
    expect(child.stdin.writableLength).toBeGreaterThan((MEGABYTES - 10) * 2 ** 20 * 0.9);
    child.kill();
    await code;
  });
});
