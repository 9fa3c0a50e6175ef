import { memoryTransports, RpcError, type Transport, type Message } from "acp-bindings";
import * as acp from "acp-bindings/v1-unstable";
import { describe, expect, test } from "vitest";

const info = { name: "proxy", version: "1" };
const text = { type: "text", text: "Hi" } as const;

/** A release may not have chains of proxies yet. */
const hasChains = acp.METHODS.some(
  ({ name }: { readonly name: string }) => name === "proxy/initialize",
);

describe.skipIf(!hasChains)("a proxy", () => {
  test("that handles nothing passes everything on, in both directions and in order", async () => {
    const { client, seen, updates, close } = await chain({});
    expect(client.handshake?.response.agentInfo?.name).toBe("agent");
    const { sessionId } = await client.agent.session.new({ cwd: "/", mcpServers: [] });
    const { stopReason } = await client.agent.session.prompt({ sessionId, prompt: [text] });
    expect(stopReason).toBe("end_turn");
    expect(updates).toEqual(["agent_message_chunk 0", "agent_message_chunk 1", "plan"]);
    expect(seen.handled).toEqual(["initialize", "session/new", "session/prompt"]);
    await expect(client.agent.request("_acme/none", { a: 1 })).rejects.toMatchObject({
      code: -32601,
    });
    close();
  });

  test("passes errors on as they are, and a cancellation one hop at a time", async () => {
    const { client, seen, close } = await chain({});
    const failed = client.agent.session.prompt({ sessionId: "fail", prompt: [text] });
    await expect(failed).rejects.toMatchObject({
      code: -32002,
      message: "Not found",
      data: { uri: "a" },
    });
    const controller = new AbortController();
    const waiting = client.agent.session.prompt(
      { sessionId: "wait", prompt: [text] },
      { signal: controller.signal },
    );
    await settled();
    controller.abort();
    await expect(waiting).resolves.toEqual({ stopReason: "cancelled" });
    expect(seen.aborted).toBe(1);
    close();
  });

  test("refuses messages before proxy/initialize, and a wrapper without a method", async () => {
    const [conductor, far] = memoryTransports();
    createChainedProxy({ onError: () => {} }).connectConductor(far);
    const answers: Message[] = [];
    conductor.start({
      message: (message) => {
        const given = message as { id: number; method?: string };
        if (given.method === undefined) answers.push(message as Message);
        else
          void conductor.send({
            jsonrpc: "2.0",
            id: given.id,
            result: { protocolVersion: 1, agentInfo: info },
          });
      },
      invalid: () => {},
      close: () => {},
    });
    const call = (id: number, method: string, params: unknown): Promise<void> =>
      conductor.send({ jsonrpc: "2.0", id, method, params });
    await call(101, "session/new", { cwd: "/", mcpServers: [] });
    await call(102, "proxy/initialize", { protocolVersion: 1 });
    await settled();
    await call(103, "proxy/successor", {});
    await settled();
    expect(answers).toMatchObject([
      { id: 101, error: { code: -32600, message: "proxy/initialize comes first" } },
      { id: 102, result: { protocolVersion: 1 } },
      { id: 103, error: { code: -32602, data: { pointer: "/method" } } },
    ]);
  });
});

/** A client, a proxy and an agent, and a conductor that routes between them. */
async function chain(options: acp.ProxyOptions): Promise<{
  client: acp.ClientConnection;
  updates: string[];
  seen: { handled: string[]; aborted: number };
  close: () => void;
}> {
  const updates: string[] = [];
  const seen = { handled: [] as string[], aborted: 0 };
  const agent = acp.createAgent({
    info: { name: "agent", version: "1" },
    handlers: {
      session: {
        new: () => {
          seen.handled.push("session/new");
          return { sessionId: "s" };
        },
        prompt: async ({ sessionId }, { client, signal }) => {
          seen.handled.push("session/prompt");
          if (sessionId === "fail") throw new RpcError(-32002, "Not found", { uri: "a" });
          if (sessionId === "wait")
            await new Promise<void>((resolve) =>
              signal.addEventListener("abort", () => {
                seen.aborted++;
                resolve();
              }),
            );
          if (signal.aborted) return { stopReason: "cancelled" };
          for (const messageId of ["0", "1"])
            await client.session.update({
              sessionId,
              update: { sessionUpdate: "agent_message_chunk", messageId, content: text },
            });
          await client.session.update({
            sessionId,
            update: { sessionUpdate: "plan", entries: [] },
          });
          return { stopReason: "end_turn" };
        },
        cancel: () => {},
      },
    },
  });
  const client = acp.createClient({
    info: { name: "client", version: "1" },
    handlers: {
      session: {
        update: ({ update }) =>
          void updates.push(
            "messageId" in update
              ? `${update.sessionUpdate} ${String(update.messageId)}`
              : update.sessionUpdate,
          ),
        requestPermission: () => acp.CANCELLED,
      },
    },
  });
  const proxy = createChainedProxy(options);
  const [clientNear, clientFar] = memoryTransports();
  const [proxyNear, proxyFar] = memoryTransports();
  const [agentNear, agentFar] = memoryTransports();
  agent.connect(agentFar);
  proxy.connectConductor(proxyFar);
  const close = conduct({ client: clientFar, proxy: proxyNear, agent: agentNear }, seen.handled);
  const connection = await client.connect(clientNear);
  return { client: connection, updates, seen, close };
}

interface ChainedProxy {
  connectConductor(transport: Transport): unknown;
}

function createChainedProxy(options: acp.ProxyOptions): ChainedProxy {
  const proxy: object = acp.createProxy(options);
  return proxy as ChainedProxy;
}

type Wrapped = {
  id?: number;
  method?: string;
  params?: { method: string; params: unknown; requestId?: number };
};

/** The conductor of one proxy: it renames the first call, and unwraps and wraps at the proxy's far side. */
function conduct(
  { client, proxy, agent }: Readonly<Record<"client" | "proxy" | "agent", Transport>>,
  handled: string[],
): () => void {
  // Ids of one hop are not those of the next.
  const pending = new Map<number, { to: Transport; id: number }>();
  const inverse = new Map<string, number>();
  let nextId = 1000;
  const pass = (from: Transport, name: string, to: Transport, message: Wrapped): void => {
    if (message.method === "$/cancel_request") {
      const id = inverse.get(`${name}${message.params!.requestId}`);
      if (id !== undefined) void to.send({ ...message, params: { requestId: id } });
    } else if (message.method === undefined) {
      const call = pending.get(message.id!)!;
      void call.to.send({ ...message, id: call.id });
    } else if (message.id === undefined) void to.send(message);
    else {
      const id = nextId++;
      pending.set(id, { to: from, id: message.id });
      inverse.set(`${name}${message.id}`, id);
      void to.send({ ...message, id });
    }
  };
  const listen = (transport: Transport, message: (message: Wrapped) => void): void =>
    transport.start({
      message: (value) => message(value as Wrapped),
      invalid: () => {},
      close: () => {},
    });
  listen(client, (message) =>
    pass(
      client,
      "client",
      proxy,
      message.method === "initialize" ? { ...message, method: "proxy/initialize" } : message,
    ),
  );
  listen(proxy, (message) => {
    if (message.method === "$/cancel_request") pass(proxy, "proxy", agent, message);
    else if (message.method !== "proxy/successor") pass(proxy, "proxy", client, message);
    else {
      const { method, params } = message.params!;
      if (method === "initialize") handled.push(method);
      pass(proxy, "proxy", agent, { ...message, method, params: params as never });
    }
  });
  listen(agent, (message) =>
    pass(
      agent,
      "agent",
      proxy,
      message.method === undefined
        ? message
        : {
            ...message,
            method: "proxy/successor",
            params: { method: message.method, params: message.params },
          },
    ),
  );
  return () => [client, proxy, agent].forEach((transport) => transport.close());
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
