import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ErrorCodes } from "../../../../templates/typescript/runtime/rpc/errors.js";
import {
  httpTransport,
  type HttpOptions,
} from "../../../../templates/typescript/runtime/remote/client/http-transport.js";
import { listen } from "../role/wire.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = (init: RequestInit) => Response | Promise<Response>;

const ANSWER = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } };
const ORDER = { "Acp-Event-Order": "connection" };
const NOTIFICATION = { jsonrpc: "2.0", method: "_n" };

const initialized: Answer = () =>
  Response.json(ANSWER, { headers: { ...ORDER, "Acp-Connection-Id": "c" } });
const accepted: Answer = () => new Response(null, { status: 202 });
const page: Answer = () => new Response("<html>", { headers: { "Content-Type": "text/html" } });
const redirect: Answer = () =>
  new Response(null, { status: 302, headers: { Location: "https://login.example/" } });
const swallowed: Answer = ({ signal }) =>
  new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
const cut: Answer = () => Promise.reject(new TypeError("fetch failed"));

/** A stream that stays open, unless it is cut off. */
function stream(text = ": open\n\n", { isCut = false, cancelled = (): void => {} } = {}): Answer {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => {
      if (isCut) controller.error(new TypeError("terminated"));
      return new Promise(() => {});
    },
    cancel: cancelled,
  });
  return () => new Response(body, { headers: { ...ORDER, "Content-Type": "text/event-stream" } });
}

/** Sends `initialize` to a server whose answers to each method are given; the last one is repeated. */
async function connect(
  { post = [], get = [] }: { readonly post?: readonly Answer[]; readonly get?: readonly Answer[] },
  options: HttpOptions = {},
) {
  const answers: Record<string, Answer[]> = {
    POST: [initialized, ...post],
    GET: [...get],
    DELETE: [accepted],
  };
  const requests: RequestInit[] = [];
  const fetch = async (_: URL, init: RequestInit): Promise<Response> => {
    requests.push(init);
    const left = answers[init.method!]!;
    return (left.length > 1 ? left.shift()! : left[0]!)(init);
  };
  const received = listen(httpTransport("http://agents.example/", { fetch, ...options }));
  void received.transport.send({ jsonrpc: "2.0", id: 0, method: "initialize" });
  await vi.advanceTimersByTimeAsync(10);
  return { ...received, requests };
}

describe("an answer that is not the server's", () => {
  test.each([
    ["a page", page, "answered 200: <html>"],
    ["a redirect", redirect, "answered 302: https://login.example/"],
  ])(
    "ends the connection at once, also when it is %s in place of a lost stream",
    async (_, answer, text) => {
      const { closes } = await connect({ get: [stream(undefined, { isCut: true }), answer] });
      await vi.advanceTimersByTimeAsync(200);
      expect(closes.map(String)).toEqual([expect.stringContaining(text)]);
    },
  );

  test("fails the request that got it", async () => {
    const { transport, messages } = await connect({ get: [stream()], post: [page] });
    void transport.send({ jsonrpc: "2.0", id: 1, method: "_m" });
    await vi.advanceTimersByTimeAsync(10);
    expect(messages.at(-1)).toMatchObject({
      id: 1,
      error: { data: { status: 200, body: "<html>" } },
    });
  });

  test.each([{ ok: true }, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "No" } }])(
    "ends the connection when it stands for that of initialize: %j",
    async (answer) => {
      const fetch = async () => Response.json(answer, { headers: { "Acp-Connection-Id": "c" } });
      const { closes, messages } = await connect({}, { fetch });
      expect(messages).toEqual([]);
      expect(closes.map(String)).toEqual([expect.stringContaining(JSON.stringify(answer))]);
    },
  );
});

describe("a server that swallows everything", () => {
  const limits = { maxSilenceMs: 1000, reconnectMs: 2000 };

  test.each([
    ["a stream", { get: [stream(), swallowed], post: [accepted] }],
    [
      "lost streams",
      { get: [stream(undefined, { isCut: true }), cut, swallowed], post: [accepted] },
    ],
    ["a message", { get: [stream(), swallowed], post: [swallowed] }],
  ])("is given up behind %s", async (_, answers) => {
    const { closes, transport } = await connect(answers, limits);
    void transport.send(NOTIFICATION);
    await vi.advanceTimersByTimeAsync(500);
    expect(closes).toEqual([]);
    await vi.advanceTimersByTimeAsync(2700);
    expect(closes.map(String)).toEqual([expect.stringContaining("cannot be reached")]);
  });

  test("is given up before the first answer, and within it", async () => {
    const half: Answer = () => new Response(new ReadableStream({ start: () => {} }));
    for (const answer of [swallowed, half]) {
      const fetch = async (_: URL, init: RequestInit) => answer(init);
      const { closes } = await connect({}, { fetch, ...limits });
      await vi.advanceTimersByTimeAsync(1000);
      expect(closes).toHaveLength(1);
    }
  });

  test("is left after the time for its end", async () => {
    const { transport, closes } = await connect({ get: [stream()], post: [swallowed] });
    void transport.send(NOTIFICATION);
    transport.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(closes).toEqual([undefined]);
  });
});

test("a stream that is opened again and again without a byte is given up", async () => {
  const empty: Answer = () =>
    new Response("", { headers: { ...ORDER, "Content-Type": "text/event-stream" } });
  const { closes } = await connect(
    { get: [stream(undefined, { isCut: true }), empty] },
    { reconnectMs: 2000 },
  );
  await vi.advanceTimersByTimeAsync(3000);
  expect(closes.map(String)).toEqual([expect.stringContaining("cannot be reached")]);
});

describe("a refusal by its status", () => {
  const refused =
    (status: number): Answer =>
    () =>
      new Response("no", { status });

  test.each([
    [500, true],
    [502, true],
    [503, true],
    [504, true],
    [400, false],
    [403, false],
    [404, false],
    [499, false],
  ])("of a lost stream: %d (asks again: %j)", async (status, asksAgain) => {
    const lost = stream(undefined, { isCut: true });
    const restored = stream('id: 1\ndata: {"n":1}\n\n');
    const { closes, messages } = await connect({ get: [lost, refused(status), restored] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(closes).toHaveLength(asksAgain ? 0 : 1);
    expect(messages.slice(1)).toEqual(asksAgain ? [{ n: 1 }] : []);
  });

  test("ends the connection without an error where the server has ended the stream before", async () => {
    const ended: Answer = () =>
      new Response(": open\n\n", { headers: { ...ORDER, "Content-Type": "text/event-stream" } });
    const { closes } = await connect({ get: [ended, refused(404)] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(closes).toEqual([undefined]);
    const cut = await connect({ get: [ended, stream(undefined, { isCut: true }), refused(404)] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(cut.closes.map(String)).toEqual([expect.stringContaining("404")]);
  });

  test.each([
    [404, true],
    [429, true],
    [400, false],
    [403, false],
  ])("of the stream of a session: %d (does without: %j)", async (status, doesWithout) => {
    const { transport, requests } = await connect({
      get: [stream(), refused(status)],
      post: [accepted],
    });
    const params = { sessionId: "s" };
    void transport.send({ ...NOTIFICATION, params });
    await vi.advanceTimersByTimeAsync(1000);
    const sent = requests.filter(({ body }) => String(body).includes('"s"'));
    expect(sent).toHaveLength(doesWithout ? 1 : 0);
  });

  test.each([
    [400, false],
    [413, false],
    [500, false],
    [401, true],
    [403, true],
    [404, true],
    [410, true],
  ])("of a request: %d (ends the connection: %j)", async (status, endsIt) => {
    const { transport, closes, messages } = await connect({
      get: [stream()],
      post: [refused(status), accepted],
    });
    void transport.send({ jsonrpc: "2.0", id: 1, method: "_m" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(closes).toHaveLength(endsIt ? 1 : 0);
    const error = { code: ErrorCodes.InternalError, data: { status, body: "no" } };
    expect(messages.slice(1)).toMatchObject(endsIt ? [] : [{ id: 1, error }]);
  });
});

test.each([
  ["seconds", () => "5"],
  ["a date", () => new Date(Date.now() + 5000).toUTCString()],
])("a busy server is asked again after the time in its Retry-After, as %s", async (_, time) => {
  vi.setSystemTime(new Date("2026-01-01T00:00:00Z"));
  const busy: Answer = () =>
    new Response("busy", { status: 503, headers: { "Retry-After": time() } });
  const { transport, requests, closes } = await connect({
    get: [stream()],
    post: [busy, accepted],
  });
  const sent = () => requests.filter(({ method }) => method === "POST").length - 1;
  void transport.send(NOTIFICATION);
  await vi.advanceTimersByTimeAsync(4000);
  expect(sent()).toBe(1);
  await vi.advanceTimersByTimeAsync(1100);
  expect({ sent: sent(), closes }).toEqual({ sent: 2, closes: [] });
});

test("a request for a session that the server does not know is sent once without the header", async () => {
  const sent: (string | null)[] = [];
  const post: Answer = ({ headers }) => {
    const session = new Headers(headers).get("Acp-Session-Id");
    sent.push(session);
    return new Response(null, { status: session === null ? 202 : 404 });
  };
  const unknown: Answer = () => new Response("no", { status: 404 });
  const { transport, messages } = await connect({ get: [stream(), unknown], post: [post] });
  const params = { sessionId: "s" };
  void transport.send({ jsonrpc: "2.0", id: 1, method: "_load", params });
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual(["s", null]);
  void transport.send({ jsonrpc: "2.0", method: "_notice", params });
  await vi.advanceTimersByTimeAsync(100);
  expect({ sent, failed: messages.slice(1) }).toEqual({ sent: ["s", null, "s"], failed: [] });
});

test("the end of a connection ends its streams, though their requests are over", async () => {
  const cancelled = vi.fn();
  const { transport } = await connect({ get: [stream(undefined, { cancelled })] });
  transport.close();
  await vi.advanceTimersByTimeAsync(10);
  expect(cancelled).toHaveBeenCalledOnce();
});

describe("an exception of a function of the options", () => {
  const unauthorized: Answer = () => new Response(null, { status: 401 });

  test.each<[string, HttpOptions, readonly Answer[]]>([
    ["headers", { headers: throwing(2) }, [stream(undefined, { isCut: true })]],
    [
      "onUnauthorized",
      { onUnauthorized: throwing(0) },
      [stream(undefined, { isCut: true }), unauthorized],
    ],
  ])("ends the connection at once, and is the reason: %s", async (_, options, get) => {
    const { closes, requests } = await connect({ get }, options);
    await vi.advanceTimersByTimeAsync(200);
    expect(closes).toEqual([new Error("no token")]);
    expect(requests.filter(({ method }) => method === "GET").length).toBeLessThan(3);
  });
});

function throwing(after: number): () => never {
  let count = 0;
  return (() => {
    if (count++ >= after) throw new Error("no token");
    return {};
  }) as () => never;
}

test("a cookie is returned until it is cleared, by its age or by its date", async () => {
  const past = "Thu, 01 Jan 1970 00:00:00 GMT";
  const setting =
    (cookie: string): Answer =>
    () =>
      new Response(null, { status: 202, headers: { "Set-Cookie": cookie } });
  const post = ["a=1; Path=/", "b=2", `a=; Expires=${past}`, "b=; Max-Age=0"].map(setting);
  const { transport, requests } = await connect({ get: [stream()], post: [...post, accepted] });
  for (let count = 0; count <= post.length; count++) void transport.send(NOTIFICATION);
  await vi.advanceTimersByTimeAsync(10);
  const cookies = requests.map(({ headers }) => new Headers(headers).get("Cookie"));
  expect(cookies.slice(-5)).toEqual([null, "a=1", "a=1; b=2", "b=2", null]);
});
