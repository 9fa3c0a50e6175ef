import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ConnectionClosedError } from "../../../../templates/runtime/rpc/errors.js";
import { byteTransport } from "../../../../templates/runtime/stdio/index.js";
import {
  connect,
  createWire,
  listen,
  notification,
  request,
  result,
  settle,
  uncaughtDuring,
} from "../role/wire.js";

const SECRET = "hunter2";

describe("a line that is not a message", () => {
  test.each([
    ["no JSON", `{"secret": ${SECRET}`, -32700, "Parse error"],
    ["no JSON, nested deeply", "[".repeat(200_000), -32700, "Parse error"],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700, "Parse error"],
    ["too long", `"${SECRET.repeat(50_000)}"`, -32600, "Line too long"],
  ])(
    "is answered once, without an id and without an echo, and the next is read: %s",
    async (_, line, code, message) => {
      const handled: unknown[] = [];
      const wire = createWire(300_000);
      connect(wire.transport, {
        request: async (_method, params) => {
          handled.push(params);
          return "alive";
        },
      });
      wire.write(line);
      wire.write("\r\n");
      wire.send(request(1, "probe", { alive: true }));
      expect(await wire.nextLine()).toBe(
        JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }),
      );
      expect(await wire.next()).toMatchObject({ id: 1, result: "alive" });
      expect(handled).toEqual([{ alive: true }]);
    },
  );
});

describe("the end of the input", () => {
  test.each(["", "\n"])(
    "delivers the message right before it, then closes (its line ends with %j)",
    async (end) => {
      const wire = createWire();
      const handled: string[] = [];
      const connection = connect(wire.transport, {
        notification: (method) => void handled.push(method),
      });
      const call = connection.request("m", {});
      wire.write(`${JSON.stringify(notification("first"))}\n`);
      wire.write(`${JSON.stringify(notification("last"))}${end}`);
      wire.end();
      await expect(call).rejects.toThrow(ConnectionClosedError);
      expect(handled).toEqual(["first", "last"]);
    },
  );

  test("in the same tick as the last of up to 100 messages loses none and answers each, in 100 of 100 runs", async () => {
    let whole = 0;
    for (let round = 1; round <= 100; round++) {
      const wire = createWire();
      const connection = connect(wire.transport, { request: async (method) => method });
      const call = connection.request("m", {});
      for (let id = 0; id < round; id++) wire.send(request(id, `m${id}`));
      wire.end();
      await expect(call).rejects.toThrow(ConnectionClosedError);
      await connection.closed;
      await settle();
      const answers = wire.unread.map((line) => (JSON.parse(line) as { result?: string }).result);
      if (answers.slice(1).join() === Array.from({ length: round }, (_, id) => `m${id}`).join())
        whole++;
    }
    console.info(`end of file in the same tick: ${whole} of 100 rounds whole`);
    expect(whole).toBe(100);
  });

  test("is noticed also when the input is destroyed without one", async () => {
    const wire = createWire();
    const connection = connect(wire.transport);
    const call = connection.request("m", {});
    wire.input.destroy();
    await expect(call).rejects.toThrow(ConnectionClosedError);
    await connection.closed;
  });

  test("is noticed also when it came before the transport was started", async () => {
    const cause = new Error("closed");
    const uncaught = await uncaughtDuring(async () => {
      for (const error of [undefined, cause]) {
        const wire = createWire();
        wire.input.destroy(error);
        await settle();
        const connection = connect(wire.transport);
        await connection.closed;
        const refused: unknown = await connection.request("m", {}).catch((reason) => reason);
        expect(refused).toBeInstanceOf(ConnectionClosedError);
        expect((refused as Error).cause).toBe(error);
      }
    });
    expect(uncaught).toEqual([]);
  });
});

describe("an output that is blocked", () => {
  test("holds a send until it drains, all who wait with one listener", async () => {
    const output = new PassThrough({ highWaterMark: 16 });
    const transport = byteTransport(new PassThrough(), output);
    const listeners = output.listenerCount("drain") + output.listenerCount("close");
    let sent = 0;
    for (let n = 0; n < 100; n++) void transport.send({ n }).then(() => sent++);
    await settle();
    expect(sent).toBeLessThan(3);
    expect(output.listenerCount("drain") + output.listenerCount("close")).toBeLessThanOrEqual(
      listeners + 2,
    );
    output.resume();
    await settle();
    expect(sent).toBe(100);
    output.pause();
    for (let n = 0; n < 100; n++) void transport.send({ n }).then(() => sent++);
    await settle();
    expect(sent).toBeLessThan(103);
    output.resume();
    await settle();
    expect(sent).toBe(200);
    expect(output.listenerCount("drain") + output.listenerCount("close")).toBe(listeners);
  });

  test("loses nothing and keeps the order", async () => {
    const output = new PassThrough({ highWaterMark: 16 });
    const transport = byteTransport(new PassThrough(), output);
    for (let n = 0; n < 1000; n++) void transport.send({ n });
    transport.close();
    let text = "";
    for await (const chunk of output) text += String(chunk);
    expect(text).toBe(Array.from({ length: 1000 }, (_, n) => `{"n":${n}}\n`).join(""));
  });
});

describe("an output that is closed", () => {
  test("fails the calls that need it, without unhandled rejections", async () => {
    const uncaught = await uncaughtDuring(async () => {
      const wire = createWire();
      const connection = connect(wire.transport, { request: async () => ({}) });
      wire.output.destroy(new Error("EPIPE"));
      await settle();
      void connection.notify("floating", {});
      wire.send(request(1, "m"));
      await expect(connection.request("m", {})).rejects.toThrow("closed");
      wire.end();
      await connection.closed;
      void connection.notify("floating", {});
      connection.close();
    });
    expect(uncaught).toEqual([]);
  });

  test("does not lose the messages that the peer sent before", async () => {
    const wire = createWire();
    const handled: string[] = [];
    const connection = connect(wire.transport, {
      notification: (method) => void handled.push(method),
    });
    const call = connection.request("m", {});
    wire.output.destroy(new Error("EPIPE"));
    await settle();
    wire.send(notification("last words"), result(0, "answered"));
    wire.end();
    await expect(call).resolves.toBe("answered");
    await connection.closed;
    expect(handled).toEqual(["last words"]);
  });

  test.each(["after", "before"])(
    "closes the connection soon also when the input stays open, %s the start",
    async (when) => {
      const wire = createWire();
      const cause = new Error("EPIPE");
      const uncaught = await uncaughtDuring(async () => {
        if (when === "before") wire.output.destroy(cause);
        await settle();
        const connection = connect(wire.transport);
        if (when === "after") wire.output.destroy(cause);
        await connection.closed;
        const refused: unknown = await connection.request("m", {}).catch((reason) => reason);
        expect((refused as Error).cause).toBe(cause);
      });
      expect(uncaught).toEqual([]);
      expect(wire.input.destroyed).toBe(true);
    },
  );

  test("is the same when it throws instead", async () => {
    const output = new Writable({
      write: () => {
        throw new Error("EPIPE");
      },
    });
    const input = new PassThrough();
    const uncaught = await uncaughtDuring(async () => {
      const connection = connect(byteTransport(input, output));
      await expect(connection.request("m", {})).rejects.toThrow("EPIPE");
      connection.close();
    });
    expect(uncaught).toEqual([]);
  });
});

describe("a byte transport that is closed", () => {
  test("may be closed again, reports its end once, and rejects later sends without unhandled rejections", async () => {
    const uncaught = await uncaughtDuring(async () => {
      for (const isDestroyed of [false, true]) {
        const wire = createWire();
        const received = listen(wire.transport);
        if (isDestroyed) wire.output.destroy(new Error("EPIPE"));
        wire.transport.close();
        wire.transport.close();
        void wire.transport.send({ floating: true });
        await expect(wire.transport.send({})).rejects.toThrow("the output is closed");
        await received.closed;
        wire.transport.close();
        await settle();
        expect(received.closes).toEqual([undefined]);
      }
    });
    expect(uncaught).toEqual([]);
  });

  test("whose output throws instead of failing causes no unhandled rejections, also of unawaited sends", async () => {
    const output = new Writable({
      write: () => {
        throw new Error("EPIPE");
      },
    });
    const uncaught = await uncaughtDuring(async () => {
      const connection = connect(byteTransport(new PassThrough(), output));
      void connection.notify("floating", {});
      connection.close();
      connection.close();
    });
    expect(uncaught).toEqual([]);
  });
});
