import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, expect, vi, type TestAPI } from "vitest";

/** What a client over HTTP is started with. */
export interface ClientOptions {
  readonly reconnectMs?: number;
  readonly maxSilenceMs?: number;
  readonly maxMessageBytes?: number;
}

/** The stream of a client over HTTP, without anything that reads its messages. */
export interface TestedClient {
  /** The messages that were received. */
  readonly received: readonly unknown[];
  /** Why the stream has ended: an empty text for a regular end; undefined before its end. */
  readonly end: string | undefined;
  send(message: object): void;
  /** Closes the stream. */
  close(): void;
}

/** Sends a response, or none. */
type Answer = (response: ServerResponse, request: IncomingMessage, message: Sent) => void;

interface Sent {
  readonly id?: number;
  readonly method?: string;
}

const ORDER = { "Acp-Event-Order": "connection" };
const EVENTS = { "Content-Type": "text/event-stream; charset=utf-8" };
const SESSION = { sessionId: "s", cwd: "/", mcpServers: [] };

const welcome: Answer = (response, _, { id }) =>
  response
    .writeHead(200, { ...ORDER, "Acp-Connection-Id": "c", "Set-Cookie": "node=a; Path=/" })
    .end(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } }));
const accepted: Answer = (response) => response.writeHead(202).end();
const silent: Answer = () => {};
const cut: Answer = (response) => response.destroy();

function refused(status: number, headers = {}, body = "no"): Answer {
  return (response) => response.writeHead(status, headers).end(body);
}

/** A stream that stays open, or ends as `then` says. */
function stream(text = ": open\n\n", then: Answer = silent, order: object = ORDER): Answer {
  return (response, ...more) =>
    response.writeHead(200, { ...EVENTS, ...order }).write(text, () => then(response, ...more));
}

/** Returns the events of messages with these numbers, which they have as ids. */
function numbered(...numbers: readonly number[]): string {
  return numbers.map((n) => `id: ${n}\ndata: {"n":${n}}\n\n`).join("");
}

/** Returns the numbers of the messages that have one, and no broken text. */
function numbersOf({ received }: TestedClient): number[] {
  const messages = received as readonly { readonly n?: number; readonly t?: string }[];
  return messages.flatMap(({ n, t = "ü" }) => (n === undefined || t !== "ü" ? [] : n));
}

/** A server with given answers to each method, of which the last one is repeated. */
class ScriptedServer {
  readonly requests: (IncomingMessage & { readonly message: Sent })[] = [];
  readonly #answers: Record<string, Answer[]>;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(post: readonly Answer[], get: readonly Answer[], first: Answer) {
    this.#answers = { POST: [first, ...post], GET: [...get], DELETE: [cut, accepted] };
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("connection", (socket) => this.#sockets.add(socket));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = (request.method === "POST" ? await json(request) : {}) as Sent;
    this.requests.push(Object.assign(request, { message }));
    const left = this.#answers[request.method!]!;
    (left.length > 1 ? left.shift()! : left[0]!)(response, request, message);
  }

  /** Returns the values of a header in the requests of a method. */
  headers(method: string, name: string): (string | undefined)[] {
    return this.of(method).map(({ headers }) => headers[name] as string | undefined);
  }

  of(method: string) {
    return this.requests.filter((request) => request.method === method);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/acp`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** The cases that the client over HTTP of every language has to pass. */
export function testClient(
  test: Pick<TestAPI, "each"> & ((name: string, run: () => Promise<void>) => void),
  start: (url: string, options: ClientOptions) => Promise<TestedClient>,
): void {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  /** Sends `initialize` to a server with given answers. */
  async function opened(
    {
      post = [accepted],
      get = [stream()],
      first = welcome,
    }: Partial<Record<"post" | "get", readonly Answer[]>> & { readonly first?: Answer } = {},
    options: ClientOptions = {},
  ) {
    const server = new ScriptedServer(post, get, first);
    const client = await start(await server.listen(), { reconnectMs: 3000, ...options });
    stops.push(
      () => server.stop(),
      () => client.close(),
    );
    client.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    await eventually(() =>
      expect(client.received.length > 0 || client.end !== undefined).toBe(true),
    );
    const call = (params: object = {}, method = "_m"): void =>
      client.send({ jsonrpc: "2.0", id: 1, method, params });
    const ended = (reason: RegExp): Promise<void> =>
      eventually(() => expect(client.end).toMatch(reason));
    return { client, server, call, ended };
  }

  test.each([
    ["<html>"],
    ["null"],
    ["[]"],
    ['{"ok":true}'],
    ['{"jsonrpc":"2.0","id":7,"result":{}}'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
  ])("the address of something else is named that answers %s", async (body) => {
    const { client } = await opened({ first: refused(200, { "Acp-Connection-Id": "c" }, body) });
    expect(client.end).toMatch(/address of an agent|answered 200/);
  });

  test("a refusal of the first request ends the connection, and a redirect is not followed", async () => {
    const gone = await opened({ first: refused(404, {}, "Not here") });
    await gone.ended(/404: Not here/);
    const moved = await opened({ first: refused(307, { Location: "/elsewhere" }) });
    await moved.ended(/307/);
    expect(moved.server.requests).toHaveLength(1);
  });

  test("a page in place of the server fails what it answers", async () => {
    const page = refused(200, { "Content-Type": "text/html" }, "Sign in");
    const login = refused(302, { Location: "https://login.example/" });
    for (const [answer, reason] of [
      [page, /200: Sign in|text\/html/],
      [login, /302/],
    ] as const) {
      const { ended } = await opened(
        { get: [stream(undefined, cut), answer] },
        { reconnectMs: 500 },
      );
      await ended(reason);
    }
    const { client, call } = await opened({ post: [page] });
    call();
    await eventually(() =>
      expect(`${JSON.stringify(client.received[1])} ${client.end}`).toMatch(
        /200: Sign in|in place of 202/,
      ),
    );
  });

  test.each([500, 502, 503, 504])(
    "a lost stream that is refused with %i is opened again",
    async (status) => {
      const { client, server } = await opened({
        get: [stream(undefined, cut), refused(status), stream(numbered(1))],
      });
      await eventually(() => expect(numbersOf(client)).toEqual([1]));
      expect(server.headers("GET", "last-event-id")).toEqual([undefined, "0", "0"]);
    },
  );

  test.each([400, 403, 404, 410, 499])(
    "a lost stream that is refused with %i ends the connection",
    async (status) => {
      const { server, ended } = await opened({ get: [stream(undefined, cut), refused(status)] });
      await ended(new RegExp(`${status}`));
      expect(server.of("GET")).toHaveLength(2);
    },
  );

  test("a connection that the server has ended ends without an error", async () => {
    const ended = stream(undefined, (response) => response.end());
    const { ended: regular } = await opened({ get: [ended, refused(404)] });
    await regular(/^$/);
    const { ended: lost } = await opened({ get: [ended, stream(undefined, cut), refused(404)] });
    await lost(/404/);
  });

  test("what a stream has when it is opened follows the answer to initialize", async () => {
    for (let run = 0; run < 10; run++) {
      const { client } = await opened({ get: [stream(numbered(1))] });
      await eventually(() => expect(numbersOf(client)).toEqual([1]));
      expect(client.received[0]).toMatchObject({ id: 0 });
    }
  });

  test("a server that numbers its messages ends its streams one by one, each behind its last message", async () => {
    let first: ServerResponse | undefined;
    const ofConnection: Answer = (response, ...more) => {
      stream()((first = response), ...more);
    };
    const ofSession = stream(undefined, (response) => {
      first!.end();
      setTimeout(() => response.end(numbered(1)), 100);
    });
    const { client, call, ended } = await opened({
      get: [ofConnection, ofSession, refused(404)],
    });
    call(SESSION);
    await ended(/^$/);
    expect(numbersOf(client)).toEqual([1]);
  });

  test("a stream that is opened again continues behind its last event", async () => {
    const { client, server } = await opened({
      get: [stream(numbered(1, 2), cut), stream(numbered(2, 3))],
    });
    await eventually(() => expect(numbersOf(client)).toEqual([1, 2, 3]));
    expect(server.headers("GET", "last-event-id")).toEqual([undefined, "2"]);
  });

  test.each([
    [404, true],
    [429, true],
    [400, false],
    [403, false],
  ])(
    "of a session whose stream is refused with %i messages are sent: %s",
    async (status, isSent) => {
      const { client, server, call } = await opened({ get: [stream(), refused(status)] });
      call(SESSION);
      await eventually(() =>
        expect(
          isSent
            ? server.of("POST").length > 1
            : client.received.length > 1 || client.end !== undefined,
        ).toBe(true),
      );
      expect(server.of("POST")).toHaveLength(isSent ? 2 : 1);
    },
  );

  test.each([
    [400, false],
    [413, false],
    [500, false],
    [401, true],
    [403, true],
    [404, true],
    [410, true],
  ])("a request that is refused with %i ends the connection: %s", async (status, endsIt) => {
    const { client, call, ended } = await opened({ post: [refused(status), accepted] });
    call();
    if (endsIt) return ended(new RegExp(`${status}`));
    const error = { code: -32603, message: expect.stringContaining(`${status}`) };
    await eventually(() => expect(client.received[1]).toMatchObject({ id: 1, error }));
    expect(client.end).toBeUndefined();
  });

  test("a server that is busy for longer than the client waits is not asked again", async () => {
    for (const [time, isRepeated] of [
      ["60", false],
      [new Date(Date.now() + 3_600_000).toUTCString(), false],
      ["0", true],
      ["yesterday", true],
      [new Date(0).toUTCString(), true],
    ] as const) {
      const { client, server, call } = await opened({
        post: [refused(503, { "Retry-After": time }), accepted],
      });
      call();
      if (isRepeated) await eventually(() => expect(server.of("POST"), time).toHaveLength(3));
      else {
        await eventually(() =>
          expect(client.received[1]).toMatchObject({ id: 1, error: { code: -32603 } }),
        );
        expect(server.of("POST"), time).toHaveLength(2);
      }
    }
  });

  test("a request for a session that the server does not know is sent once without the header, and fails alone", async () => {
    for (const second of [accepted, refused(404)]) {
      const { client, server, call } = await opened({
        get: [stream(), refused(404)],
        post: [refused(404), second, refused(404), accepted],
      });
      call(SESSION, "session/load");
      client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
      client.send({ jsonrpc: "2.0", method: "_after", params: {} });
      await eventually(() => expect(server.of("POST")).toHaveLength(5));
      const [, ...sessions] = server.headers("POST", "acp-session-id");
      expect(sessions).toEqual(["s", undefined, "s", undefined]);
      // A number for each message, whose second attempt has that of the first.
      const [, ...numbers] = server.headers("POST", "acp-message-number");
      expect(numbers).toEqual(["1", "1", "2", "3"]);
      const failures = second === accepted ? [] : [{ id: 1, error: { code: -32603 } }];
      await eventually(() => expect(client.received.slice(1)).toMatchObject(failures));
      expect(client.end).toBeUndefined();
    }
  });

  test("messages are delivered once, in the order of their numbers, however their events are cut", async () => {
    const events = [3, 1, 3, 1, 2, 2, 4].map((n, index) => {
      const end = ["\n", "\r\n", "\r"][index % 3]!;
      return [
        `id: ${n}`,
        ": ü",
        "event: message",
        `data: {"t":"ü",`,
        `data:"n":${n}}`,
        "",
        "",
      ].join(end);
    });
    const bytes = Buffer.from(`: open\n\n${events.join("")}${numbered(5)}id: 6\ndata: {"n":6}\n`);
    const byBytes: Answer = (response) => {
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    };
    const { client } = await opened({ get: [stream("\n", byBytes), stream(numbered(7))] });
    await eventually(() => expect(numbersOf(client)).toEqual([1, 2, 3, 4, 5]));
  });

  test("messages that wait for one that never comes have a limit, which repeated ones do not count for", async () => {
    const long = "x".repeat(12 * 1024 * 1024);
    const events = (...numbers: number[]): string =>
      numbers.map((n) => `id: ${n}\ndata: "${long}"\n\n`).join("");
    let main: ServerResponse | undefined;
    const get = stream(events(1, 1, 1, 1) + numbered(2), (response) => (main = response));
    const { client, ended } = await opened({ get: [get] });
    await eventually(() => expect(numbersOf(client)).toEqual([2]));
    main!.write(events(4, 5, 6));
    await ended(/leaves out/);
  });

  test("an event above the limit ends the connection, however it comes", async () => {
    for (const text of [`data: ${"x".repeat(100_000)}`, "data: x\n".repeat(2000)]) {
      const { server, ended } = await opened({ get: [stream(text)] }, { maxMessageBytes: 1000 });
      await ended(/too long/);
      expect(server.of("GET")).toHaveLength(1);
    }
  });

  test("the ids of a server without numbers are opaque, and its streams may be silent", async () => {
    const first: Answer = (response, _, { id }) =>
      response
        .writeHead(200, { "Acp-Connection-Id": "c" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
    let main: ServerResponse | undefined;
    const get = stream(numbered(7, 7), (response) => (main = response), {});
    const options = { maxSilenceMs: 1000 };
    const { client, server, call, ended } = await opened(
      { first, get: [get, refused(404)] },
      options,
    );
    await eventually(() => expect(numbersOf(client)).toEqual([7, 7]));
    call();
    await eventually(() => expect(server.of("POST")).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(server.of("GET")).toHaveLength(1);
    main!.destroy();
    await ended(/404/);
    expect(server.headers("GET", "last-event-id")).toEqual([undefined, "7"]);
    expect(server.headers("POST", "acp-message-number")).toEqual([undefined, undefined]);
  });

  test("a stream that is or falls silent is opened again until it is refused", async () => {
    const get = [
      stream(": open\n\n", (response) => response.end()),
      silent,
      stream(),
      refused(410),
    ];
    const { server, ended } = await opened({ get }, { maxSilenceMs: 1000 });
    await ended(/410/);
    expect(server.of("GET")).toHaveLength(4);
  });

  test("a server that swallows everything is given up", async () => {
    const limits = { maxSilenceMs: 1000, reconnectMs: 1000 };
    const { call, ended } = await opened({ post: [silent] }, limits);
    call();
    await ended(/./);
  });

  test("a server that is gone ends the connection", async () => {
    const { server, ended } = await opened({}, { reconnectMs: 500 });
    server.stop();
    await ended(/cannot be reached|refused/i);
  });

  test("answers that nobody waits for open no streams, one to a request does", async () => {
    const answer = (id: number): string =>
      `data: {"jsonrpc":"2.0","id":${id},"result":{"sessionId":"s${id}"}}\n\n`;
    const posted: Answer = (response, request, message) => {
      accepted(response, request, message);
      main!.write(answer(1));
    };
    let main: ServerResponse | undefined;
    const get = stream([7, 8, 9].map(answer).join(""), (response) => (main = response));
    const { server, call } = await opened({ get: [get, stream()], post: [posted] });
    call({}, "session/new");
    await eventually(() =>
      expect(server.headers("GET", "acp-session-id")).toEqual([undefined, "s1"]),
    );
  });

  test("a session whose id fits no header has none", async () => {
    for (const sessionId of ["日本", "a\r\nx: y", " ", "x".repeat(1025)]) {
      const { server, call } = await opened();
      call({ ...SESSION, sessionId });
      await eventually(() =>
        expect(server.headers("POST", "acp-session-id")).toEqual([undefined, undefined]),
      );
    }
  });

  test("a client that leaves tells the server, again if that was lost", async () => {
    const { client, server } = await opened();
    client.close();
    await eventually(() =>
      expect(server.headers("DELETE", "acp-connection-id")).toEqual(["c", "c"]),
    );
    expect(server.headers("DELETE", "cookie")).toEqual(["node=a", "node=a"]);
    await eventually(() => expect(client.end).toBe(""));
  });
}

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 });
}
