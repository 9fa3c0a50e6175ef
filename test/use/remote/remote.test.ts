import { once, setMaxListeners } from "node:events";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import {
  connect,
  createHttpHandler,
  httpTransport,
  webSocketTransport,
  type HttpServerOptions,
} from "acp-bindings/remote";
import { nodeListener } from "acp-bindings/remote/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { IS_DEEP } from "../../support/deep.js";
import {
  agent,
  createRecordingClient,
  promptOf,
  type PassOn,
  startProxy,
  startRemote,
  stopAll,
  wait,
} from "./remote-agent.js";

afterEach(stopAll);

const openWebSocket = (url: URL, headers: Readonly<Record<string, string>>) =>
  new WebSocket(url, { headers });

/** Delays what is sent on connections that a session's stream was asked for on, in milliseconds. */
function delaySessions(delay: number): PassOn {
  const slow = new Set<Socket>();
  return (from, to, isOfClient) =>
    void from.on("data", (chunk: Buffer) => {
      if (isOfClient && /^GET[^]*acp-session-id/i.test(`${chunk}`)) slow.add(to);
      if (slow.has(from)) setTimeout(() => to.write(chunk), delay);
      else to.write(chunk);
    });
}

describe("over HTTP", () => {
  test("what a session replays is handled before the answer, even when its stream is slower", async () => {
    const { port } = await startRemote();
    const { url } = await startProxy(port, delaySessions(40));
    const { client, texts } = createRecordingClient();
    const connection = await client.connect(httpTransport(url));
    await connection.agent.session.load!({ sessionId: "s", cwd: "/", mcpServers: [] });
    expect(texts).toEqual(Array.from({ length: 200 }, (_, index) => `${index}`));
    connection.close();
  });

  test("streams on which nothing arrives any more are opened again", async () => {
    const { port } = await startRemote({ keepAliveMs: 50 });
    let isFrozen = false;
    const { url } = await startProxy(port, (from, to) => {
      const isOld = !isFrozen;
      from.on("data", (chunk) => void (isFrozen && isOld ? undefined : to.write(chunk)));
    });
    const { client, texts } = createRecordingClient();
    const transport = httpTransport(url, { maxSilenceMs: 300 });
    const connection = await client.connect(transport);
    const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
    const turn = connection.agent.session.prompt(promptOf(sessionId, { chunks: 20, pause: 20 }));
    await wait(200);
    isFrozen = true;
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    expect(texts).toHaveLength(21);
    connection.close();
  });

  test("a token is renewed when the server refuses it, and read for every request", async () => {
    let valid = "first";
    const seen: string[] = [];
    const { url } = await startRemote({
      authenticate: ({ headers }) => {
        const token = headers.get("Authorization")?.slice("Bearer ".length);
        return token === valid ? "user" : undefined;
      },
    });
    let token = "";
    const transport = httpTransport(url, {
      headers: () => ({ Authorization: `Bearer ${token}` }),
      onUnauthorized: (challenge) => {
        seen.push(challenge);
        token = valid;
        return true;
      },
    });
    const { client } = createRecordingClient();
    const connection = await client.connect(transport);
    const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
    valid = "second";
    await connection.agent.session.prompt(promptOf(sessionId, { chunks: 1 }));
    expect(seen).toEqual(["Bearer", "Bearer"]);
    connection.close();
    const refused = createRecordingClient().client.connect(httpTransport(url));
    await expect(refused).rejects.toMatchObject({ cause: { status: 401 } });
  });

  test("twelve sessions share one connection of HTTP/2", async () => {
    const handler = createHttpHandler({ serve: (transport) => agent.connect(transport) });
    const web = createHttp2Server(nodeListener(handler));
    let connections = 0;
    web.on("session", () => connections++);
    await once(web.listen(0, "127.0.0.1"), "listening");
    const { port } = web.address() as AddressInfo;
    const http2 = connectHttp2(`http://127.0.0.1:${port}`);
    const { client, texts } = createRecordingClient();
    const connection = await client.connect(
      httpTransport(`http://127.0.0.1:${port}/acp`, {
        fetch: async (_, { method, headers, body, signal }) => {
          setMaxListeners(100, signal!);
          const sent = http2.request(
            { ":path": "/acp", ":method": method, ...Object.fromEntries(new Headers(headers)) },
            { signal: signal! },
          );
          sent.on("error", () => {});
          sent.end(body);
          const [answered] = (await once(sent, "response")) as [Record<string, string>];
          const status = Number(answered[":status"]);
          const plain = Object.entries(answered).filter(([name]) => !name.startsWith(":"));
          return new Response(
            status === 202 ? null : (Readable.toWeb(sent) as ReadableStream<Uint8Array>),
            { status, headers: plain.map(([name, value]) => [name, `${value}`]) },
          );
        },
      }),
    );
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
        await connection.agent.session.prompt(promptOf(sessionId, { chunks: 20 }));
      }),
    );
    expect([texts.length, connections]).toEqual([12 * 21, 1]);
    connection.close();
    await connection.closed;
    http2.close();
    web.close();
  });
});

describe("connect", () => {
  test("opens a WebSocket where the server takes one", async () => {
    const { url } = await startRemote();
    const opened = vi.fn(openWebSocket);
    const transport = await connect(url, { openWebSocket: opened });
    const connection = await createRecordingClient().client.connect(transport);
    await connection.newSession({ cwd: "/" });
    expect(String(opened.mock.calls[0]![0])).toBe(url.replace("http:", "ws:"));
    expect(opened.mock.results[0]!.value.readyState).toBe(WebSocket.OPEN);
    expect([transport.kind, transport.reason]).toEqual(["WebSocket", undefined]);
    connection.close();
  });

  test.each([
    ["the server takes none", openWebSocket, "the server did not open a WebSocket"],
    ["none is wanted", false, undefined],
  ] as const)("connects over HTTP where %s, and says why", async (_, socket, reason) => {
    const { url, web, handler } = await startRemote();
    web.removeAllListeners("upgrade");
    const transport = await connect(url.replace("http:", "ws:"), { openWebSocket: socket });
    expect([transport.kind, transport.reason]).toEqual(["HTTP", reason]);
    const connection = await createRecordingClient().client.connect(transport);
    await connection.newSession({ cwd: "/" });
    expect(handler.size).toBe(1);
    connection.close();
  });
});

test("connect says that there is no global WebSocket, or that it takes no headers", async () => {
  vi.stubGlobal("WebSocket", undefined);
  const none = await connect("http://agents.example/");
  expect([none.kind, none.reason]).toEqual([
    "HTTP",
    "there is no global WebSocket, as in Node.js 20",
  ]);
  vi.stubGlobal("WebSocket", function refuse() {
    throw new SyntaxError("an invalid subprotocol");
  });
  const headers = { Authorization: "Bearer x" };
  const plain = await connect("http://agents.example/", { headers });
  expect(plain.reason).toBe("this WebSocket takes no headers");
  vi.unstubAllGlobals();
});

test.each<[options: object, text: string]>([
  [{ serve: undefined }, "createHttpHandler needs a function, not undefined"],
  [{ alowedOrigins: [] }, 'alowedOrigins is not an option (did you mean "allowedOrigins"?)'],
  [{ allowedOrigins: "https://a.example" }, '"*": ["https://a.example"]'],
  [{ allowedHosts: ["*"] }, 'allowedHosts: pass "*" instead of a list to allow all'],
  [{ authenticate: "token" }, 'authenticate must be a function, not "token"'],
  [{ maxConnections: NaN }, "maxConnections must be a whole number from 1 up, not NaN"],
  [{ maxMessageBytes: "1024" }, 'maxMessageBytes must be a whole number from 1 up, not "1024"'],
  [{ idleMs: -1 }, "idleMs must be a number from 0 up, not -1"],
  [{ webSocket: { maxMessageLength: 0 } }, "webSocket.maxMessageLength must be a whole number"],
])("a server refuses the options %j", (options, text) => {
  const serve = () => ({ closed: Promise.resolve() });
  expect(() => createHttpHandler({ serve, ...options })).toThrow(text);
});

test.each<[options: object, text: string]>([
  [{ openWebsocket: false }, 'openWebsocket is not an option (did you mean "openWebSocket"?)'],
  [{ openMs: NaN }, "openMs must be a number from 0 up, not NaN"],
  [{ maxMessageBytes: NaN }, "maxMessageBytes must be a whole number from 1 up, not NaN"],
  [{ webSocket: { hartbeatMs: 0 } }, "webSocket.hartbeatMs is not an option (did you mean"],
])("a client refuses the options %j", async (options, text) => {
  await expect(connect("http://agents.example/", options)).rejects.toThrow(text);
});

const KINDS = {
  HTTP: (url: string) => httpTransport(url),
  WebSocket: (url: string) => webSocketTransport(new WebSocket(url.replace("http:", "ws:"))),
};

describe.each(Object.entries(KINDS))("over %s", (_, open) => {
  async function start(options: Partial<HttpServerOptions> = {}) {
    const remote = await startRemote(options);
    const recording = createRecordingClient();
    const connection = await recording.client.connect(open(remote.url));
    const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
    return { ...remote, ...recording, connection, sessionId };
  }

  test("a server that drains lets running turns end, and takes no new connections", async () => {
    const { url, handler, connection, sessionId } = await start();
    const turn = connection.agent.session.prompt(promptOf(sessionId, { chunks: 20, pause: 20 }));
    await wait(100);
    const drained = handler.drain();
    await expect(createRecordingClient().client.connect(open(url))).rejects.toThrow(/503|closed/);
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    await drained;
    await connection.closed;
    expect(handler.size).toBe(0);
  });

  test("a client learns that a drained server has ended before the server is gone", async () => {
    const { handler, connection } = await start();
    await handler.drain();
    stopAll();
    const left = await Promise.race([connection.closed.then(() => "ended"), wait(3000)]);
    expect(left).toBe("ended");
  });

  test("an agent waits while its client reads nothing, and goes on when it reads", async () => {
    const limit = 100_000;
    const { port, served } = await startRemote({
      maxBufferedLength: limit,
      webSocket: { maxUnsentBytes: limit },
    });
    const proxy = await startProxy(port, (from, to, isOfClient) => {
      from.on("data", (chunk: Buffer) => {
        // Back-pressure as the kernel has it: what is not passed on is not read.
        if (!to.write(chunk)) from.pause();
      });
      to.on("drain", () => from.resume());
      if (!isOfClient) slow.add(from);
    });
    const slow = new Set<Socket>();
    const { client, texts } = createRecordingClient();
    const connection = await client.connect(open(proxy.url));
    const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
    for (const socket of slow) socket.pause();
    const chunks = 100_000;
    const turn = connection.agent.session.prompt(promptOf(sessionId, { chunks }));
    await wait(500);
    expect(texts.length).toBeLessThan(chunks / 2);
    for (const socket of slow) socket.resume();
    await turn;
    expect(texts).toHaveLength(chunks + 1);
    expect(served).toHaveLength(1);
    connection.close();
  });
});

describe("clients that vanish", () => {
  test("leave no agent behind, over HTTP and WebSocket", async () => {
    const remote = await startRemote({ idleMs: 3000, maxConnections: 2000 });
    const proxy = await startProxy(remote.port);
    const batches = IS_DEEP ? 50 : 10;
    for (let batch = 0; batch < batches; batch++)
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const { client } = createRecordingClient();
          const transport =
            index % 2 === 0
              ? httpTransport(proxy.url, { reconnectMs: 0 })
              : webSocketTransport(new WebSocket(proxy.url.replace("http:", "ws:")));
          const connection = await client.connect(transport);
          await connection.newSession({ cwd: "/" });
        }),
      );
    expect(remote.handler.size).toBe(batches * 20);
    proxy.stop();
    await vi.waitFor(() => expect(remote.handler.size).toBe(0), { timeout: 10_000 });
    expect(remote.served.every(({ isClosed }) => isClosed)).toBe(true);
  });
});
