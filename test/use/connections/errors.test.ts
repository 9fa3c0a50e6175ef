import { readFileSync } from "node:fs";
import { ROOT } from "../../support/paths.js";
import { connectRawClient, connectToRaw } from "../peers/raw-peer.js";
import * as v1 from "acp-bindings/v1";
import { expect, test, vi } from "vitest";
import { connectInMemory } from "../peers/in-memory.js";

test("an entry that a session or an agent lacks is said to be its lack", async () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const session = { new: () => ({ sessionId: "s", modes }), setMode: () => {} };
  const { client: connection } = await connectInMemory(
    {
      authMethods: [
        { id: "key", name: "Key" },
        { type: "terminal", id: "login", name: "Log in", args: ["login"] },
      ],
      handlers: { authenticate: () => {}, session },
    },
    { capabilities: { auth: { terminal: true } } },
  );
  const { agent } = await connection.newSession({ cwd: "/" });
  await expect(agent.setMode({ modeId: "other" })).rejects.toThrow(
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
  const answering = (stopReason: unknown, options: Partial<v1.AgentOptions> = {}) =>
    connectInMemory({
      ...options,
      handlers: { session: { prompt: () => ({ stopReason }) as never } },
    });
  const { client, errors } = await answering("done");
  const params = { sessionId: "s", prompt: [] };
  await expect(client.agent.session.prompt(params)).rejects.toMatchObject({
    message: expect.stringMatching(/^Invalid result of the agent at .stopReason/) as string,
    data: { pointer: "/stopReason" },
    method: "session/prompt",
    origin: "remote",
  });
  expect(errors).toMatchObject([
    { name: "InvalidValueError", definition: "PromptResponse", method: "session/prompt" },
  ]);
  const unchecked = await answering(5, { checkOutgoing: false });
  await expect(unchecked.client.agent.session.prompt(params)).rejects.toMatchObject({
    message: "session/prompt was answered with an invalid result at /stopReason (rule type)",
    method: "session/prompt",
    origin: "local",
  });
});

test("a result that needs a capability names the condition that its handler can ask for", async () => {
  const configOptions = [{ id: "w", name: "W", type: "boolean", currentValue: true }] as const;
  const create: v1.AgentHandlers["session"]["new"] = (_, { supports }) => {
    const [, path] =
      /; leave it out unless context\.supports\("(.*)"\)$/.exec(`${errors[0]}`) ?? [];
    return path === undefined || supports(path as v1.CapabilityPath)
      ? { sessionId: "s", configOptions }
      : { sessionId: "s" };
  };
  const { client, errors } = await connectInMemory({ handlers: { session: { new: create } } });
  const newSession = { cwd: "/", mcpServers: [] };
  await expect(client.agent.session.new(newSession)).rejects.toThrow(
    "Invalid result of the agent at /configOptions/0/type",
  );
  // The handler does what the error says.
  expect(await client.agent.session.new(newSession)).toEqual({ sessionId: "s" });
  expect(errors).toHaveLength(1);
});

test("a message that needs a capability names the side that has not advertised it", async () => {
  const update = {
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "w", name: "W", type: "boolean", currentValue: true }],
  } as const;
  const params = { sessionId: "s", update };
  const requestedSchema = { type: "object", properties: {} } as const;
  const form = { mode: "form", sessionId: "s", message: "Name?", requestedSchema } as const;
  const prompt: v1.AgentHandlers["session"]["prompt"] = async (_, { client: user }) => {
    await expect(user.request("elicitation/create", form)).rejects.toThrow(
      "elicitation/create at /mode needs clientCapabilities.elicitation.form, which the client has not advertised",
    );
    await expect(user.session.update(params)).rejects.toThrow(
      "session/update at /update/configOptions/0/type needs clientCapabilities.session.configOptions.boolean, which the client has not advertised; the call option ignoreCapabilities sends it anyway",
    );
    return { stopReason: "end_turn" };
  };
  const { client } = await connectInMemory({ handlers: { session: { prompt } } });
  await client.agent.session.prompt({ sessionId: "s", prompt: [] });
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

test("an exception of onNotes or onError ends nothing", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const fail = (): never => {
    throw new Error("a mistake");
  };
  const { call } = connectRawClient({ onNotes: fail, onError: fail });
  const hello = await call("initialize", { protocolVersion: 1, clientCapabilities: 5 });
  expect(hello.result).toMatchObject({ protocolVersion: 1 });
  expect(logged).toHaveBeenCalledTimes(1);
});

/** What is sent instead of a response, and the text that every language has for it. */
const BROKEN = JSON.parse(readFileSync(`${ROOT}test/fixtures/broken-responses.json`, "utf8")) as {
  readonly [name in "answers" | "reports"]: readonly (readonly [members: string, text: string])[];
};

/** Returns the line of a message; it is cut where the members are. */
function lineOf(members: string, id: unknown = ""): string {
  const version = members.includes("jsonrpc") ? "" : '"jsonrpc":"2.0",';
  const end = members.endsWith(":{") ? "" : "}";
  return `{${version}${members.replace("$id", String(id))}${end}`;
}

test("a broken response says what is wrong with it", async () => {
  for (const [members, problem] of BROKEN.answers) {
    const { connection } = await connectToRaw(({ id }) => lineOf(members, id));
    const opened = connection.agent.session.new({ cwd: "/", mcpServers: [] });
    await expect(opened, members).rejects.toThrow(`Invalid response: ${problem}`);
  }
  const { errors, write } = await connectToRaw();
  for (const [members] of BROKEN.reports) write(lineOf(members));
  await expect.poll(() => errors).toHaveLength(BROKEN.reports.length);
  const start = "received a response that no call is waiting for, with the id ";
  expect(errors.map((error) => (error as Error).message)).toEqual(
    BROKEN.reports.map(([, text]) => start + text),
  );
});
