import { Readable } from "node:stream";
import { MessageChannel, Worker } from "node:worker_threads";
import {
  createRecorder,
  memoryTransports,
  portTransport,
  tap,
  type MessagePortLike,
  type Transport,
} from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inspect } from "../../../generators/tools/inspect/inspect.js";
import type { LineReport } from "../../../generators/tools/inspect/statistics.js";

const info = { name: "test", version: "1" };
const text = { type: "text", text: "Hi" } as const;
const client = v1.createClient({
  info,
  handlers: { session: { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) } },
});
const agent = v1.createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "s" }),
      prompt: async ({ prompt }, { session }) => {
        for (const block of prompt) if (block.type === "text") await session.text(block.text);
        return { stopReason: "end_turn" };
      },
    },
  },
});

describe("a tap", () => {
  test("sees every message with its direction and its time, in the order of the wire", async () => {
    const seen: [string, string][] = [];
    vi.useFakeTimers({ toFake: ["Date"], now: 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const [near, far] = memoryTransports();
    agent.connect(far);
    const tapped = tap(near, (message, direction, time) => {
      const { method, id } = message as { method?: string; id?: number };
      seen.push([direction, method ?? `answer ${id}`]);
      expect(time.getTime()).toBe(1000);
    });
    await prompt(tapped);
    expect(seen).toEqual([
      ["outgoing", "initialize"],
      ["incoming", "answer 0"],
      ["outgoing", "session/new"],
      ["incoming", "answer 1"],
      ["outgoing", "session/prompt"],
      ["incoming", "session/update"],
      ["incoming", "answer 2"],
    ]);
  });

  test.each(["client", "agent"] as const)(
    "records a transcript that inspect reads, on the side of the %s",
    async (side) => {
      const lines: string[] = [];
      const recorder = createRecorder(side, (line) => lines.push(line));
      const [near, far] = memoryTransports();
      agent.connect(side === "agent" ? tap(far, recorder) : far);
      await prompt(side === "client" ? tap(near, recorder) : near);
      const reports: LineReport[] = [];
      const bytes = Readable.from([Buffer.from(lines.join(""))]);
      const result = await inspect(bytes, {}, { line: (report) => void reports.push(report) });
      expect(result).toMatchObject({ lines: 7, conversations: 1, withRules: 1 });
      expect(reports.map(({ from, method, verdict }) => [from, method, verdict])).toEqual([
        ["client", "initialize", "valid"],
        ["agent", "initialize", "valid"],
        ["client", "session/new", "valid"],
        ["agent", "session/new", "valid"],
        ["client", "session/prompt", "valid"],
        ["agent", "session/update", "valid"],
        ["agent", "session/prompt", "valid"],
      ]);
      expect(Object.keys(JSON.parse(lines[0]!) as object)).toEqual(["time", "from", "message"]);
    },
  );

  test("whose function throws does not disturb the connection", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const [near, far] = memoryTransports();
    agent.connect(far);
    await prompt(
      tap(near, () => {
        throw new Error("full disk");
      }),
    );
    expect(written).toHaveBeenCalledTimes(7);
    written.mockRestore();
  });

  test("works on streams of messages", async () => {
    const there = new TransformStream<unknown>();
    const back = new TransformStream<unknown>();
    let count = 0;
    agent.connect({ readable: there.readable, writable: back.writable });
    await prompt(tap({ readable: back.readable, writable: there.writable }, () => count++));
    expect(count).toBe(7);
  });
});

describe("a port is a transport", () => {
  test("of a MessageChannel; closing one side closes the other", async () => {
    const { port1, port2 } = new MessageChannel();
    const served = agent.connect(portTransport(port1));
    const connection = await client.connect(portTransport(port2));
    await expect(turn(connection)).resolves.toBe("Hi");
    connection.close();
    await served.closed;
  });

  test("of a worker, which ends with its connection", async () => {
    const worker = new Worker(new URL("port-worker.mjs", import.meta.url));
    const exited = new Promise((resolve) => worker.on("exit", resolve));
    const connection = await client.connect(portTransport(worker));
    await expect(turn(connection)).resolves.toBe("Hi");
    await worker.terminate();
    await exited;
    await connection.closed;
  });

  test.each<[string, (port: Fake, other: Fake) => MessagePortLike]>([
    [
      "a webview of Visual Studio Code",
      (port) => ({
        postMessage: (message) => port.postMessage(message),
        onDidReceiveMessage: (listener) => port.listen(listener as (value: unknown) => void),
      }),
    ],
    [
      "a port with event listeners",
      (port) => ({
        postMessage: (message) => port.postMessage(message),
        addEventListener: (event, listener) =>
          event === "message" &&
          port.listen((data) => (listener as (event: unknown) => void)({ data })),
      }),
    ],
    [
      "an object with onmessage",
      (port) => {
        const object: MessagePortLike = { postMessage: (message) => port.postMessage(message) };
        port.listen((data) => (object.onmessage as (event: unknown) => void)({ data }));
        return object;
      },
    ],
  ])("of %s", async (_, portOf) => {
    const [left, right] = fakePorts();
    const served = agent.connect(portTransport(portOf(left, right)));
    const connection = await client.connect(portTransport(portOf(right, left)));
    await expect(turn(connection)).resolves.toBe("Hi");
    connection.close();
    await connection.closed;
    served.close();
    await served.closed;
  });

  test("sends only JSON, and refuses other values", async () => {
    const sent: unknown[] = [];
    const transport = portTransport({ postMessage: (message) => sent.push(message) });
    await transport.send({ a: undefined, b: new Date(0), c: () => {} });
    expect(sent).toEqual([{ b: "1970-01-01T00:00:00.000Z" }]);
    expect(() => transport.send({ a: 1n })).toThrow(TypeError);
    transport.close();
    await expect(transport.send({})).rejects.toThrow("closed");
  });
});

async function prompt(transport: Transport): Promise<void> {
  const connection = await client.connect(transport);
  await turn(connection);
  connection.close();
}

/** One turn; returns the text of the agent. */
async function turn(connection: v1.ClientConnection): Promise<string> {
  const session = await connection.newSession({ cwd: "/" });
  let found = "";
  for await (const update of session.prompt([text]))
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      found += update.content.text;
  return found;
}

interface Fake {
  postMessage(message: unknown): void;
  listen(listener: (value: unknown) => void): void;
}

/** Two ports that deliver structured clones to each other. */
function fakePorts(): [Fake, Fake] {
  const listeners: ((value: unknown) => void)[][] = [[], []];
  const port = (own: number): Fake => ({
    postMessage: (message) => {
      const copy = structuredClone(message);
      setTimeout(() => listeners[1 - own]!.forEach((listener) => listener(copy)));
    },
    listen: (listener) => void listeners[own]!.push(listener),
  });
  return [port(0), port(1)];
}
