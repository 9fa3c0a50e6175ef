import { describe, expect, test } from "vitest";
import { AcpError, connectVersions, memoryTransports, serveVersions } from "acp-bindings";
import { defineAgent } from "acp-bindings/agent";
import { bridge } from "acp-bindings/bridge";
import { spawnAgent } from "acp-bindings/stdio";
import * as v1 from "acp-bindings/v1";
import { connectMocks, createMockClient } from "acp-bindings/v1/mocks";
import * as v2 from "acp-bindings/v2";
import { connectInMemory, SESSION } from "../peers/in-memory.js";
import { info, PERMISSION } from "../peers/raw-peer.js";

/** Calls that types do not allow; plain JavaScript can make them. */
type Wrong = any;

const quiet = v1.createAgent({ info, handlers: { session: SESSION } });

/** Returns the error of a call, whether it is thrown or rejects. */
async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("plain JavaScript is told what to pass", () => {
  test.each<readonly [string, (session: Wrong) => unknown]>([
    ['session.plan needs an array, not "x": session.plan([{ content', (s) => s.plan("x")],
    ['session.stream needs an async iterable, not "abc"', (s) => s.stream("abc")],
    ["session.toolCall needs an object, not undefined", (s) => s.toolCall()],
    ['session.terminal needs an object, not "ls"', (s) => s.terminal("ls")],
    ["session.update needs a non-empty string, not an object", (s) => s.update({})],
    ['toolCall.run needs a function, not "x"', async (s) => (await tool(s)).run("x")],
    ['toolCall.ask needs an array, not "x"', async (s) => (await tool(s)).ask("x")],
    ["toolCall.ask needs at least one option", async (s) => (await tool(s)).ask([])],
    ["toolCall.update needs an object, not undefined", async (s) => (await tool(s)).update()],
  ])("by an agent's session: %s", async (message, use) => {
    let error: unknown;
    const prompt = async (_: unknown, { session }: Wrong) => {
      error = await errorOf(() => use(session));
      return { stopReason: "end_turn" };
    };
    const { client } = await connectInMemory({ handlers: { session: { prompt } } } as Wrong);
    await (await client.newSession({ cwd: "/" })).prompt("Hi");
    client.close();
    expect(error).toBeInstanceOf(AcpError);
    expect((error as Error).message).toContain(message);
  });

  test.each<readonly [string, (connection: Wrong) => unknown]>([
    ["newSession needs an object, not undefined: newSession({ cwd", (c) => c.newSession()],
    ['loadSession needs an object, not "s"', (c) => c.loadSession("s")],
    ["resumeSession needs an object, not null", (c) => c.resumeSession(null)],
    ["session needs a string, not undefined", (c) => c.session()],
    ["session.prompt needs a string or an array, not undefined", (c) => c.session("s").prompt()],
    [
      'setConfigOption needs an object, not "model"',
      (c) => c.session("s").agent.setConfigOption("model"),
    ],
  ])("by a client's connection: %s", async (message, use) => {
    const { client } = await connectInMemory();
    const error = await errorOf(() => use(client));
    client.close();
    expect(error).toBeInstanceOf(AcpError);
    expect((error as Error).message).toContain(message);
  });

  test.each<readonly [string, () => unknown]>([
    [
      "serveVersions needs an array, not an object",
      () => serveVersions(quiet as Wrong, transport()),
    ],
    ["serveVersions needs at least one", () => serveVersions([], transport())],
    ["serveVersions needs what createAgent", () => serveVersions([{} as Wrong], transport())],
    ["serveVersions was given version 1 twice", () => serveVersions([quiet, quiet], transport())],
    [
      "connectVersions needs an array, not undefined",
      () => connectVersions(undefined as Wrong, transport()),
    ],
    ["a connection needs a transport", () => serveVersions([quiet], undefined as Wrong)],
    ["defineAgent needs an object, not undefined", () => defineAgent(undefined as Wrong)],
    ["bridge needs an object, not undefined", () => bridge(undefined as Wrong)],
    ["bridge: client needs web streams", () => bridge({} as Wrong)],
    ["connectMocks needs an object, not undefined", () => connectMocks(undefined as Wrong)],
    [
      'usr is not an option of a mock (did you mean "user"?)',
      () => connectMocks(quiet, { usr: {} } as Wrong),
    ],
    [
      "permission is an option of the user",
      () => createMockClient({ permission: "allow_once" } as Wrong),
    ],
    ['spawnAgent needs a non-empty string, not ""', () => spawnAgent("", [])],
    ['spawnAgent needs an array, not "agent.js"', () => spawnAgent("node", "agent.js" as Wrong)],
  ])("by a function: %s", async (message, use) => {
    const error = await errorOf(use);
    expect(error).toBeInstanceOf(AcpError);
    expect((error as Error).message).toContain(message);
  });
});

test("a program that sends back what it receives is not an agent, and the error says so", async () => {
  const client = v1.createClient({ info, handlers: { session: PERMISSION } });
  await using agent = spawnAgent("cat");
  await expect(client.connect(agent)).rejects.toThrow("sends our own messages back, as cat does");
});

test("a version that the other side lacks is named like its own, in both directions", async () => {
  const both = [v1, v2].map(({ createClient }) =>
    createClient({ info, handlers: { session: PERMISSION } } as Wrong),
  );
  const names = ["new", "list", "resume", "close", "prompt"];
  const handlers = { session: Object.fromEntries(names.map((name) => [name, () => ({})])) };
  const agents = [
    quiet,
    v2.createAgent({ info, capabilities: { session: {} }, handlers } as Wrong),
  ];
  for (const [wanted, offered] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const [near, far] = memoryTransports();
    agents[offered - 1]!.connect(far);
    await expect(both[wanted - 1]!.connect(near)).rejects.toMatchObject({
      name: "ProtocolVersionError",
      wanted,
      offered,
      message: `the client speaks version ${wanted} of the protocol, the agent speaks version ${offered}; the command acp-bridge translates between them`,
    });
  }
});

function transport(): Wrong {
  return memoryTransports()[0];
}

function tool(session: Wrong): Promise<Wrong> {
  return session.toolCall({ title: "Test" });
}
