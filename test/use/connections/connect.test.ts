import { connectVersions, memoryTransports, type Transport } from "acp-bindings";
import { spawnAgent } from "acp-bindings/stdio";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { expect, test } from "vitest";
import { connectInMemory, SESSION as session } from "../peers/in-memory.js";
import { info, PERMISSION as clientSession } from "../peers/raw-peer.js";

const text = { type: "text" as const, text: "Hello" };
const client = v1.createClient({ info, handlers: { session: clientSession } });

type Prompt = v1.AgentHandlers["session"]["prompt"];

/** Returns a transport to an agent that never answers, and whether its connection has been closed. */
function silentAgent(): { readonly transport: Transport; readonly closed: Promise<void> } {
  const [near, far] = memoryTransports();
  const closed = new Promise<void>((resolve) =>
    far.start({ message: () => {}, invalid: () => {}, close: () => resolve() }),
  );
  return { transport: near, closed };
}

test.each([
  ["connect", (transport: Transport, limits: object) => client.connect(transport, limits)],
  [
    "connectVersions",
    (transport: Transport, limits: object) => connectVersions([client], transport, limits),
  ],
])(
  "%s gives up and closes the connection after its timeout, or when its signal is aborted",
  async (_, connect) => {
    const slow = silentAgent();
    await expect(connect(slow.transport, { timeoutMs: 5 })).rejects.toThrow(
      "initialize was not answered within 5 ms",
    );
    await slow.closed;
    const reason = new Error("the user has left");
    const controller = new AbortController();
    const left = silentAgent();
    const connecting = connect(left.transport, { signal: controller.signal });
    controller.abort(reason);
    await expect(connecting).rejects.toBe(reason);
    await left.closed;
    const late = silentAgent();
    await expect(connect(late.transport, { signal: controller.signal })).rejects.toBe(reason);
    await late.closed;
  },
);

test.each<[string, unknown]>([
  ["200,000 numbers", Array.from({ length: 200_000 }, (_, n) => n - 200_000)],
  ["no numbers", [null, "1", [1], {}, 0.5]],
  ["none", []],
  ["not a list", { length: 1 }],
])(
  "connectVersions fails and closes the transport when the agent offers %s",
  async (_, supported) => {
    const [near, far] = memoryTransports();
    let count = 0;
    const closed = new Promise<void>((resolve) => {
      far.start({
        message: (message) => {
          count++;
          const { id } = message as { readonly id: number };
          const error = {
            code: -32022,
            message: "Unsupported protocol version",
            data: { supported },
          };
          void far.send({ jsonrpc: "2.0", id, error });
        },
        invalid: () => {},
        close: () => resolve(),
      });
    });
    const clients = [client, v2.createClient({ info, handlers: { session: clientSession } })];
    // A list that names no version says nothing about the older ones.
    const namesVersions = Array.isArray(supported) && supported.length > 1000;
    await expect(connectVersions<(typeof clients)[number]>(clients, near)).rejects.toMatchObject(
      namesVersions ? { name: "ProtocolVersionError", cause: { code: -32022 } } : { code: -32022 },
    );
    await closed;
    expect(count).toBe(namesVersions ? 1 : 2);
  },
);

test("a signal that is aborted after the handshake leaves the connection open", async () => {
  const [near, far] = memoryTransports();
  v1.createAgent({ info, handlers: { session } }).connect(far);
  const controller = new AbortController();
  const connection = await client.connect(near, { signal: controller.signal, timeoutMs: 10_000 });
  controller.abort();
  expect(await connection.agent.session.new({ cwd: "/", mcpServers: [] })).toEqual({
    sessionId: "s",
  });
  connection.close();
});

test("connect names the exit code of an agent that ends during the handshake", async () => {
  const agent = spawnAgent(process.execPath, ["-e", "process.exitCode = 3"]);
  await expect(client.connect(agent)).rejects.toMatchObject({
    name: "ConnectionClosedError",
    message: "initialize failed: the connection is closed: the agent exited with code 3",
    cause: { name: "AgentExitError", exit: 3 },
  });
});

test("the end of a connection, and its disposal, end the agent's process", async () => {
  const { client: connection } = await connectInMemory();
  await connection[Symbol.asyncDispose]();
  await connection.closed;

  const script = "setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(3));";
  const start = () => spawnAgent(process.execPath, ["-e", script], { graceMs: 100 });
  const [agent, closed] = [start(), start()];
  await client.open(agent)[Symbol.asyncDispose]();
  expect(await agent.exited).toBeDefined();
  client.open(closed).close();
  expect(await closed.exited).toBeDefined();
});

test("a declared capability without its handler, and one that is declined, are mistakes", () => {
  const make = (options: object): unknown =>
    v1.createAgent({ info, handlers: { session }, ...options } as v1.AgentOptions);
  expect(() => make({ capabilities: { loadSession: true } })).toThrow(
    "agentCapabilities.loadSession is advertised, but handlers.session.load is missing",
  );
  expect(() =>
    make({
      capabilities: { loadSession: false },
      handlers: { session: { ...session, load: () => ({}) } },
    }),
  ).toThrow("agentCapabilities.loadSession is not advertised");
  expect(() => make({ authMethods: [{ id: "key", name: "Key" }] })).toThrow(
    "authMethods is advertised, but handlers.authenticate is missing",
  );
  expect(() => make({ handlers: { session, authenticate: () => ({}) } })).toThrow(
    "handlers.authenticate is given, but authMethods has no entries",
  );
});

test("a context answers which capabilities were advertised", async () => {
  const seen: unknown[] = [];
  const prompt: Prompt = (_, { supports }) => {
    seen.push(
      supports("clientCapabilities.fs.readTextFile"),
      supports("clientCapabilities.terminal"),
      supports("clientCapabilities.elicitation"),
      supports("clientCapabilities._meta.acme"),
    );
    expect(() => supports("clientCapabilities.fs.read" as v1.CapabilityPath)).toThrow(TypeError);
    expect(() => supports("agentCapabilities.sessionCapabilities.list")).toThrow(
      "agentCapabilities.sessionCapabilities.list is not a capability of the client",
    );
    return { stopReason: "end_turn" };
  };
  const { client: connection } = await connectInMemory(
    { handlers: { session: { prompt } } },
    { handlers: { fs: { readTextFile: () => ({ content: "" }) } } },
  );
  await connection.agent.session.prompt({ sessionId: "s", prompt: [text] });
  expect(seen).toEqual([true, false, false, false]);
  connection.close();
});

test("calls in a handler inherit its signal unless they have one or null", async () => {
  const aborted: string[] = [];
  const ended: unknown[] = [];
  const prompt: Prompt = async (_, { client: user }) => {
    const read = (path: string, options?: { signal: null }): Promise<unknown> =>
      user.fs.readTextFile!({ sessionId: "s", path }, options).then((result) => ended.push(result));
    await Promise.allSettled([read("/inherited"), read("/kept", { signal: null })]);
    return { stopReason: "end_turn" };
  };
  const { client: connection } = await connectInMemory(
    { handlers: { session: { prompt } } },
    {
      handlers: {
        fs: {
          readTextFile: ({ path }, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener("abort", () => {
                aborted.push(path);
                resolve({ content: "" });
              });
              if (path === "/kept") setTimeout(() => resolve({ content: "kept" }), 50);
            }),
        },
      },
    },
  );
  const turn = connection.agent.session.prompt({ sessionId: "s", prompt: [text] });
  await new Promise((resolve) => setTimeout(resolve, 10));
  await connection.agent.session.cancel({ sessionId: "s" });
  expect((await turn).stopReason).toBe("cancelled");
  expect(aborted).toEqual(["/inherited"]);
  expect(ended).toEqual([{ content: "kept" }]);
  connection.close();
});

test("why a session was not continued is printed without frames of a stack", async () => {
  const { client: connection } = await connectInMemory();
  const { how, reasons } = await connection.continueSession({ sessionId: "old", cwd: "/" });
  expect(how).toBe("new");
  expect(reasons).toHaveLength(2);
  expect(reasons.map(({ stack }) => stack)).toEqual(reasons.map(String));
  connection.close();
});
