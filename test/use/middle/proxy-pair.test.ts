import { connectVersions, memoryTransports, serveVersions } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { describe, expect, test } from "vitest";
import { SESSION } from "../peers/in-memory.js";
import { info, PERMISSION } from "../peers/raw-peer.js";

const text = { type: "text", text: "Hi" } as const;
const { requestPermission: refuse } = PERMISSION;

describe("a proxy between a client and an agent", () => {
  test("that handles nothing passes everything on, in both directions and in order", async () => {
    const { connection, updates } = await chain({});
    expect(connection.handshake.response.agentInfo?.name).toBe("agent");
    const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
    const prompt = connection.agent.session.prompt({ sessionId, prompt: [text] });
    await expect(prompt).resolves.toEqual({ stopReason: "end_turn" });
    expect(updates).toEqual(["agent_message_chunk", "plan"]);
    await expect(connection.agent.request("_acme/none", {})).rejects.toMatchObject({
      code: -32601,
      message: "Method not found: _acme/none",
    });
  });

  test("that logs and rewrites", async () => {
    const log: string[] = [];
    const { connection, updates, prompts } = await chain({
      initialize: (response) => ({
        ...response,
        agentCapabilities: { ...response.agentCapabilities, promptCapabilities: { image: true } },
      }),
      toAgent: {
        session: {
          prompt: async (params, { method, client, forward }) => {
            log.push(method);
            await client.session.update({
              sessionId: params.sessionId,
              update: { sessionUpdate: "agent_thought_chunk", content: text },
            });
            const prompt = [{ type: "text" as const, text: "Be brief." }, ...params.prompt];
            return { ...(await forward({ ...params, prompt })), stopReason: "max_tokens" };
          },
        },
      },
      toClient: {
        session: {
          update: (params, { forward }) =>
            params.update.sessionUpdate === "plan" ? undefined : forward(),
        },
      },
    });
    const { promptCapabilities } = connection.handshake.response.agentCapabilities!;
    expect(promptCapabilities).toMatchObject({ image: true });
    const prompt = connection.agent.session.prompt({ sessionId: "s", prompt: [text] });
    await expect(prompt).resolves.toEqual({ stopReason: "max_tokens" });
    expect(prompts).toEqual([[{ type: "text", text: "Be brief." }, text]]);
    expect(updates).toEqual(["agent_thought_chunk", "agent_message_chunk"]);
    expect(log).toEqual(["session/prompt"]);
  });

  test("closes both sides for the same reason, and reports it", async () => {
    const calls: Promise<unknown>[] = [];
    const { proxied, errors, noise, connection } = await chain(
      {
        limits: { maxInvalidInRow: 2 },
        toAgent: {
          session: {
            new: (_, { client }) => {
              const options = [{ optionId: "a", name: "A", kind: "allow_once" }] as const;
              const toolCall = { toolCallId: "t" };
              calls.push(client.session.requestPermission({ sessionId: "s", options, toolCall }));
              noise({ jsonrpc: "2.0" });
              noise({ jsonrpc: "2.0" });
              return { sessionId: "s" };
            },
          },
        },
      },
      () => new Promise(() => {}),
    );
    await connection.agent.session.new({ cwd: "/", mcpServers: [] }).catch(() => {});
    await proxied.closed;
    await expect(calls[0]).rejects.toThrow("2 messages in a row were malformed");
    expect(errors.map(String)).toEqual([
      expect.stringContaining("is not a message"),
      "AcpError: 2 messages in a row were malformed",
    ]);
  });

  test("speaks its own version only: of clients and agents that speak several, they agree on it", async () => {
    const handlers = { session: PERMISSION };
    const clients = [v1.createClient({ info, handlers }), v2.createClient({ info, handlers })];
    const agents = [
      v1.createAgent({ info, handlers: { session: SESSION } }),
      v2.createAgent({ info, handlers: {} }),
    ];
    for (const [version, proxy] of [
      [1, v1.createProxy({})],
      [2, v2.createProxy({})],
    ] as const) {
      const [clientEnd, near] = memoryTransports();
      const [far, agentEnd] = memoryTransports();
      serveVersions(agents, agentEnd);
      proxy.connect(near, far);
      const connection = await connectVersions(clients, clientEnd);
      expect(connection.protocolVersion).toBe(version);
      connection.close();
    }
  });

  test("whose handlers have a wrong name or no function is refused when it is made", () => {
    const misspelled = { session: { promt: () => {} } } as never;
    expect(() => v1.createProxy({ toAgent: misspelled })).toThrow(
      'toAgent.session.promt does not match a method (did you mean "prompt"?)',
    );
    expect(() => v1.createProxy({ toClient: { session: 5 } as never })).toThrow(
      "toClient.session must be an object with handlers",
    );
  });
});

/** A client, a proxy and an agent. */
async function chain(options: v1.ProxyOptions, permission: () => unknown = refuse) {
  const [updates, errors, prompts]: [string[], unknown[], unknown[]] = [[], [], []];
  const agent = v1.createAgent({
    info: { name: "agent", version: "1" },
    handlers: {
      session: {
        ...SESSION,
        prompt: async ({ prompt, sessionId }, { client }) => {
          prompts.push(prompt);
          const chunk = { sessionUpdate: "agent_message_chunk", content: text } as const;
          void client.session.update({ sessionId, update: chunk });
          void client.session.update({ sessionId, update: { sessionUpdate: "plan", entries: [] } });
          return { stopReason: "end_turn" };
        },
      },
    },
  });
  const session = {
    update: ({ update }: v1.received.SessionNotification) =>
      void updates.push(update.sessionUpdate),
    requestPermission: permission as typeof refuse,
  };
  const client = v1.createClient({ info, handlers: { session } });
  const [clientEnd, near] = memoryTransports();
  const [far, agentEnd] = memoryTransports();
  agent.connect(agentEnd);
  const onError = (error: unknown): void => void errors.push(error);
  const proxied = v1.createProxy({ onError, ...options }).connect(near, far);
  const connection = await client.connect(clientEnd);
  /** Writes a value to the agent's output. */
  const noise = (value: object): void => void agentEnd.send(value);
  return { connection, proxied, updates, prompts, errors, noise };
}
