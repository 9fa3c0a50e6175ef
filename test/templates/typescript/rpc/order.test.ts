import { describe, expect, test } from "vitest";
import type { TransportReceiver } from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import { Connection } from "../../../../templates/typescript/runtime/rpc/connection.js";
import { createReceiver } from "../role/receiver.js";
import { notification, result, settle } from "../role/wire.js";

describe("what follows a response", () => {
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
