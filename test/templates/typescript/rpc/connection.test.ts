import { describe, expect, test } from "vitest";
import {
  Connection,
  type ConnectionOptions,
} from "../../../../templates/typescript/runtime/rpc/connection.js";
import { RpcError } from "../../../../templates/typescript/runtime/rpc/errors.js";
import type { Report } from "../../../../templates/typescript/runtime/rpc/inbound-requests.js";
import { createReceiver, type Answers } from "../role/receiver.js";
import { createWire, request, type Wire } from "../role/wire.js";

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
