import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, afterEach, expect, vi } from "vitest";
import { WebSocket } from "ws";
import requests from "../../fixtures/remote-requests.json" with { type: "json" };
import { wait, type Work } from "./remote-agent.js";

/** What a server of the agent of `remote-agent.ts` is started with. */
export interface ServerOptions {
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  /** `token`: callers are named by their `Authorization`; `fails`: every caller is an error. */
  readonly authenticate?: "token" | "fails";
  /** `fails`: it cannot be connected; `silent`: it never answers. */
  readonly agent?: "fails" | "silent";
  readonly maxMessageBytes?: number;
  readonly maxConnections?: number;
  readonly maxBufferedBytes?: number;
  readonly idleMs?: number;
  readonly keepAliveMs?: number;
}

/** What has happened in a server: connections of agents, and errors that were reported. */
export type Counts = Readonly<Record<"opened" | "ended" | "error", number>>;

/** A server that the cases send requests to. */
export interface TestedServer {
  readonly port: number;
  count(): Counts;
  /** Drains the server within a time in milliseconds. */
  drain(time: number): Promise<void>;
  stop(): void;
}

type Headers = Readonly<Record<string, string | string[]>>;

/** A request of the fixture that opens no connection. */
interface RefusedRequest {
  readonly name: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly base64?: string;
  readonly status: number;
}

/** A response; of streams, it has what has come so far. */
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  text: string;
  isEnded: boolean;
}

const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { accept: "text/event-stream" };
const CHALLENGE = "Bearer x";
const INITIALIZE = message(0, "initialize", { protocolVersion: 1 });
const NEW_SESSION = message(1, "session/new", { cwd: "/", mcpServers: [] });
const SESSION = { "acp-session-id": "s" };
const ENDLESS: Work = { chunks: 100_000, length: 1000 };

function message(id: unknown, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function load(sessionId: string): string {
  return message(2, "session/load", { sessionId, cwd: "/", mcpServers: [] });
}

function prompt(work: Work): string {
  const block = { type: "text", text: JSON.stringify(work) };
  return message(3, "session/prompt", { sessionId: "s", prompt: [block] });
}

/** A client of a server that sends any requests, `Host` and `Origin` included. */
class Caller {
  readonly server: TestedServer;
  readonly #open: { destroy(): void }[] = [];

  constructor(server: TestedServer) {
    this.server = server;
  }

  get #address() {
    return { host: "127.0.0.1", port: this.server.port, path: "/acp" } as const;
  }

  /** Sends a request and returns the response: of a stream what comes, of others all. */
  async call(method: string, headers: Headers, body?: string | Buffer): Promise<Answer> {
    const sent = request({ ...this.#address, method, headers });
    sent.on("error", () => {});
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    this.#open.push(response);
    const { statusCode: status = 0, headers: answered } = response;
    const answer: Answer = { status, headers: answered, text: "", isEnded: false };
    response.on("error", () => {}).setEncoding("utf8");
    response.on("data", (text: string) => (answer.text += text));
    response.on("end", () => (answer.isEnded = true));
    if (answered["content-type"] !== "text/event-stream") await once(response, "end");
    return answer;
  }

  post(headers: Headers = {}, body: string | Buffer = INITIALIZE): Promise<Answer> {
    return this.call("POST", { ...JSON_TYPE, ...headers }, body);
  }

  stream(headers: Headers): Promise<Answer> {
    return this.call("GET", { ...EVENTS, ...headers });
  }

  /** Opens a connection and returns the header with its id. */
  async open(headers: Headers = {}): Promise<Headers> {
    const { status, headers: answered } = await this.post(headers);
    expect(status).toBe(200);
    return { "acp-connection-id": answered["acp-connection-id"] as string };
  }

  /** Opens a WebSocket. */
  socket(headers: Headers = {}): WebSocket {
    const { host, port, path } = this.#address;
    const socket = new WebSocket(`ws://${host}:${port}${path}`, { headers });
    socket.on("error", () => {});
    this.#open.push({ destroy: () => socket.terminate() });
    return socket;
  }

  /** Returns the status of an upgrade: 101 when it was accepted. */
  async upgrade(headers: Headers = {}): Promise<number> {
    const socket = this.socket(headers);
    const status = await new Promise<number>((resolve) => {
      socket.on("open", () => resolve(101));
      socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode!));
    });
    socket.terminate();
    return status;
  }

  /** Writes a request as text on a connection of which nothing is read. */
  write(method: string, headers: Headers, body = ""): void {
    const socket = connect(this.server.port, "127.0.0.1").on("error", () => {});
    this.#open.push(socket);
    const lines = Object.entries({ host: "localhost", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.pause().write(`${method} /acp HTTP/1.1\r\n${head}\r\n${body}`);
  }

  /** Waits until so many connections are left of those that were opened. */
  async expectOpen(open: number): Promise<void> {
    const left = ({ opened, ended }: Counts): number => opened - ended;
    await eventually(() => expect(left(this.server.count())).toBe(open));
  }

  /** Leaves all that is open. */
  leave(): void {
    for (const one of this.#open.splice(0)) one.destroy();
  }
}

/** The messages that have come on a stream. */
function messagesOf({ text }: Answer): { readonly [name: string]: unknown }[] {
  return Array.from(text.matchAll(/^data: (.*)$/gm), ([, data]) => JSON.parse(data!));
}

function idsOf({ text }: Answer): number[] {
  return Array.from(text.matchAll(/^id: (.*)$/gm), ([, id]) => Number(id));
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 10_000 });
}

/**
 * Tests a server of agents with real requests, hostile ones included.
 *
 * @param start starts it; the program of a language prints what happens
 */
export function testServer(
  test: (name: string, run: () => Promise<void>) => void,
  start: (options: ServerOptions) => Promise<TestedServer>,
): void {
  const shared = new Map<string, Promise<TestedServer>>();
  const servers: TestedServer[] = [];
  const callers: Caller[] = [];

  const startOne = async (options: ServerOptions): Promise<TestedServer> => {
    const server = await start(options);
    servers.push(server);
    return server;
  };

  /** Returns a client of a server that tests with the same options share. */
  const using = async (options: ServerOptions = {}): Promise<Caller> => {
    const key = JSON.stringify(options);
    if (!shared.has(key)) shared.set(key, startOne(options));
    callers.push(new Caller(await shared.get(key)!));
    return callers.at(-1)!;
  };

  /** Returns a client of a new server. */
  const starting = async (options: ServerOptions = {}): Promise<Caller> => {
    callers.push(new Caller(await startOne(options)));
    return callers.at(-1)!;
  };

  afterEach(() => {
    for (const caller of callers.splice(0)) caller.leave();
  });
  afterAll(() => {
    for (const server of servers.splice(0)) server.stop();
  });

  test("callers are admitted or refused by their origin and their host", async () => {
    for (const { name, headers, status, credentials, ...allowed } of requests.callers) {
      const allowedOrigins = [allowed.allowedOrigins ?? "https://app.example"];
      const { allowedHosts } = allowed;
      const caller = await using({ allowedOrigins, ...(allowedHosts && { allowedHosts }) });
      const filled = Object.entries(headers).map(([header, value]) => {
        return [header, value.replace("{port}", `${caller.server.port}`)];
      });
      const sent = Object.fromEntries(filled) as Headers;
      const answer = await caller.post(sent);
      expect(
        [
          answer.status,
          answer.headers["access-control-allow-credentials"],
          await caller.upgrade(sent),
        ],
        name,
      ).toEqual([status, credentials ? "true" : undefined, status === 200 ? 101 : status]);
      caller.leave();
    }
  });

  test("pages cannot call without asking first, and only allowed ones can read an answer", async () => {
    const origin = "https://app.example";
    const caller = await using({ allowedOrigins: [origin] });
    const asked = { origin, "access-control-request-method": "POST" };
    const preflight = await caller.call("OPTIONS", asked);
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-origin"]).toBe(origin);
    expect(preflight.headers["access-control-allow-headers"]).toMatch(/acp-connection-id/i);
    const answer = await caller.post({ origin });
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(answer.headers["access-control-expose-headers"]).toMatch(/acp-connection-id/i);
    const refused = await caller.call("OPTIONS", { ...asked, origin: "https://evil.example" });
    expect(refused.status).toBe(403);
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    // Some web servers refuse an upgrade with two origins themselves.
    const open = await using({ allowedOrigins: ["*"] });
    expect((await open.post({ origin: ["https://any.example", "null"] })).status).toBe(403);
  });

  test("callers without a name are refused with a challenge, others cannot use a connection", async () => {
    const caller = await using({ authenticate: "token" });
    const alice = { authorization: "Bearer alice" };
    const own = await caller.open(alice);
    for (const { status, headers } of [
      await caller.post(),
      await caller.post({ authorization: "Bearer " }),
      await caller.post(own, NEW_SESSION),
      await caller.stream(own),
      await caller.call("DELETE", own),
    ])
      expect([status, headers["www-authenticate"]]).toEqual([401, CHALLENGE]);
    expect([await caller.upgrade(), await caller.upgrade(alice)]).toEqual([401, 101]);
    const foreign = { ...own, authorization: "Bearer bob" };
    for (const { status } of [
      await caller.post(foreign, NEW_SESSION),
      await caller.stream(foreign),
      await caller.call("DELETE", foreign),
    ])
      expect(status).toBe(404);
    expect((await caller.stream({ ...own, ...alice })).status).toBe(200);
  });

  test("callers see no text of an error, which is reported once", async () => {
    for (const [options, status] of [
      [{ authenticate: "fails" }, 500],
      [{ agent: "fails" }, 503],
    ] as const) {
      const caller = await using(options);
      const answer = await caller.post();
      expect([answer.status, answer.text]).toEqual([status, ""]);
      await eventually(() => expect(caller.server.count().error).toBe(1));
      await caller.upgrade();
      await eventually(() => expect(caller.server.count().error).toBe(2));
      await caller.expectOpen(0);
    }
  });

  test("requests that are not the first call of a connection are refused", async () => {
    const caller = await starting();
    for (const { name, headers, body, base64, status } of requests.refused as RefusedRequest[]) {
      const sent = body ?? Buffer.from(base64 ?? "", "base64");
      expect((await caller.post(headers, sent)).status, name).toBe(status);
    }
    const flood = numbers(1, 500).map((number) => [`x-${number}`, "x".repeat(100)]);
    expect((await caller.post(Object.fromEntries(flood) as Headers)).status).toBe(431);
    expect((await caller.call("GET", EVENTS)).status).toBe(400);
    expect((await caller.call("DELETE", {})).status).toBe(400);
    // A body that never ends opens no connection.
    caller.write("POST", { ...JSON_TYPE, "content-length": "100" }, "{");
    await wait(100);
    expect(caller.server.count().opened).toBe(0);
  });

  test("requests have to keep the rules of their connection", async () => {
    const caller = await starting();
    const own = await caller.open();
    expect((await caller.post(own, load("x".repeat(2000)))).status).toBe(400);
    expect((await caller.post({ ...own, "acp-session-id": "a" }, load("b"))).status).toBe(400);
    expect((await caller.call("GET", own)).status).toBe(406);
    expect((await caller.call("PUT", own, "{}")).status).toBe(405);
    const twice = ["x", ...Object.values(own)] as string[];
    expect((await caller.post({ "acp-connection-id": twice }, NEW_SESSION)).status).toBe(404);
    twice.reverse();
    expect((await caller.post({ "acp-connection-id": twice }, NEW_SESSION)).status).toBe(404);
    for (const last of ["x", "-1", "1e99", "9".repeat(5000), "²"])
      expect((await caller.stream({ ...own, "last-event-id": last })).status, last).toBe(400);
    // What the client has never received cannot be resumed: it has lost the connection.
    expect((await caller.stream({ ...own, "last-event-id": "5" })).status).toBe(410);
    const after = await caller.post(own, NEW_SESSION);
    expect([after.status, after.text]).toEqual([404, expect.stringContaining("was restarted")]);
    await caller.expectOpen(0);
  });

  test("messages that are sent again reach the agent once, and their numbers are numbers", async () => {
    const caller = await using();
    const own = await caller.open();
    for (const { number, status } of requests.numbers) {
      const body = message(number, "session/new", { cwd: "/", mcpServers: [] });
      const answer = await caller.post({ ...own, "acp-message-number": number }, body);
      expect([number, answer.status]).toEqual([number, status]);
    }
    const stream = await caller.stream(own);
    await eventually(() => expect(messagesOf(stream).at(-1)).toMatchObject({ id: "20" }));
    const results = messagesOf(stream).filter((one) => "result" in one);
    expect(results.map(({ id }) => id)).toEqual(["1", "20"]);
  });

  test("messages above the limit are refused, with and without their length", async () => {
    const caller = await using({ maxMessageBytes: 1000 });
    const long = JSON.stringify({ text: "x".repeat(2000) });
    expect((await caller.post({ "content-length": `${long.length}` }, long)).status).toBe(413);
    expect((await caller.post({ "transfer-encoding": "chunked" }, long)).status).toBe(413);
  });

  test("bodies that do not end have a limit together, under which short messages still come", async () => {
    const caller = await using({ maxMessageBytes: 1_000_000 });
    const long = JSON.stringify({ text: "x".repeat(900_000) });
    await eventually(async () => {
      caller.write("POST", { ...JSON_TYPE, "content-length": "1000000" }, long);
      const refused = await caller.post({}, long);
      expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    });
    await caller.open();
    caller.leave();
    await eventually(async () => expect((await caller.post({}, long)).status).toBe(400));
  });

  test("connections above the limit are refused until others have ended", async () => {
    const caller = await using({ maxConnections: 2 });
    const own = await caller.open();
    await caller.open();
    const refused = await caller.post();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(await caller.upgrade()).toBe(503);
    expect((await caller.call("DELETE", own)).status).toBe(202);
    await caller.expectOpen(1);
    await caller.open();
  });

  test("a connection has a limit of streams", async () => {
    const caller = await using();
    const own = await caller.open();
    const statuses: number[] = [];
    for (const session of numbers(1, 1030))
      statuses.push((await caller.stream({ ...own, "acp-session-id": `${session}` })).status);
    expect(statuses).toEqual(numbers(1, 1030).map((number) => (number <= 1024 ? 200 : 429)));
  });

  test("connections without a stream or a first request end after a time", async () => {
    const caller = await using({ idleMs: 300 });
    const own = await caller.open();
    await caller.stream(own);
    await caller.open();
    const silent = caller.socket();
    const used = caller.socket();
    await once(used, "open");
    used.send(INITIALIZE);
    await once(silent, "close");
    await wait(300);
    // Those with a stream and with a request are still there.
    await caller.expectOpen(2);
    caller.leave();
    await caller.expectOpen(0);
  });

  test("connections end when their client leaves before the answer, or the answer is an error", async () => {
    const silent = await using({ agent: "silent" });
    const sent = request({ port: silent.server.port, method: "POST", headers: JSON_TYPE });
    sent.on("error", () => {}).end(INITIALIZE);
    await silent.expectOpen(1);
    sent.destroy();
    await silent.expectOpen(0);
    const caller = await starting();
    const { status, headers } = await caller.post({}, message(0, "session/new", {}));
    expect([status, headers["acp-connection-id"]]).toEqual([200, undefined]);
    await eventually(() => expect(caller.server.count().opened).toBe(1));
    await caller.expectOpen(0);
  });

  test("a client that neither reads nor leaves ends its connection", async () => {
    const caller = await using({ idleMs: 300, maxBufferedBytes: 100_000 });
    const own = await caller.open();
    caller.write("GET", { ...EVENTS, ...own });
    expect((await caller.post(own, prompt(ENDLESS))).status).toBe(202);
    await caller.expectOpen(0);
  });

  test("a stream shows signs of life, and who takes it over ends it in the regular way", async () => {
    const caller = await using({ keepAliveMs: 50 });
    const own = await caller.open();
    const first = await caller.stream(own);
    expect(first.headers["cache-control"]).toContain("no-transform");
    expect(first.headers["acp-event-order"]).toBe("connection");
    await eventually(() => expect(first.text).toMatch(/^: open\n\n:\n\n:\n\n/));
    expect((await caller.stream(own)).status).toBe(409);
    const second = await caller.stream({ ...own, "last-event-id": "0" });
    expect(second.status).toBe(200);
    await eventually(() => expect(first.isEnded).toBe(true));
  });

  test("a stream continues behind any event that was not received", async () => {
    const caller = await using();
    const own = { ...(await caller.open()), ...SESSION };
    const first = await caller.stream(own);
    await caller.post(own, load("s"));
    await eventually(() => expect(idsOf(first)).toEqual(numbers(1, 201)));
    for (const last of [0, 150, 201]) {
      const next = await caller.stream({ ...own, "last-event-id": `${last}` });
      await eventually(() => expect(idsOf(next)).toEqual(numbers(last + 1, 201)));
    }
    expect((await caller.stream({ ...own, "last-event-id": "150" })).status).toBe(410);
  });

  test("messages of a session without a stream come on that of the connection, after a time or at the end", async () => {
    for (const isEnd of [false, true]) {
      const caller = await starting();
      const own = await caller.open();
      const stream = await caller.stream(own);
      await caller.post(own, load("s"));
      // The agent has sent all by then, also on a busy machine.
      if (isEnd) await wait(1000).then(() => caller.server.drain(0));
      await eventually(() => expect(messagesOf(stream)).toHaveLength(201));
      expect(messagesOf(stream)[200]).toMatchObject({ id: 2 });
      expect(idsOf(stream)).toEqual(numbers(1, 201));
    }
  });

  test("a draining server refuses connections, and waits for turns and for clients that come back", async () => {
    const caller = await starting();
    const own = await caller.open();
    await caller.stream(own);
    await caller.post(own, prompt({ chunks: 10, pause: 20 }));
    // It has lost its stream, and comes back for what it has missed.
    caller.leave();
    let drained = 0;
    const drains = [20_000, 20_000].map((time) => caller.server.drain(time).then(() => drained++));
    await eventually(async () => expect((await caller.post()).status).toBe(503));
    expect((await caller.post()).headers["retry-after"]).toBe("5");
    expect(await caller.upgrade()).toBe(503);
    await wait(600);
    expect(drained).toBe(0);
    const back = await caller.stream({ ...own, "last-event-id": "0" });
    await Promise.all(drains);
    await eventually(() => expect(back.isEnded).toBe(true));
    expect(messagesOf(back)).toHaveLength(11);
    await caller.expectOpen(0);
  });

  test("a draining server waits until a client that lost a stream has named what it has received", async () => {
    const caller = await starting();
    const own = { ...(await caller.open()), ...SESSION };
    const lost = await caller.stream(own);
    await caller.post(own, prompt({ chunks: 2 }));
    await eventually(() => expect(idsOf(lost)).toEqual([1, 2, 3]));
    caller.leave();
    await wait(100);
    let isDrained = false;
    const drained = caller.server.drain(20_000).then(() => (isDrained = true));
    await wait(500);
    expect(isDrained).toBe(false);
    const back = await caller.stream({ ...own, "last-event-id": "1" });
    await eventually(() => expect(idsOf(back)).toEqual([2, 3]));
    await drained;
  });

  test("a draining server ends turns that take too long, and closes WebSockets", async () => {
    const caller = await starting();
    const own = await caller.open();
    const stream = await caller.stream(own);
    const work = prompt({ chunks: 100, pause: 1000 });
    await caller.post(own, work);
    const socket = caller.socket();
    await once(socket, "open");
    socket.send(INITIALIZE);
    await once(socket, "message");
    socket.send(work);
    await once(socket, "message");
    const closed = once(socket, "close");
    await Promise.all([caller.server.drain(10_000), caller.server.drain(200)]);
    await closed;
    await eventually(() => expect(stream.isEnded).toBe(true));
    await caller.expectOpen(0);
  });
}
