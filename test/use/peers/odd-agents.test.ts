import { describe, expect, test, vi } from "vitest";
import { connectToRaw, PERMISSION, result, type RawMessage } from "./raw-peer.js";

const PLACE = { cwd: "/home/me", mcpServers: [] };
const PROMPT = { sessionId: "s", prompt: [] };
const ALL = {
  loadSession: true,
  sessionCapabilities: { list: {}, close: {}, delete: {}, resume: {} },
  auth: { logout: {} },
};

describe("an empty result", () => {
  test.each([
    ["session/load", { ...PLACE, sessionId: "s" }],
    ["session/resume", { ...PLACE, sessionId: "s" }],
    ["session/set_mode", { sessionId: "s", modeId: "m" }],
    ["session/close", { sessionId: "s" }],
    ["session/delete", { sessionId: "s" }],
    ["logout", {}],
  ] as const)("null is {} for %s, with a note", async (method, params) => {
    const { connection, notes, errors } = await connectToRaw(result(null), {}, ALL);
    expect(await connection.agent.request(method, params as never)).toEqual({});
    expect(notes).toEqual([
      {
        kind: "repaired",
        pointer: "",
        rule: "empty-result",
        reason: "null stands for an empty result",
      },
    ]);
    expect(errors).toEqual([]);
  });

  test("keeps the other properties", async () => {
    const { connection } = await connectToRaw(result({ _meta: { a: 1 } }));
    expect(await connection.agent.session.prompt(PROMPT)).toEqual({
      stopReason: "end_turn",
      _meta: { a: 1 },
    });
  });
});

describe("a line over the limit", () => {
  const long = "x".repeat(3000);

  test("fails the call that it answers", async () => {
    const { connection } = await connectToRaw(({ id, params }) =>
      (params as { prompt: [] }).prompt.length > 0
        ? JSON.stringify({
            jsonrpc: "2.0",
            id,
            result: { stopReason: "end_turn", _meta: { long } },
          })
        : undefined,
    );
    const other = connection.agent.session.prompt(PROMPT, { timeoutMs: 300 });
    const call = connection.agent.session.prompt({
      ...PROMPT,
      prompt: [{ type: "text", text: "Hi" }],
    });
    await expect(call).rejects.toMatchObject({
      message: "Invalid response: it is longer than the limit for lines and was skipped",
      method: "session/prompt",
      origin: "local",
    });
    await expect(other).rejects.toMatchObject({ name: "RequestTimeoutError" });
  });

  test("fails all calls when the id comes too late", async () => {
    const { connection } = await connectToRaw(({ id }) =>
      id === 2 ? JSON.stringify({ jsonrpc: "2.0", result: { long }, id }) : undefined,
    );
    const calls = [
      connection.agent.session.prompt(PROMPT),
      connection.agent.session.prompt(PROMPT),
    ];
    for (const call of calls)
      await expect(call).rejects.toThrow("a response does not begin with its id");
  });

  test("is reported when it is a notification, and answered when it is a request", async () => {
    const { connection, errors, received, write } = await connectToRaw();
    const call = (more: object): string =>
      JSON.stringify({ jsonrpc: "2.0", ...more, params: { sessionId: "s", long } });
    write(call({ method: "session/update" }));
    write(call({ id: 7, method: "session/request_permission" }));
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received).toMatchObject([{ id: 7, error: { code: -32600, message: "Line too long" } }]);
    expect(errors.map(String)).toEqual([
      expect.stringMatching(/a line was longer than the limit and was skipped: .*session\/update/),
      expect.stringMatching(/request_permission/),
    ]);
    expect(connection.stats.malformed).toBe(2);
  });
});

describe("noise on the agent's standard output", () => {
  test("the reason for a closed connection is in the message", async () => {
    const limits = { maxInvalidInRow: 3 };
    const { connection, write } = await connectToRaw(undefined, { limits });
    const call = connection.agent.session.prompt(PROMPT);
    for (let i = 0; i < 3; i++) write('{"jsonrpc":"2.0"}');
    await expect(call).rejects.toThrow(
      "session/prompt failed: the connection is closed: 3 messages in a row were malformed",
    );
  });
});

test("a response that no call waits for is reported with its id and its error", async () => {
  const { errors, write } = await connectToRaw();
  write('{"jsonrpc":"2.0","id":"17","result":{}}');
  write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
  write('{"jsonrpc":"2.0","id":18,"method":"x","result":{}}');
  await vi.waitFor(() => expect(errors).toHaveLength(3));
  const text = "AcpError: received a response that no call is waiting for, with the id";
  const reports = [`${text} "17"`, `${text} null: -32700 Parse error`, `${text} 18`];
  expect(errors.map(String)).toEqual(reports);
});

describe("methods outside the protocol", () => {
  test("are not called by name, which may be misspelled", async () => {
    const { agent } = (await connectToRaw()).connection;
    await expect(agent.request("session/set_model" as "_", {})).rejects.toThrow(
      'to send it nevertheless, pass defineRequest({ method: "session/set_model" })',
    );
    await expect(agent.notify("qwen/notify" as "_", {})).rejects.toThrow(
      'pass defineNotification({ method: "qwen/notify" })',
    );
  });
});

test("a version that only the agent supports is reported together with that of the client", async () => {
  const { createClient } = await import("acp-bindings/v2");
  const { memoryTransports } = await import("acp-bindings");
  const [near, far] = memoryTransports();
  far.start({
    message: (value) => {
      const { id } = value as RawMessage;
      void far.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    },
    invalid: () => {},
    close: () => {},
  });
  const client = createClient({
    info: { name: "test", version: "1" },
    handlers: { session: PERMISSION },
  } as never);
  await expect(client.connect(near)).rejects.toThrow(
    "the client speaks version 2 of the protocol, the agent speaks version 1; the command acp-bridge translates between them",
  );
});
