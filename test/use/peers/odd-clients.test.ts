import { memoryTransports, RpcError } from "acp-bindings";
import { createAgent, type AgentHandlers } from "acp-bindings/v1";
import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";
import { connectInMemory, SESSION } from "./in-memory.js";
import { connectRawClient, info } from "./raw-peer.js";

test("a handler that throws a hostile proxy fails its own request only", async () => {
  const fail = (): never => {
    throw new Error("fail");
  };
  const hostile = new Proxy({}, { get: fail, getPrototypeOf: fail });
  const { call } = connectRawClient({
    handlers: {
      session: {
        ...SESSION,
        prompt: () => {
          throw hostile;
        },
      },
    },
    onError: (error) => void String(error),
  });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  await call("initialize", { protocolVersion: 1 });
  const { error } = await call("session/prompt", { sessionId: "s", prompt: [] });
  expect(error).toEqual({ code: -32603, message: "Internal error" });
  expect((await call("session/new", { cwd: "/", mcpServers: [] })).result).toEqual({
    sessionId: "s",
  });
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
});

test("mistakes of a client are printed in one line each, those of the agent with their stack", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const mistake = RpcError.internal("own");
  const [near, far] = memoryTransports();
  createAgent({
    info,
    handlers: {
      session: {
        ...SESSION,
        cancel: () => {
          throw mistake;
        },
      },
    },
  }).connect(near);
  far.start({ message: () => {}, invalid: () => {}, close: () => {} });
  const cancel = (sessionId: unknown): object => ({
    method: "session/cancel",
    params: { sessionId },
  });
  const initialize = { id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const early = cancel("s");
  for (const message of [early, initialize, cancel(5), { method: "session/new" }, cancel("s")])
    await far.send({ jsonrpc: "2.0", ...message });
  await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(4));
  expect(log.mock.calls).toEqual([
    ["session/cancel:", "session/cancel came before initialize was answered and was ignored"],
    ["session/cancel:", "Invalid params at /sessionId (rule type)"],
    ["session/new:", "session/new is a request, but came without an id and was ignored"],
    ["session/cancel:", mistake],
  ]);
  log.mockRestore();
});

test("a question that a client does not answer is over when its prompt is cancelled", async () => {
  let chosen: unknown = "none";
  const { call, send } = connectRawClient({
    limits: { cancelGraceMs: 100 },
    handlers: {
      session: {
        ...SESSION,
        prompt: async (_, { session }) => {
          const asking = await session.toolCall({ toolCallId: "t", title: "Run" });
          send({ method: "$/cancel_request", params: { requestId: 1 } });
          chosen = await asking.ask();
          return { stopReason: "end_turn" };
        },
      },
    },
  });
  await call("initialize", { protocolVersion: 1 });
  const answer = await call("session/prompt", { sessionId: "s", prompt: [] });
  expect([answer.id, chosen]).toEqual([1, undefined]);
});

test("many calls at once cause no warning of Node.js about a leak", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const prompt: AgentHandlers["session"]["prompt"] = async (_, { session }) => {
    const { readTextFile } = session.client.fs;
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    await Promise.all(paths.map((path) => readTextFile!({ path })));
    expect(getEventListeners(session.signal, "abort").length).toBeLessThan(3);
    return { stopReason: "end_turn" };
  };
  const { client: connection } = await connectInMemory(
    { handlers: { session: { prompt } } },
    { handlers: { fs: { readTextFile: () => ({ content: "" }) } } },
  );
  const session = await connection.newSession({ cwd: "/" });
  expect(await session.prompt("Read")).toEqual({ stopReason: "end_turn" });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warn);
  expect(warnings).toEqual([]);
  connection.close();
});
