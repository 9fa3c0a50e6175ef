import { setFlagsFromString } from "node:v8";
import { describe, expect, test } from "vitest";
import {
  Connection,
  type ConnectionOptions,
} from "../../../../templates/typescript/runtime/rpc/connection.js";
import { createReceiver, type Answers } from "../role/receiver.js";
import { createWire, notification, request, result, settle, type Wire } from "../role/wire.js";

setFlagsFromString("--expose-gc");

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
  test("may wait longer than timers can", async () => {
    const { connection, wire } = connect({}, {});
    const call = connection.request("m", {}, { timeoutMs: 2 ** 31 });
    await wire.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    wire.send(result(0, "late"));
    await expect(call).resolves.toBe("late");
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
