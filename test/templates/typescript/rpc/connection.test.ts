import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  Connection,
  type ConnectionOptions,
} from "../../../../templates/typescript/runtime/rpc/connection.js";
import {
  ConnectionClosedError,
  RpcError,
} from "../../../../templates/typescript/runtime/rpc/errors.js";
import type { Report } from "../../../../templates/typescript/runtime/rpc/inbound-requests.js";
import type { TransportReceiver } from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import { createReceiver, type Answers } from "../role/receiver.js";
import { createWire, request, settle, type Wire } from "../role/wire.js";

const SECRET = "hunter2";

describe("a result that JSON cannot hold", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  let deep: unknown = 0;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const throwing = {
    toJSON: () => {
      throw new Error(SECRET);
    },
  };

  test.each([
    ["a BigInt", 1n],
    ["a cycle", cycle],
    ["a toJSON that throws", throwing],
    ["a depth that the writer does not reach", deep],
    ["a function", () => 1],
    ["a symbol", Symbol(SECRET)],
    ["a toJSON that gives nothing", { toJSON: () => undefined }],
  ])("fails its own request only: %s", async (_, value) => {
    const { wire, reports } = connect({
      request: async (method) => (method === "bad" ? value : "good"),
    });
    wire.send(request(1, "bad"), request(2, "good"));
    expect(
      [await wire.next(), await wire.next()].sort((a, b) => Number(a.id) - Number(b.id)),
    ).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
      { jsonrpc: "2.0", id: 2, result: "good" },
    ]);
    expect(reports).toHaveLength(1);
  });

  test("fails its own request also as the data of an error", async () => {
    const { wire } = connect({
      request: async (method) =>
        method === "bad" ? Promise.reject(new RpcError(-32000, "m", 1n)) : "good",
    });
    wire.send(request(1, "bad"));
    expect(await wire.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: "Internal error" },
    });
  });

  test("is answered as null when it is undefined", async () => {
    const { wire } = connect({ request: async () => undefined });
    wire.send(request(1, "m"));
    expect(await wire.next()).toEqual({ jsonrpc: "2.0", id: 1, result: null });
  });
});

describe("a call", () => {
  test("ends when its signal is aborted, asks the peer to cancel, and learns a late result", async () => {
    const { connection, wire } = connect();
    const late: unknown[] = [];
    for (const answer of [
      { error: { code: -32800, message: "Request cancelled" } },
      { result: "partial" },
    ]) {
      const controller = new AbortController();
      const call = connection.request(
        "m",
        {},
        { signal: controller.signal },
        { late: (result) => late.push(result) },
      );
      const { id } = await wire.next();
      controller.abort("stop");
      controller.abort();
      await expect(call).rejects.toBe("stop");
      expect(await wire.next()).toEqual({
        jsonrpc: "2.0",
        method: "$/cancel_request",
        params: { requestId: id },
      });
      for (let n = 0; n < 2; n++) wire.send({ jsonrpc: "2.0", id, ...answer });
    }
    await settle();
    expect(late).toEqual(["partial"]);
  });

  test("with a signal that is aborted already is not sent", async () => {
    const { connection, wire } = connect();
    const call = connection.request("first", {}, { signal: AbortSignal.abort("why") });
    await expect(call).rejects.toBe("why");
    void connection.notify("second", {});
    expect(await wire.next()).toMatchObject({ method: "second" });
  });
});

describe("the end of the input", () => {
  test("aborts handlers that are not done in this time", async () => {
    let signal: AbortSignal | undefined;
    const { connection, wire } = connect(
      {
        request: (method, params, context) => {
          signal = context.signal;
          return untilAborted(method, params, context);
        },
      },
      { limits: { endGraceMs: 30 } },
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    wire.send(request(1, "a"));
    wire.end();
    await settle();
    await vi.advanceTimersByTimeAsync(29);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await connection.closed;
    expect(signal?.reason).toBeInstanceOf(ConnectionClosedError);
    expect(wire.unread).toEqual([]);
  });

  test.each([
    ["with an error", [new Error("broken")]],
    ["in both directions", [undefined, true]],
  ] as const)("leaves no time %s", async (_, end) => {
    let receive: TransportReceiver | undefined;
    const connection = new Connection(
      { start: (given) => (receive = given), send: () => Promise.resolve(), close: () => {} },
      createReceiver({ request: untilAborted }),
      () => {},
    );
    connection.start();
    receive!.message(request(1, "a"));
    receive!.close(...end);
    expect(connection.isOpen).toBe(false);
    expect(connection.endReason).toBe(end[0]);
  });
});

/** Answers only when it is aborted, as a handler that waits for something would. */
const untilAborted: NonNullable<Answers["request"]> = (_method, _params, { signal }) =>
  new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error)),
  );

interface Reported {
  readonly error: unknown;
  readonly method?: string;
}

function connect(
  answers: Answers = {},
  options: ConnectionOptions = {},
): {
  connection: Connection;
  wire: Wire;
  reports: Reported[];
} {
  const wire = createWire();
  const reports: Reported[] = [];
  const report: Report = (error, about) => void reports.push({ error, ...about });
  const connection = new Connection(wire.transport, createReceiver(answers), report, options);
  connection.start();
  return { connection, wire, reports };
}
