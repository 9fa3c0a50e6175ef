import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  Connection,
  type ConnectionOptions,
} from "../../../../templates/typescript/runtime/rpc/connection.js";
import { RequestTimeoutError } from "../../../../templates/typescript/runtime/rpc/errors.js";
import { createReceiver, type Answers } from "../role/receiver.js";
import { createWire, notification, request, result, settle, type Wire } from "../role/wire.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("requests in flight", () => {
  test("above the limit are refused with a code of their own and reach no handler; later ones are served again", async () => {
    const running: (() => void)[] = [];
    const { connection, wire } = connect(
      { request: () => new Promise((resolve) => running.push(() => resolve("done"))) },
      { limits: { maxInFlight: 3 } },
    );
    wire.send(...[1, 2, 3, 4, 5].map((id) => request(id, "m")));
    for (const id of [4, 5]) {
      expect(await wire.next()).toEqual({
        jsonrpc: "2.0",
        id,
        error: { code: -32029, message: "Too many requests" },
      });
    }
    expect([running.length, connection.running]).toEqual([3, 3]);
    running.forEach((end) => end());
    for (const id of [1, 2, 3]) expect(await wire.next()).toMatchObject({ id, result: "done" });
    expect(connection.running).toBe(0);
    wire.send(request(6, "m"));
    await settle();
    expect(running).toHaveLength(4);
  });
});

describe("invalid messages", () => {
  test("are answered, and close the connection when too many come in a row", async () => {
    const { connection, wire } = connect({}, { limits: { maxInvalidInRow: 3 } });
    const call = connection.request("m", {});
    await wire.next();
    wire.write("x\n{}\n[]\n1\n");
    for (const code of [-32700, -32600, -32600])
      expect(await wire.next()).toMatchObject({ id: null, error: { code } });
    await expect(call).rejects.toMatchObject({
      cause: { name: "AcpError", message: "3 messages in a row were malformed" },
    });
    await connection.closed;
    await settle();
    expect(wire.unread).toEqual([]);
  });

  test("are counted from zero after every valid message", async () => {
    const { wire } = connect({}, { limits: { maxInvalidInRow: 2 } });
    for (let round = 0; round < 10; round++) {
      wire.write("x\n");
      wire.send(request(round, "m"));
      expect(await wire.next()).toMatchObject({ error: { code: -32700 } });
      expect(await wire.next()).toMatchObject({ id: round, result: {} });
    }
  });
});

describe("a handler that ignores its cancellation", () => {
  test("is answered within the grace period; its later result is dropped", async () => {
    let end: ((value: string) => void) | undefined;
    const { connection, wire, reports } = connect(
      { request: () => new Promise((resolve) => (end = resolve)) },
      { limits: { cancelGraceMs: 20 } },
    );
    wire.send(request(1, "m"), notification("$/cancel_request", { requestId: 1 }));
    expect(await wire.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32800, message: "Request cancelled" },
    });
    end!("late");
    await settle();
    expect(wire.unread).toEqual([]);
    expect([connection.running, reports]).toEqual([0, []]);
  });

  test("is answered with the result of a cancelled request when it fails, and when it is cancelled several times", async () => {
    const causes: unknown[] = [];
    const result = { stopReason: "cancelled" };
    const { connection, wire } = connect({
      request: (_method, _params, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => setTimeout(reject, 5, new Error("aborted"))),
        ),
      cancelled: (_method, by) => {
        causes.push(by);
        return by === "turn" ? { result, waits: true } : undefined;
      },
    });
    wire.send(request(1, "m"));
    await settle();
    connection.cancelRequests(({ id }) => id === 1);
    wire.send(notification("$/cancel_request", { requestId: 1 }));
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: 1, result });
    expect(causes).toEqual(["turn"]);
  });
});

describe("a call", () => {
  test("that is not answered in its time is rejected, and the peer is asked to cancel it", async () => {
    const { connection, wire } = connect();
    const call = connection.request("slow", {}, { timeoutMs: 10 });
    await expect(call).rejects.toThrow(RequestTimeoutError);
    await expect(call).rejects.toThrow("slow was not answered within 10 ms");
    expect(await wire.next()).toMatchObject({ id: 0, method: "slow" });
    expect(await wire.next()).toMatchObject({
      method: "$/cancel_request",
      params: { requestId: 0 },
    });
    wire.send(result(0, "late"));
    await settle();
    expect([connection.pending, connection.ignored]).toEqual([0, 1]);
  });

  test("may wait longer than timers can", async () => {
    const { connection, wire } = connect({}, {});
    const call = connection.request("m", {}, { timeoutMs: 2 ** 31 });
    await wire.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    wire.send(result(0, "late"));
    await expect(call).resolves.toBe("late");
  });

  test("that is answered in its time is not disturbed by it later", async () => {
    const { connection, wire } = connect();
    const call = connection.request("quick", {}, { timeoutMs: 10 });
    wire.send(result((await wire.next()).id, "done"));
    await expect(call).resolves.toBe("done");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wire.unread).toEqual([]);
  });

  test("that was aborted is rejected when the peer does not answer within the grace period", async () => {
    const { connection, wire } = connect({}, { limits: { cancelGraceMs: 10 } });
    const controller = new AbortController();
    const call = connection.request("m", {}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(await wire.next()).toMatchObject({ method: "m" });
    expect(await wire.next()).toMatchObject({ method: "$/cancel_request" });
    expect(connection.pending).toBe(0);
  });

  test("releases its memory: 100,000 that time out or are rejected", async () => {
    const { connection } = connectSilently({ limits: { cancelGraceMs: 1 } });
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 100; round++) {
      const controller = new AbortController();
      const calls = Array.from({ length: 1000 }, (_, n) =>
        connection
          .request("m", {}, n % 2 === 0 ? { timeoutMs: 1 } : { signal: controller.signal })
          .catch(() => "ended"),
      );
      controller.abort();
      expect(new Set(await Promise.all(calls))).toEqual(new Set(["ended"]));
    }
    expect(connection.pending).toBe(0);
    collectGarbage();
    const grown = (process.memoryUsage().heapUsed - before) / 1e6;
    expect(grown).toBeLessThan(5);
    console.info(`100,000 abandoned calls: 0 left, heap ${grown.toFixed(1)} MB above the start`);
  });
});

describe("a response", () => {
  test("that is late, unknown, invalid or also a call is ignored and counted, never answered, and the first are reported: 100,000 of them", async () => {
    const { connection, wire, reports } = connect();
    const kinds = [
      { jsonrpc: "2.0", id: 99, result: {} },
      { jsonrpc: "2.0", id: "0", result: {} },
      { jsonrpc: "2.0", id: null, error: { code: 1, message: "m" } },
      { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "m" } },
      { jsonrpc: "2.0", id: 1, method: "m", result: {} },
    ];
    for (let n = 0; n < 20_000; n++) wire.send(...kinds);
    wire.send(request(1, "alive"));
    expect(await wire.next()).toMatchObject({ id: 1, result: {} });
    expect([connection.ignored, reports.length]).toEqual([100_000, 20]);
    expect(String(reports.at(-1))).toContain("further ones are only counted");
    expect(wire.unread).toEqual([]);
  });
});

function connect(
  answers: Answers = {},
  options: ConnectionOptions = {},
): { connection: Connection; wire: Wire; reports: unknown[] } {
  const wire = createWire();
  const reports: unknown[] = [];
  const connection = new Connection(
    wire.transport,
    createReceiver(answers),
    (error) => void reports.push(error),
    options,
  );
  connection.start();
  return { connection, wire, reports };
}

/** A connection to a peer that takes everything and says nothing. */
function connectSilently(options: ConnectionOptions): { connection: Connection } {
  const transport = { start: () => {}, send: () => Promise.resolve(), close: () => {} };
  const connection = new Connection(transport, createReceiver(), () => {}, options);
  connection.start();
  return { connection };
}
