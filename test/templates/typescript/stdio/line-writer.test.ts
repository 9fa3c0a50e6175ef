import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { byteTransport } from "../../../../templates/typescript/runtime/stdio/index.js";
import { createLineWriter } from "../../../../templates/typescript/runtime/stdio/line-writer.js";
import { runScript } from "./script.js";

function createOutput(): { stream: PassThrough; chunks: string[] } {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  return { stream, chunks };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test("the first line of a turn is written at once, those after it together at its end", async () => {
  const { stream, chunks } = createOutput();
  const writer = createLineWriter(stream);
  for (const line of ["1", "2", "3"]) void writer.write(`${line}\n`);
  await settle();
  void writer.write("4\n");
  await settle();
  expect(chunks).toEqual(["1\n", "2\n3\n", "4\n"]);
});

test("many lines of one turn are written before its end when they fill the output", async () => {
  const { stream } = createOutput();
  const writer = createLineWriter(stream);
  const line = `${"x".repeat(1000)}\n`;
  let most = 0;
  for (let n = 0; n < 1000; n++) {
    await writer.write(line);
    most = Math.max(most, stream.writableLength);
  }
  await settle();
  expect(most).toBeLessThan(2 * stream.writableHighWaterMark);
});

test("buffered lines are written when the transport is closed in the same turn", async () => {
  const { stream, chunks } = createOutput();
  const transport = byteTransport(new PassThrough(), stream);
  for (let n = 0; n < 3; n++) void transport.send({ n });
  transport.close();
  await settle();
  expect(chunks.join("")).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
});

test("buffered lines are written when the process exits in the same turn", async () => {
  const script = runScript(`
    const transport = stdio();
    for (let n = 0; n < 5; n++) void transport.send({ n });
    process.exit(0);`);
  const output: string[] = [];
  for await (const chunk of script.stdout!) output.push(String(chunk));
  expect(output.join("").split("\n")).toHaveLength(6);
});

test("a write that throws rejects, and closes the output", async () => {
  const { stream } = createOutput();
  const failure = new Error("no");
  stream.write = () => {
    throw failure;
  };
  stream.on("error", () => {});
  const writer = createLineWriter(stream);
  await expect(writer.write("1\n")).rejects.toBe(failure);
  await expect(writer.write("2\n")).rejects.toThrow("the output is closed");
});
