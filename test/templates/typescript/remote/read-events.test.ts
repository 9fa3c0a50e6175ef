import { describe, expect, test } from "vitest";
import {
  readEvents,
  type ServerEvent,
} from "../../../../templates/typescript/runtime/remote/client/read-events.js";

/** Reads events from pieces of bytes. */
async function read(
  pieces: readonly (string | Uint8Array)[],
  maxLength = 1000,
): Promise<ServerEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  const { signal } = new AbortController();
  for await (const some of readEvents(body, maxLength, Infinity, signal)) events.push(...some);
  return events;
}

const STREAM = 'id: 7\nevent: message\ndata: {"text":"ü"}\n\n: comment\n\ndata:a\ndata: b\n\n';
const EVENTS = [
  { id: "7", data: '{"text":"ü"}' },
  { id: undefined, data: "a\nb" },
];
const LINE_ENDS = ["\n", "\r\n", "\r"];

describe("a stream of events", () => {
  test.each(LINE_ENDS)(
    "is read with all fields and comments, with lines that end in %j",
    async (end) => {
      expect(await read([STREAM.replaceAll("\n", end)])).toEqual(EVENTS);
    },
  );

  test.each(LINE_ENDS)("is the same wherever it is cut into pieces, with %j", async (end) => {
    const bytes = new TextEncoder().encode(STREAM.replaceAll("\n", end));
    for (let cut = 1; cut < bytes.length; cut++)
      expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(EVENTS);
  });

  test("ends without the event that was cut off", async () => {
    expect(await read(["data: whole\n\ndata: half\n"])).toEqual([{ id: undefined, data: "whole" }]);
  });

  test("fails on an event above the limit, however it arrives, and on invalid UTF-8", async () => {
    const long = "x".repeat(600);
    await expect(read([`data: ${long}`, long])).rejects.toThrow("too long");
    await expect(read([`data: ${long}\ndata: ${long}\n`])).rejects.toThrow("too long");
    await expect(read([new Uint8Array([0xff, 0x0a])])).rejects.toThrow(TypeError);
  });
});
