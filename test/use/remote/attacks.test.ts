import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { promisify } from "node:util";
import type { HttpServerOptions } from "acp-bindings/remote";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import requests from "../../fixtures/remote-requests.json" with { type: "json" };
import { startRemote, stopAll, wait, type Remote } from "./remote-agent.js";

afterEach(stopAll);

/** What a server has answered. */
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

/** A request of the fixture, with its body as text or as bytes. */
interface RefusedRequest {
  readonly name: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly base64?: string;
  readonly status: number;
}

const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { accept: "text/event-stream" };
const INITIALIZE = message(0, "initialize", { protocolVersion: 1 });
const NEW_SESSION = message(1, "session/new", { cwd: "/", mcpServers: [] });

function message(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** Sends a request with any headers, `Host` and `Origin` included; streams are left after the headers. */
async function call(
  { port }: Remote,
  method: string,
  headers: Headers,
  body?: string | Buffer,
): Promise<Answer> {
  const sent = request({ host: "127.0.0.1", port, path: "/acp", method, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  if (response.headers["content-type"] === "text/event-stream") response.destroy();
  else for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode!, headers: response.headers, text };
}

function post(
  remote: Remote,
  headers: Headers = {},
  body: string | Buffer = INITIALIZE,
): Promise<Answer> {
  return call(remote, "POST", { ...JSON_TYPE, ...headers }, body);
}

/** Opens a connection and returns the header with its id. */
async function open(remote: Remote, headers: Headers = {}): Promise<Headers> {
  const { status, headers: answered } = await post(remote, headers);
  expect(status).toBe(200);
  return { "acp-connection-id": answered["acp-connection-id"] as string };
}

/** Returns the status of an upgrade: 101 when it was accepted. */
async function upgrade({ port }: Remote, headers: Headers): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { headers });
  const status = await new Promise<number>((resolve) => {
    socket.on("open", () => resolve(101));
    socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode!));
  });
  socket.on("error", () => {});
  socket.terminate();
  return status;
}

describe("pages of others", () => {
  test.each(requests.callers)(
    "$name: $status",
    async ({ headers: templates, status, ...caller }) => {
      const allowedOrigins =
        caller.allowedOrigins === undefined ? ["https://app.example"] : ("*" as const);
      const remote = await startRemote({ allowedOrigins });
      const headers = Object.fromEntries(
        Object.entries(templates).map(([name, value]) => [
          name,
          value.replace("{port}", `${remote.port}`),
        ]),
      );
      const answer = await post(remote, headers);
      expect([answer.status, answer.headers["access-control-allow-credentials"]]).toEqual([
        status,
        caller.credentials ? "true" : undefined,
      ]);
      expect(await upgrade(remote, headers)).toBe(status === 200 ? 101 : status);
    },
  );

  test("cannot call without asking first, and only allowed ones get an answer they can read", async () => {
    const remote = await startRemote({ allowedOrigins: ["https://app.example"] });
    const origin = "https://app.example";
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      expect((await post(remote, { "content-type": type })).status).toBe(415);
    const asked = { origin, "access-control-request-method": "POST" };
    const preflight = await call(remote, "OPTIONS", asked);
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-origin"]).toBe(origin);
    expect(preflight.headers["access-control-allow-headers"]).toContain("Acp-Connection-Id");
    const answer = await post(remote, { origin });
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(answer.headers["access-control-expose-headers"]).toContain("Acp-Connection-Id");
    const refused = await call(remote, "OPTIONS", { ...asked, origin: "https://evil.example" });
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([
      403,
      undefined,
    ]);
  });
});

describe("callers", () => {
  const byToken: Partial<HttpServerOptions> = {
    authenticate: ({ headers }) => headers.get("Authorization")?.replace(/^Bearer /, ""),
    challenge: 'Bearer resource_metadata="https://login.example"',
  };
  const alice = { authorization: "Bearer alice" };
  const bob = { authorization: "Bearer bob" };

  test("without a name are refused with a challenge, for every request and upgrade", async () => {
    const remote = await startRemote(byToken);
    const id = await open(remote, alice);
    for (const answer of [
      await post(remote),
      await post(remote, id, NEW_SESSION),
      await call(remote, "GET", { ...EVENTS, ...id }),
      await call(remote, "DELETE", id),
    ])
      expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, byToken.challenge]);
    expect(await upgrade(remote, {})).toBe(401);
    expect(await upgrade(remote, alice)).toBe(101);
  });

  test("cannot use the connection of another", async () => {
    const remote = await startRemote(byToken);
    const id = await open(remote, alice);
    const foreign = { ...bob, ...id };
    expect((await post(remote, foreign, NEW_SESSION)).status).toBe(404);
    expect((await call(remote, "GET", { ...EVENTS, ...foreign })).status).toBe(404);
    expect((await call(remote, "DELETE", foreign)).status).toBe(404);
    expect((await call(remote, "GET", { ...EVENTS, ...alice, ...id })).status).toBe(200);
  });

  test.each<[name: string, authenticate: HttpServerOptions["authenticate"]]>([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
    ],
    ["rejects", () => Promise.reject(new Error("secret"))],
  ])("are refused without our words when authenticate %s", async (_, authenticate) => {
    const onError = vi.fn();
    const remote = await startRemote({ authenticate: authenticate!, onError });
    const { status, text } = await post(remote);
    expect([status, text, onError.mock.calls.length]).toEqual([500, "", 1]);
    expect(await upgrade(remote, {})).toBe(500);
  });

  test("see nothing of an exception when no agent can be connected", async () => {
    const onError = vi.fn();
    const serve = (): never => {
      throw new Error("secret");
    };
    const remote = await startRemote({ serve, onError });
    const { status, text } = await post(remote);
    expect([status, text, remote.handler.size]).toEqual([503, "", 0]);
    expect(onError).toHaveBeenCalledOnce();
  });
});

describe("requests", () => {
  test.each<RefusedRequest>(requests.refused)(
    "with $name are refused: $status",
    async ({ headers, body, base64 = "", status }) => {
      const remote = await startRemote();
      expect((await post(remote, headers, body ?? Buffer.from(base64, "base64"))).status).toBe(
        status,
      );
      expect(remote.handler.size).toBe(0);
    },
  );

  test("of a connection are held against its rules", async () => {
    const remote = await startRemote();
    const id = await open(remote);
    const load = (sessionId: string): string =>
      message(2, "session/load", { sessionId, cwd: "/", mcpServers: [] });
    const long = "x".repeat(2000);
    expect((await post(remote, id, load(long))).status).toBe(400);
    expect((await post(remote, { ...id, "acp-session-id": "a" }, load("b"))).status).toBe(400);
    expect((await call(remote, "GET", id)).status).toBe(406);
    expect((await call(remote, "PUT", id, "{}")).status).toBe(405);
    for (const last of ["x", "-1", "1e99", "5"]) {
      const { status } = await call(remote, "GET", { ...EVENTS, ...id, "last-event-id": last });
      expect(status, last).toBe(last === "5" ? 410 : 400);
    }
  });

  test("reach the agent once when they are sent again, and not with a number that is none", async () => {
    const remote = await startRemote();
    const id = await open(remote);
    for (const { number, status } of requests.numbers) {
      const answer = await post(remote, { ...id, "acp-message-number": number }, NEW_SESSION);
      expect([number, answer.status]).toEqual([number, status]);
    }
    const events = await readEvents(remote, id);
    expect(events.filter((text) => text.includes('"result"'))).toHaveLength(2);
  });

  test("with a body above the limit are refused, with and without its length", async () => {
    const remote = await startRemote({ maxMessageBytes: 1000 });
    const long = JSON.stringify({ text: "x".repeat(2000) });
    expect((await post(remote, { "content-length": `${long.length}` }, long)).status).toBe(413);
    expect((await post(remote, { "transfer-encoding": "chunked" }, long)).status).toBe(413);
  });

  test("with a flood of headers are refused by the web server, and others still get answers", async () => {
    const remote = await startRemote();
    const flood = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`x-${n}`, "x".repeat(100)]),
    );
    expect((await post(remote, flood)).status).toBe(431);
    expect((await post(remote)).status).toBe(200);
  });

  test("whose body never ends hold no connection", async () => {
    const remote = await startRemote();
    const socket = connect(remote.port, "127.0.0.1");
    socket.write(
      `POST /acp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await wait(100);
    expect(remote.handler.size).toBe(0);
    socket.destroy();
  });
});

/** Reads the events that the stream of a connection has at once. */
async function readEvents(remote: Remote, id: Headers): Promise<string[]> {
  const aborter = new AbortController();
  const { body } = await fetch(remote.url, {
    headers: { ...EVENTS, ...id },
    signal: aborter.signal,
  });
  setTimeout(() => aborter.abort(), 300);
  let text = "";
  try {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk;
  } catch {
    // The time is over.
  }
  return text.split("\n").filter((line) => line.startsWith("data:"));
}

describe("connections", () => {
  test("above the limit are refused until others have ended", async () => {
    const remote = await startRemote({ maxConnections: 2 });
    const id = await open(remote);
    await open(remote);
    const refused = await post(remote);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(await upgrade(remote, {})).toBe(503);
    await call(remote, "DELETE", id);
    expect((await post(remote)).status).toBe(200);
  });

  test("have a limit of streams", async () => {
    const remote = await startRemote();
    const id = await open(remote);
    const statuses = new Set<number>();
    for (let session = 0; session < 1100; session++) {
      const headers = { ...EVENTS, ...id, "acp-session-id": `${session}` };
      statuses.add((await call(remote, "GET", headers)).status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });

  test("without a stream end after a time, and so do sockets without a message", async () => {
    const remote = await startRemote({ idleMs: 200 });
    await open(remote);
    const socket = new WebSocket(`ws://127.0.0.1:${remote.port}/acp`);
    await once(socket, "close");
    await vi.waitFor(() => expect(remote.handler.size).toBe(0));
    expect(remote.served.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  test("that have ended keep nothing for a client that neither reads nor leaves", async () => {
    const remote = await startRemote({ idleMs: 300, maxBufferedLength: 100_000 });
    const id = await open(remote);
    const reader = connect(remote.port, "127.0.0.1").on("error", () => {});
    const lines = Object.entries({ host: `127.0.0.1:${remote.port}`, ...EVENTS, ...id });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    reader.pause().write(`GET /acp HTTP/1.1\r\n${head}\r\n`);
    const work = [{ type: "text", text: JSON.stringify({ chunks: 200_000 }) }];
    await post(remote, id, message(2, "session/prompt", { sessionId: "s", prompt: work }));
    await wait(500);
    await remote.handler.drain(0);
    const count = promisify(remote.web.getConnections.bind(remote.web));
    await vi.waitFor(async () => expect(await count()).toBe(0), 5000);
    reader.destroy();
  });

  test("whose client leaves before the answer end", async () => {
    const remote = await startRemote({ serve: () => ({ closed: new Promise(() => {}) }) });
    const sent = request({ port: remote.port, method: "POST", headers: JSON_TYPE });
    sent.on("error", () => {}).end(INITIALIZE);
    await vi.waitFor(() => expect(remote.handler.size).toBe(1));
    sent.destroy();
    await vi.waitFor(() => expect(remote.handler.size).toBe(0));
  });
});
