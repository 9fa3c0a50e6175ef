import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createHttpHandler,
  type AcceptedUpgrade,
} from "../../../../templates/typescript/runtime/remote/server/http-handler.js";
import type { HttpServerOptions } from "../../../../templates/typescript/runtime/remote/server/options.js";
import { FakeSocket } from "./fake-socket.js";

const URL_ = "http://localhost/acp";
const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize" };

/** A connection whose agent answers `initialize`, and sends what a test wants. */
async function open() {
  let send!: (message: object) => Promise<void>;
  const received: unknown[] = [];
  const handler = createHttpHandler({
    serve: (transport) => {
      send = (message) => transport.send(message);
      let close!: () => void;
      const closed = new Promise<void>((resolve) => (close = resolve));
      transport.start({
        message: (message) => {
          received.push(message);
          if (received.length === 1) void transport.send({ jsonrpc: "2.0", id: 0, result: {} });
        },
        invalid: () => {},
        close,
      });
      return { closed, close };
    },
  });
  const own: Record<string, string> = {};
  const post = (message: object): Promise<Response> =>
    handler.fetch(
      new Request(URL_, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...own },
        body: JSON.stringify(message),
      }),
    );
  const { headers } = await post(INITIALIZE);
  own["Acp-Connection-Id"] = headers.get("Acp-Connection-Id")!;
  const read = async () => {
    const { body } = await handler.fetch(
      new Request(URL_, { headers: { ...own, Accept: "text/event-stream" } }),
    );
    return body!.getReader();
  };
  return { handler, send, read, post, received };
}

/** Calls `drain` and notes how long it takes. */
function drain(handler: { drain(time: number): Promise<void> }, time = 20_000) {
  const start = performance.now();
  const state = { isDone: false };
  const done = handler.drain(time).then(() => {
    state.isDone = true;
    return performance.now() - start;
  });
  return { state, done };
}

// Time is virtual: it passes while a test waits, and only then.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }),
);
afterEach(() => void vi.useRealTimers());

const wait = (time: number): Promise<unknown> => vi.advanceTimersByTimeAsync(time);

/** Lets enough time pass for anything to end. */
async function ended<T>(done: Promise<T>): Promise<T> {
  await wait(30_000);
  return done;
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  for (let piece; !(piece = await reader.read()).done;)
    text += new TextDecoder().decode(piece.value);
  return text;
}

describe("a draining server", () => {
  test("waits until a client has taken what was sent", async () => {
    const { handler, send, read } = await open();
    const reader = await read();
    void send({ last: true });
    const { state, done } = drain(handler);
    await wait(300);
    await reader.read();
    await reader.read();
    // The client has the piece, but has not asked for more: it may be on its way.
    vi.setSystemTime(Date.now() + 3_600_000);
    await wait(300);
    expect(state.isDone).toBe(false);
    const text = readAll(reader);
    expect(await ended(done)).toBeLessThan(2000);
    await text;
  });

  test("waits for neither a client that has read everything nor one that takes too long", async () => {
    const { handler, read } = await open();
    void readAll(await read());
    await wait(20);
    expect(await ended(drain(handler).done)).toBeLessThan(400);
    const slow = await open();
    void slow.send({ last: true });
    expect(await ended(drain(slow.handler, 100).done)).toBeLessThan(500);
  });
});

test("answers although onError fails", async () => {
  const failure = vi.spyOn(console, "error").mockImplementation(() => {});
  const fail = (): never => {
    throw new Error("a mistake");
  };
  const handler = createHttpHandler({ serve: fail, authenticate: fail, onError: fail });
  expect(await handler.fetch(new Request(URL_))).toMatchObject({ status: 500 });
  expect(failure).toHaveBeenCalledTimes(1);
});

describe("a socket", () => {
  async function accept(serve: HttpServerOptions["serve"]) {
    const handler = createHttpHandler({ serve, onError: () => {} });
    const upgrade = (await handler.upgrade(new Request(URL_))) as AcceptedUpgrade;
    const socket = new FakeSocket();
    upgrade.accept(socket);
    await wait(0);
    return { handler, socket };
  }

  test("is drained until its client has taken what was sent", async () => {
    const { handler, socket } = await accept(() => ({ closed: new Promise(() => {}) }));
    socket.bufferedAmount = 1;
    const { state, done } = drain(handler);
    await wait(300);
    expect([state.isDone, socket.close.mock.calls.length]).toEqual([false, 0]);
    socket.bufferedAmount = 0;
    expect(await ended(done)).toBeLessThan(1000);
    expect(socket.close).toHaveBeenCalledWith(1000);
  });

  test("takes no place when its client has gone, even if its agent is never connected", async () => {
    const { handler, socket } = await accept(() => new Promise(() => {}));
    expect(handler.size).toBe(1);
    socket.end();
    expect(handler.size).toBe(0);
  });

  test("is closed with a reason when no agent can be connected", async () => {
    const { socket } = await accept(() => {
      throw new Error("secret");
    });
    expect(socket.close.mock.calls).toEqual([[4503, "No agent"]]);
  });
});
