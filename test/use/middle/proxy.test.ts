import { memoryTransports, type Transport, type Message } from "acp-bindings";
import * as acp from "acp-bindings/v1-unstable";
import { describe, expect, test } from "vitest";

const info = { name: "proxy", version: "1" };

/** A release may not have chains of proxies yet. */
const hasChains = acp.METHODS.some(
  ({ name }: { readonly name: string }) => name === "proxy/initialize",
);

describe.skipIf(!hasChains)("a proxy", () => {
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

interface ChainedProxy {
  connectConductor(transport: Transport): unknown;
}

function createChainedProxy(options: acp.ProxyOptions): ChainedProxy {
  const proxy: object = acp.createProxy(options);
  return proxy as ChainedProxy;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
