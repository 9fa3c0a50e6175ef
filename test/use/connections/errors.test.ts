import { connectToRaw } from "../peers/raw-peer.js";
import { memoryTransports, RpcError } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { expect, test } from "vitest";

const info = { name: "test", version: "1" };
const newSession = { cwd: "/", mcpServers: [] };

test("an entry that a session or an agent lacks is said to be its lack", async () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const agent = v1.createAgent({
    info,
    authMethods: [
      { id: "key", name: "Key" },
      { type: "terminal", id: "login", name: "Log in", args: ["login"] },
    ],
    handlers: {
      authenticate: () => {},
      session: {
        new: () => ({ sessionId: "s", modes }),
        setMode: () => {},
        prompt: () => ({ stopReason: "end_turn" }),
      },
    },
  });
  const client = v1.createClient({
    info,
    capabilities: { auth: { terminal: true } },
    handlers: { session: { requestPermission: () => v1.CANCELLED } },
  });
  const [near, far] = memoryTransports();
  agent.connect(far);
  const connection = await client.connect(near);
  const session = await connection.newSession({ cwd: "/" });
  await expect(session.agent.setMode({ modeId: "other" })).rejects.toThrow(
    "session/set_mode at /modeId is not one of the session's modes.availableModes; ",
  );
  await expect(connection.agent.authenticate({ methodId: "other" })).rejects.toThrow(
    "authenticate at /methodId is not one of the agent's authMethods; ",
  );
  await expect(connection.agent.authenticate({ methodId: "login" })).rejects.toThrow(
    "authenticate at /methodId names a login in a terminal: start the agent with its args, do not call authenticate",
  );
  connection.close();
});

test("an invalid result names the side that sent it and the side that found it", async () => {
  const { connection, errors } = await connected(() => ({ stopReason: "done" }) as never);
  const params = { sessionId: "s", prompt: [] };
  await expect(connection.agent.session.prompt(params)).rejects.toMatchObject({
    message: expect.stringMatching(/^Invalid result of the agent at .stopReason/) as string,
    data: { pointer: "/stopReason" },
    method: "session/prompt",
    origin: "remote",
  });
  expect(errors).toMatchObject([
    { name: "InvalidValueError", definition: "PromptResponse", method: "session/prompt" },
  ]);
  const unchecked = await connected(() => ({ stopReason: 5 }) as never, { checkOutgoing: false });
  await expect(unchecked.connection.agent.session.prompt(params)).rejects.toMatchObject({
    message: "session/prompt was answered with an invalid result at /stopReason (rule type)",
    method: "session/prompt",
    origin: "local",
  });
});

/** A client that is connected to an agent, and one that has not initialized. */
async function connected(
  prompt: v1.AgentHandlers["session"]["prompt"],
  options: Partial<v1.AgentOptions> = {},
): Promise<{ connection: v1.ClientConnection; opened: v1.OpenedClient; errors: unknown[] }> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const session = { new: () => ({ sessionId: "s" }), prompt };
  const agent = v1.createAgent({ info, handlers: { session }, onError, ...options });
  const client = v1.createClient({
    info,
    handlers: {
      session: { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
      fs: {
        readTextFile: ({ path }) => {
          throw RpcError.resourceNotFound("No file", { path });
        },
      },
    },
  });
  const [near, far] = memoryTransports();
  agent.connect(far);
  return {
    connection: await client.connect(near),
    opened: client.open(memoryTransports()[0]),
    errors,
  };
}

test("a result that needs a capability names the condition that its handler can ask for", async () => {
  const configOptions = [{ id: "w", name: "W", type: "boolean", currentValue: true }] as const;
  const session: v1.AgentHandlers["session"] = {
    new: (_, { supports }) => {
      const [, path] =
        /; leave it out unless context\.supports\("(.*)"\)$/.exec(`${errors[0]}`) ?? [];
      return path === undefined || supports(path as v1.CapabilityPath)
        ? { sessionId: "s", configOptions }
        : { sessionId: "s" };
    },
    prompt: () => ({ stopReason: "end_turn" }),
  };
  const { connection, errors } = await connected(session.prompt, { handlers: { session } });
  await expect(connection.agent.session.new(newSession)).rejects.toThrow(
    "Invalid result of the agent at /configOptions/0/type",
  );
  // The handler does what the error says.
  expect(await connection.agent.session.new(newSession)).toEqual({ sessionId: "s" });
  expect(errors).toHaveLength(1);
});

test("a message that needs a capability names the side that has not advertised it", async () => {
  const update = {
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "w", name: "W", type: "boolean", currentValue: true }],
  } as const;
  const params = { sessionId: "s", update };
  const { connection } = await connected(async (_, { client }) => {
    await expect(client.session.update(params)).rejects.toThrow(
      "session/update at /update/configOptions/0/type needs clientCapabilities.session.configOptions.boolean, which the client has not advertised; the call option ignoreCapabilities sends it anyway",
    );
    return { stopReason: "end_turn" };
  });
  await connection.agent.session.prompt({ sessionId: "s", prompt: [] });
  const { write, errors } = await connectToRaw();
  write(JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }));
  await expect
    .poll(() => errors)
    .toMatchObject([
      {
        name: "CapabilityError",
        // There is nothing to send.
        message:
          "the agent sent session/update with a value at /update/configOptions/0/type that needs clientCapabilities.session.configOptions.boolean, which the client has not advertised",
      },
    ]);
});
