import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  webSocketTransport,
  type WebSocketOptions,
} from "../../../../templates/typescript/runtime/remote/web-socket-transport.js";
import { listen, settle } from "../role/wire.js";
import { FakeSocket } from "./fake-socket.js";

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
});

/** Opens a connection and returns both sockets; that of the client may be connecting still. */
async function openPair(): Promise<{ client: WebSocket; accepted: Promise<WebSocket> }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection").then(([socket]) => socket as WebSocket);
  return { client: new WebSocket(`ws://127.0.0.1:${port}/`), accepted };
}

describe("a transport over a WebSocket", () => {
  test("sends what was sent before the socket was open, and keeps the order in both directions", async () => {
    const { client, accepted } = await openPair();
    const near = listen(webSocketTransport(client));
    for (let n = 0; n < 1000; n++) void near.transport.send({ n });
    const far = listen(webSocketTransport(await accepted));
    for (let n = 0; n < 1000; n++) void far.transport.send({ n });
    const all = Array.from({ length: 1000 }, (_, n) => ({ n }));
    await vi.waitFor(() => expect([near.messages, far.messages]).toEqual([all, all]));
  });

  test("ends once on both sides when one side closes, and rejects what is sent afterwards", async () => {
    const { client, accepted } = await openPair();
    const near = listen(webSocketTransport(client));
    const far = listen(webSocketTransport(await accepted));
    near.transport.close();
    near.transport.close();
    await Promise.all([near.closed, far.closed]);
    await settle();
    expect([near.closes, far.closes]).toEqual([[undefined], [undefined]]);
    await expect(far.transport.send({})).rejects.toThrow("closed");
  });

  test("reports why a socket could not be opened", async () => {
    const near = listen(webSocketTransport(new WebSocket("ws://127.0.0.1:1/")));
    await near.closed;
    expect(String(near.closes[0])).toContain("ECONNREFUSED");
  });

  test("ends a connection whose peer does not answer a ping", async () => {
    const { client, accepted } = await openPair();
    const received = listen(webSocketTransport(await accepted, { heartbeatMs: 50 }));
    await once(client, "open");
    const pings = vi.fn();
    client.on("ping", pings);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(received.closes).toEqual([]);
    expect(pings.mock.calls.length).toBeGreaterThan(1);
    client.pause();
    await received.closed;
    expect(String(received.closes[0])).toContain("silent");
  });
});

describe("a transport that is not started", () => {
  const early = (): [FakeSocket, ReturnType<typeof webSocketTransport>] => {
    const socket = new FakeSocket();
    const transport = webSocketTransport(socket);
    for (const n of [1, 2]) socket.emit("message", { data: `{"n":${n}}` });
    return [socket, transport];
  };

  test("pauses the socket at the first message, and resumes it at the start", () => {
    const [socket, transport] = early();
    expect([socket.pause.mock.calls.length, socket.resume.mock.calls.length]).toEqual([2, 0]);
    const { messages } = listen(transport);
    expect([messages, socket.resume.mock.calls.length]).toEqual([[{ n: 1 }, { n: 2 }], 1]);
    socket.emit("message", { data: '{"n":3}' });
    expect([messages.at(-1), socket.pause.mock.calls.length]).toEqual([{ n: 3 }, 2]);
  });

  test("delivers what arrived before the end of the socket", async () => {
    const [socket, transport] = early();
    socket.close();
    const received = listen(transport);
    await received.closed;
    expect([received.messages, received.closes]).toEqual([[{ n: 1 }, { n: 2 }], [undefined]]);
  });
});

test.each([
  ["open", 1],
  ["connecting", 0],
  ["closing", 2],
])("a transport closes a socket that is %s once, when it can be closed", (_, readyState) => {
  const socket = Object.assign(new FakeSocket(), { readyState });
  const { close } = socket;
  const { transport } = listen(webSocketTransport(socket));
  transport.close();
  expect(close.mock.calls).toEqual(readyState === 1 ? [[1000]] : []);
  if (readyState === 0) socket.emit("open", {});
  expect(close.mock.calls).toEqual(readyState < 2 ? [[1000]] : []);
});

describe("a socket of ws whose peer is silent", () => {
  class Silent extends FakeSocket {
    readonly ping = vi.fn();
    readonly terminate = vi.fn();
    readonly signs: Record<string, (event?: unknown) => void> = {};

    on(sign: string, listener: (event?: unknown) => void): void {
      this.signs[sign] = listener;
    }
  }

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([0, 1, 500, 999])(
    "ends after twice the time, when its last sign came after %d ms",
    async (last) => {
      const socket = new Silent();
      const { closes } = listen(webSocketTransport(socket, { heartbeatMs: 1000 }));
      await vi.advanceTimersByTimeAsync(last);
      socket.signs["message"]!();
      await vi.advanceTimersByTimeAsync(1000);
      expect([socket.ping.mock.calls.length, closes]).toEqual([1, []]);
      // A clock that is set back gives no time.
      vi.setSystemTime(0);
      await vi.advanceTimersByTimeAsync(999);
      expect(closes).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(closes.map(String)).toEqual([expect.stringContaining("silent")]);
    },
  );

  test("is terminated when it does not close, unless it still reads", async () => {
    const [idle, reading] = [new Silent(), new Silent()];
    reading.bufferedAmount = 1;
    for (const socket of [idle, reading]) listen(webSocketTransport(socket)).transport.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect([idle, reading].map(({ terminate }) => terminate.mock.calls.length)).toEqual([1, 0]);
  });
});

describe("a transport whose peer does not read", () => {
  function fill(options: WebSocketOptions): { socket: FakeSocket; sent: Promise<void> } {
    const socket = new FakeSocket();
    const { transport } = listen(webSocketTransport(socket, options));
    void transport.send({ text: "x".repeat(200) });
    return { socket, sent: transport.send({ text: "x".repeat(900) }) };
  }

  test("lets senders wait until half of the limit is free", async () => {
    const { socket, sent } = fill({ maxUnsentBytes: 1000 });
    const done = vi.fn();
    void sent.then(done);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).not.toHaveBeenCalled();
    socket.bufferedAmount = 400;
    await sent;
  });
});
