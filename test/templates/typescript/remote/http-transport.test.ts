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
    // A clock that is set back gives no time.
    vi.setSystemTime(0);
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

test("the end of a connection ends its streams, though their requests are over", async () => {
  const cancelled = vi.fn();
  const { transport } = await connect({ get: [stream(undefined, { cancelled })] });
  transport.close();
  await vi.advanceTimersByTimeAsync(10);
  expect(cancelled).toHaveBeenCalledOnce();
});

test("a numbered event that is not JSON is reported in its turn", async () => {
  const text = 'id: 2\ndata: {"n":2}\n\nid: 1\ndata: {\n\nid: 3\ndata: {"n":3}\n\n';
  const { messages, invalid } = await connect({ get: [stream(text)] });
  expect(messages.slice(-2)).toEqual([{ n: 2 }, { n: 3 }]);
  expect(invalid).toEqual([ErrorCodes.ParseError]);
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
