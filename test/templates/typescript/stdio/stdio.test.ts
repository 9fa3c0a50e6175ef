import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ConnectionClosedError } from "../../../../templates/typescript/runtime/rpc/errors.js";
import { byteTransport } from "../../../../templates/typescript/runtime/stdio/index.js";
import { connect, createWire, listen, request, settle, uncaughtDuring } from "../role/wire.js";

describe("the end of the input", () => {
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
});
