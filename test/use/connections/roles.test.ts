import { describe, expect, test } from "vitest";
import { AuthRequiredError, ConnectionClosedError, RequestTimeoutError } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { connectInMemory, SESSION, settled } from "../peers/in-memory.js";
import { info } from "../peers/raw-peer.js";

const update = (sessionUpdate: string, rest: object = {}): v1.SessionNotification =>
  ({ sessionId: "s", update: { sessionUpdate, ...rest } }) as v1.SessionNotification;
const text = { type: "text", text: "Hi" } as const;

describe("updates handled by variant", () => {
  test("reach the handler of their variant; the others, unknown ones among them, reach the fallback", async () => {
    const seen: string[] = [];
    const { agent, far } = await connectInMemory(
      {},
      {
        handlers: {
          session: {
            update: {
              agent_message_chunk: ({ content }, { sessionId }) =>
                void seen.push(`chunk ${content.type} ${sessionId}`),
              "*": ({ sessionUpdate }) => void seen.push(`other ${sessionUpdate}`),
            },
          },
        },
      },
    );
    const sendUnchecked = (params: object): unknown =>
      far.send({ jsonrpc: "2.0", method: "session/update", params });
    await agent.client.session.update(update("agent_message_chunk", { content: text }));
    await agent.client.session.update(update("plan", { entries: [] }));
    await sendUnchecked(update("_acme_progress"));
    await sendUnchecked(update("toString"));
    await settled();
    expect(seen).toEqual(["chunk text s", "other plan", "other _acme_progress", "other toString"]);
  });
});

describe("while the user signs in", () => {
  const refuse = (): never => {
    throw new AuthRequiredError();
  };
  const connect = (onAuthRequired: NonNullable<v1.ClientOptions["onAuthRequired"]>) =>
    connectInMemory({ handlers: { session: { new: refuse } } }, { onAuthRequired });
  const never = (): Promise<boolean> => new Promise(() => {});

  test("a call that is given up ends with the reason of its signal", async () => {
    const controller = new AbortController();
    const reason = new Error("no time");
    const { client } = await connect(() => {
      controller.abort(reason);
      return never();
    });
    const { signal } = controller;
    const call = client.agent.session.new({ cwd: "/", mcpServers: [] }, { signal });
    await expect(call).rejects.toBe(reason);
  });

  test("a call ends with its time", async () => {
    const { client } = await connect(never);
    const call = client.newSession({ cwd: "/" }, { timeoutMs: 1 });
    await expect(call).rejects.toThrow(RequestTimeoutError);
  });

  test("a call ends with the connection", async () => {
    const { client } = await connect(() => {
      client.close();
      return never();
    });
    await expect(client.newSession({ cwd: "/" })).rejects.toThrow(ConnectionClosedError);
  });

  test("a call of the login that needs one fails", async () => {
    const { client } = await connect(async (_, { agent }) => {
      const call = agent.session.new({ cwd: "/", mcpServers: [] });
      await expect(call).rejects.toThrow(AuthRequiredError);
      return false;
    });
    await expect(client.newSession({ cwd: "/" })).rejects.toThrow(AuthRequiredError);
  });
});

test("functions for after the response are dropped when the handler fails", async () => {
  const calls: string[] = [];
  let late: ((run: () => unknown) => void) | undefined;
  const create: v1.AgentHandlers["session"]["new"] = (_, { afterResponse }) => {
    late = afterResponse;
    afterResponse(() => calls.push("early"));
    throw new Error("failed");
  };
  const { client } = await connectInMemory({ handlers: { session: { new: create } } });
  await expect(client.newSession({ cwd: "/" })).rejects.toThrow("Internal error");
  late!(() => calls.push("late"));
  await settled();
  expect(calls).toEqual([]);
});

describe("a message without a connection", () => {
  const agent = v1.createAgent({
    info,
    capabilities: { loadSession: true },
    handlers: { session: { ...SESSION, load: () => ({}) } },
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
      handlers: {
        session: {
          ...SESSION,
          new: (_, { afterResponse }) => {
            afterResponse(() => order.push("after"));
            return { sessionId: "s" };
          },
        },
      },
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
