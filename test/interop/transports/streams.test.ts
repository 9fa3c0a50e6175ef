import { spawnSync } from "node:child_process";
import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as sdk from "@agentclientprotocol/sdk";
import { memoryTransports } from "acp-bindings";
import { spawnAgent } from "acp-bindings/stdio";
import { createAgent, createClient, schemas, type Client } from "acp-bindings/v1";
import { expect, test } from "vitest";

const INFO = { name: "streams", version: "1" };

test("an agent plugs into a stream of the official SDK, as its clients do", async () => {
  const [near, far] = createSdkStreams();
  const connection = createEchoAgent().connect(far);
  const text = await sdk.client().connectWith(near, async (agent) => {
    await agent.request("initialize", { protocolVersion: 1 });
    const session = await agent.buildSession("/work").start();
    void session.prompt("Hallo €😀");
    return session.readText();
  });
  expect(text).toBe("Hallo €😀");
  connection.close();
  await connection.closed;
});

test("a client plugs into a stream of the official SDK, as its agents do", async () => {
  const [near, far] = createSdkStreams();
  sdk
    .agent()
    .onRequest("initialize", () => ({ protocolVersion: 1 }))
    .onRequest("session/new", () => ({ sessionId: "s" }))
    .connect(far);
  const connection = await createReportingClient([]).connect(near);
  expect(connection.handshake.response).toMatchObject({
    protocolVersion: 1,
    agentCapabilities: { loadSession: false },
  });
  expect(await connection.agent.session.new({ cwd: "/", mcpServers: [] })).toEqual({
    sessionId: "s",
  });
  connection.close();
});

test("an agent and a client communicate in memory", async () => {
  const [near, far] = memoryTransports();
  const agent = createEchoAgent().connect(far);
  await expectEcho(near);
  await agent.closed;
});

test("a client starts an agent as a process, and closing the connection ends it", async () => {
  const script = fileURLToPath(new URL("../peers/bindings-agent.mjs", import.meta.url));
  const agent = spawnAgent(process.execPath, [script]);
  const connection = await createReportingClient([]).connect(agent);
  expect(connection.handshake.response.agentInfo?.name).toBe("interop-agent");
  expect(await connection.agent.session.new({ cwd: "/", mcpServers: [] })).toMatchObject({
    sessionId: "s-1",
  });
  connection.close();
  expect(await agent.exited).toBe(0);
});

test("an agent whose input ends right behind a request still answers it", () => {
  const script = fileURLToPath(new URL("../peers/bindings-agent.mjs", import.meta.url));
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  for (const end of ["\n", ""]) {
    const input = `\uFEFF${JSON.stringify(hello)}${end}`;
    const { stdout, status } = spawnSync(process.execPath, [script], { input, encoding: "utf8" });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: 1 } });
    expect(status).toBe(0);
  }
});

async function expectEcho(transport: Parameters<Client["connect"]>[0]): Promise<void> {
  const texts: string[] = [];
  const connection = createReportingClient(texts).open(transport);
  await connection.initialize();
  const { sessionId } = await connection.agent.session.new({ cwd: "/", mcpServers: [] });
  const prompt = [{ type: "text" as const, text: "Hallo" }];
  expect(await connection.agent.session.prompt({ sessionId, prompt })).toEqual({
    stopReason: "end_turn",
  });
  expect(texts).toEqual(["Hallo"]);
  connection.close();
  await connection.closed;
}

function createReportingClient(texts: string[]): Client {
  return createClient({
    info: INFO,
    handlers: {
      session: {
        update: ({ update }) => {
          if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
            texts.push(update.content.text);
        },
        requestPermission: () => ({ outcome: { outcome: "cancelled" } }),
      },
    },
  });
}

function createEchoAgent(): ReturnType<typeof createAgent> {
  return createAgent({
    info: INFO,
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        prompt: async ({ sessionId, prompt }, { client }) => {
          for (const content of prompt.filter(schemas.ContentBlock.is))
            await client.session.update({
              sessionId,
              update: { sessionUpdate: "agent_message_chunk", content },
            });
          return { stopReason: "end_turn" };
        },
        cancel: () => {},
      },
    },
  });
}

/** The two ends of a pair of pipes, as the official SDK makes streams of them. */
function createSdkStreams(): [sdk.Stream, sdk.Stream] {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const open = (output: PassThrough, input: PassThrough): sdk.Stream =>
    sdk.ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
  return [open(there, back), open(back, there)];
}
