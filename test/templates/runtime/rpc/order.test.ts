import { describe, expect, test } from "vitest";
import {
  memoryTransports,
  streamTransport,
  type Transport,
  type TransportReceiver,
} from "../../../../templates/runtime/rpc/transport.js";
import { Connection } from "../../../../templates/runtime/rpc/connection.js";
import { IS_DEEP } from "../../../support/deep.js";
import { createReceiver } from "../role/receiver.js";
import { createWire, notification, request, result, settle } from "../role/wire.js";

const ROUNDS = IS_DEEP ? 10_000 : 2000;

describe("the order of the wire", () => {
  test.each(["bytes", "web streams", "memory"] as const)(
    `is kept: in ${ROUNDS} rounds no response resolves before the handlers of the 0 to 50 updates before it have started (%s)`,
    async (kind) => {
      const { transport, deliver } = transports[kind]();
      const started: string[] = [];
      const expected: string[] = [];
      const connection = new Connection(
        transport,
        createReceiver({
          // A handler that awaits, each for another time.
          notification: async (_method, params) => {
            const { name, turns } = params as { name: string; turns: number };
            started.push(name);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          },
        }),
        () => {},
      );
      connection.start();
      let inversions = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const updates = Array.from({ length: round % 51 }, (_, n) => `${round}.${n}`);
        expected.push(...updates);
        const call = connection.request("prompt", {}).then(() => {
          if (started.length !== expected.length) inversions++;
        });
        deliver([
          ...updates.map((name, n) => notification("update", { name, turns: (n * 7) % 5 })),
          result(round, {}),
        ]);
        await call;
      }
      expect(inversions).toBe(0);
      expect(started).toEqual(expected);
      expect(started.length).toBeGreaterThan(24 * ROUNDS);
    },
    20_000,
  );
});

describe("what follows a response", () => {
  /** Continues as the caller of a call that has many wrappers. */
  const throughWrappers = async (call: Promise<unknown>): Promise<unknown> => {
    let wrapped = call;
    for (let level = 0; level < 20; level++) {
      const inner = wrapped;
      wrapped = (async () => inner)();
    }
    return wrapped;
  };

  test.each(["bytes", "web streams", "memory"] as const)(
    "is handled after the caller has continued, one response after the other (%s)",
    async (kind) => {
      const { transport, deliver } = transports[kind]();
      const order: string[] = [];
      const connection = new Connection(
        transport,
        createReceiver({
          request: (method) => void order.push(method),
          notification: (method) => void order.push(method),
        }),
        () => {},
      );
      connection.start();
      const settled = (name: string) => (): void => void order.push(name);
      void throughWrappers(connection.request("a", {})).then(settled("a has ended"));
      void throughWrappers(connection.request("b", {})).catch(settled("b has ended"));
      deliver([
        notification("first"),
        result(0, {}),
        notification("second"),
        request(1, "third"),
        { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
        notification("fourth"),
      ]);
      await settle();
      const [a, b] = ["a has ended", "b has ended"];
      expect(order).toEqual(["first", a, "second", "third", b, "fourth"]);
    },
  );

  test("keeps its order when it is malformed input or the end", async () => {
    const { receive, connection, order } = connectDirectly();
    void connection.request("a", {}).then(() => order.push("a has ended"));
    receive.message(result(0, {}));
    receive.invalid(-32700, "Parse error", "no JSON");
    receive.message(notification("n"));
    receive.close();
    await connection.closed;
    expect(order).toEqual(["a has ended", "malformed", "n", "closed"]);
  });

  test("is dropped when the caller closes the connection", async () => {
    const { receive, connection, order } = connectDirectly();
    void connection.request("a", {}).then(() => connection.close());
    for (const message of [result(0, {}), notification("n"), notification("n")])
      receive.message(message);
    await settle();
    expect(order).toEqual(["closed"]);
  });

  test("does not wait for work that never pauses", async () => {
    const { receive, connection, order } = connectDirectly();
    void connection.request("a", {});
    receive.message(result(0, {}));
    let sent = 0;
    while (order.length === 0 && sent++ < 10_000) {
      receive.message(notification("n"));
      await Promise.resolve();
    }
    expect(sent).toBeGreaterThan(50);
    expect(sent).toBeLessThan(1000);
    expect(order).toHaveLength(sent);
  });
});

/** A connection whose input a test calls. */
function connectDirectly(): {
  readonly connection: Connection;
  readonly receive: TransportReceiver;
  /** The methods of the notifications, `malformed` and `closed`. */
  readonly order: string[];
} {
  const order: string[] = [];
  let receive: TransportReceiver | undefined;
  const connection = new Connection(
    { start: (given) => (receive = given), send: () => Promise.resolve(), close: () => {} },
    createReceiver({ notification: (method) => void order.push(method) }),
    () => void order.push("malformed"),
  );
  void connection.closed.then(() => order.push("closed"));
  connection.start();
  return { connection, order, receive: receive! };
}

/** A transport, and the way to bring messages to it. */
interface Opened {
  readonly transport: Transport;
  /** Brings messages to the transport, together. */
  deliver(messages: readonly object[]): void;
}

const transports: Readonly<Record<"bytes" | "web streams" | "memory", () => Opened>> = {
  bytes: () => {
    const wire = createWire();
    return { transport: wire.transport, deliver: (messages) => wire.send(...messages) };
  },
  "web streams": () => {
    let incoming: ReadableStreamDefaultController<unknown>;
    const readable = new ReadableStream<unknown>({
      start: (controller) => {
        incoming = controller;
      },
    });
    return {
      transport: streamTransport({ readable, writable: new WritableStream() }),
      deliver: (messages) => messages.forEach((message) => incoming.enqueue(message)),
    };
  },
  memory: () => {
    const [near, far] = memoryTransports();
    far.start({ message: () => {}, invalid: () => {}, close: () => {} });
    return {
      transport: near,
      deliver: (messages) => messages.forEach((message) => void far.send(message)),
    };
  },
};
