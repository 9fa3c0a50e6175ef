import { describe, expect, test } from "vitest";
import { AuthRequiredError, memoryTransports } from "acp-bindings";
import * as v1 from "acp-bindings/v1";

const info = { name: "test", version: "1" };
const update = (sessionUpdate: string, rest: object = {}): v1.SessionNotification =>
  ({ sessionId: "s", update: { sessionUpdate, ...rest } }) as v1.SessionNotification;
const text = { type: "text", text: "Hi" } as const;

describe("updates handled by variant", () => {
  test("reach the handler of their variant; the others, unknown ones among them, reach the fallback", async () => {
    const seen: string[] = [];
    const { agent, sendUnchecked } = await connected({
      session: {
        update: {
          agent_message_chunk: ({ content }, { sessionId }) =>
            void seen.push(`chunk ${content.type} ${sessionId}`),
          "*": ({ sessionUpdate }) => void seen.push(`other ${sessionUpdate}`),
        },
      },
    });
    await agent.client.session.update(update("agent_message_chunk", { content: text }));
    await agent.client.session.update(update("plan", { entries: [] }));
    await sendUnchecked(update("_acme_progress"));
    await sendUnchecked(update("toString"));
    await settled();
    expect(seen).toEqual(["chunk text s", "other plan", "other _acme_progress", "other toString"]);
  });
});

test("a call that is given up while the user signs in ends with the reason of its signal", async () => {
  const handlers = agentHandlers({
    session: {
      new: () => {
        throw new AuthRequiredError();
      },
    },
  });
  const controller = new AbortController();
  const reason = new Error("no time");
  const { client } = await connected(
    {},
    { handlers },
    {
      onAuthRequired: () => {
        controller.abort(reason);
        return new Promise<boolean>(() => {});
      },
    },
  );
  const { signal } = controller;
  const call = client.agent.session.new({ cwd: "/", mcpServers: [] }, { signal });
  await expect(call).rejects.toBe(reason);
});

test("functions for after the response are dropped when the handler fails", async () => {
  const calls: string[] = [];
  let late: ((run: () => unknown) => void) | undefined;
  const handlers = agentHandlers({
    session: {
      new: (_, { afterResponse }) => {
        late = afterResponse;
        afterResponse(() => calls.push("early"));
        throw new Error("failed");
      },
    },
  });
  const { client } = await connected({}, { handlers, onError: () => {} });
  await expect(client.newSession({ cwd: "/" })).rejects.toThrow("Internal error");
  late!(() => calls.push("late"));
  await settled();
  expect(calls).toEqual([]);
});

describe("a message without a connection", () => {
  const agent = v1.createAgent({
    info,
    capabilities: { loadSession: true },
    handlers: agentHandlers({ session: { load: () => ({}) } }),
    onError: () => {},
  });
  const call = (method: string, params: unknown): object => ({
    jsonrpc: "2.0",
    id: 7,
    method,
    params,
  });

  test.each<[string, unknown, unknown]>([
    ["initialize", call("initialize", { protocolVersion: 1 }), { result: { protocolVersion: 1 } }],
    [
      "a request",
      call("session/new", { cwd: "/", mcpServers: [] }),
      { id: 7, result: { sessionId: "s" } },
    ],
    [
      "a request with invalid params",
      call("session/new", { cwd: 1 }),
      { error: { code: -32602, data: { pointer: "/cwd", rule: "type" } } },
    ],
    [
      "a request with content that the agent did not advertise",
      call("session/prompt", {
        sessionId: "s",
        prompt: [text, { type: "image", data: "aGk=", mimeType: "image/png" }],
      }),
      { error: { code: -32602, data: { pointer: "/prompt/1/type", rule: "capability" } } },
    ],
    ["an unknown request", call("session/fork", {}), { error: { code: -32601 } }],
    ["no message", { jsonrpc: "2.0" }, { id: null, error: { code: -32600 } }],
  ])("is answered: %s", async (_, message, response) => {
    expect(await agent.handle(message)).toMatchObject(response as object);
  });

  test("has its functions for after the response called when the caller has continued", async () => {
    const order: unknown[] = [];
    const later = v1.createAgent({
      info,
      handlers: agentHandlers({
        session: {
          new: (_, { afterResponse }) => {
            afterResponse(() => order.push("after"));
            return { sessionId: "s" };
          },
        },
      }),
    });
    await later.handle(call("session/new", { cwd: "/", mcpServers: [] }));
    order.push("answered");
    await settled();
    expect(order).toEqual(["answered", "after"]);
  });

  test.each<[string, object]>([
    ["a notification", { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } }],
    ["an invalid notification", { jsonrpc: "2.0", method: "session/cancel", params: {} }],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("gets no answer: %s", async (_, message) => {
    expect(await agent.handle(message)).toBeUndefined();
  });
});

/** Handlers of an agent that does next to nothing, with some replaced. */
function agentHandlers(given: DeepPartial<v1.AgentHandlers> = {}): v1.AgentHandlers {
  const session = {
    new: () => ({ sessionId: "s" }),
    prompt: () => ({ stopReason: "end_turn" }),
    cancel: () => {},
    ...given.session,
  };
  return { ...given, session } as v1.AgentHandlers;
}

function clientHandlers(given: DeepPartial<v1.ClientHandlers>): v1.ClientHandlers {
  const requestPermission = () => ({ outcome: { outcome: "cancelled" } });
  return { ...given, session: { requestPermission, ...given.session } } as v1.ClientHandlers;
}

type DeepPartial<T> = T extends (...given: never[]) => unknown
  ? T
  : { readonly [Key in keyof T]?: DeepPartial<T[Key]> };

/** An agent and a client of version 1, connected in memory, after the handshake. */
async function connected(
  handlers: DeepPartial<v1.ClientHandlers>,
  agentOptions: Partial<v1.AgentOptions> = {},
  clientOptions: Partial<v1.ClientOptions> = {},
): Promise<{
  readonly client: v1.ClientConnection;
  readonly agent: ReturnType<v1.Agent["connect"]>;
  /** Sends an update that the schema does not list. */
  readonly sendUnchecked: (params: object) => Promise<void>;
}> {
  const [near, far] = memoryTransports();
  const agent = v1.createAgent({ info, handlers: agentHandlers(), ...agentOptions }).connect(far);
  const options = { info, handlers: clientHandlers(handlers), ...clientOptions };
  const client = await v1.createClient(options).connect(near);
  return {
    agent,
    client,
    sendUnchecked: (params) => far.send({ jsonrpc: "2.0", method: "session/update", params }),
  };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
