import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  request as requestHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpTransport, webSocketTransport } from "acp-bindings/remote";
import { createClient, select, type ClientConnection, type Transport } from "acp-bindings/v1";
import ts from "typescript";
import type { RedisClientType } from "@redis/client";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { remoteTest, runPython } from "../../python/run-python.js";
import { ROOT } from "../../support/paths.js";
import { HAS_REDIS, startRedis } from "../../support/redis.js";
import { agent, startRemote, stopAll, wait, type Remote } from "./remote-agent.js";

// What the manual's page "Remote agents" says about several processes.

const PAGE = readFileSync(join(ROOT, "templates/docs/guides/tool/remote.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "acp-processes-"));
const modules = mkdtempSync(join(ROOT, "node_modules/.processes-"));
const started: ChildProcess[] = [];
const routers: Server[] = [];
afterAll(async () => {
  for (const router of routers) router.closeAllConnections();
  for (const router of routers) router.close();
  for (const child of started) await stop(child, "SIGTERM");
  for (const path of [folder, modules]) rmSync(path, { recursive: true, force: true });
});

const client = createClient({
  info: { name: "test", version: "1.0.0" },
  onError: () => {},
  handlers: { session: { requestPermission: ({ options }) => select(options[0]!) } },
});

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
if (!hasNginx) console.log("skipped: two processes behind nginx, without nginx");

describe.skipIf(!hasNginx)("two processes behind the nginx of the page", () => {
  let proxy: number;
  const nodes = new Map<string, { readonly port: number; child: ChildProcess }>();

  beforeAll(async () => {
    const [a, b, port] = await Promise.all([freePort(), freePort(), freePort()]);
    for (const [name, own] of [
      ["a", a],
      ["b", b],
    ] as const)
      nodes.set(name, { port: own, child: await startNode(name, own) });
    proxy = port;
    const ports: Readonly<Record<string, number>> = { 8080: port, 8081: a, 8082: b };
    const page = /```nginx\n([^]*?)```/.exec(PAGE)![1]!;
    const own = page.replace(/(?<=127\.0\.0\.1:)\d+/g, (port) => `${ports[port]}`);
    await startNginx("names", own, port);
  }, 60_000);

  test.each([
    ["HTTP", () => httpTransport(`http://127.0.0.1:${proxy}/acp`, { reconnectMs: 300 })],
    ["WebSocket", () => openSocket(`ws://127.0.0.1:${proxy}/acp`)],
  ] as [string, () => Transport | Promise<Transport>][])(
    "over %s, a session continues in the other process when its own was killed",
    { timeout: 60_000 },
    async (_, open) => {
      const first = await client.connect(await open());
      const { name } = first.handshake.response.agentInfo!;
      const other = name === "a" ? "b" : "a";
      const session = await first.newSession({ cwd: "/" });
      await session.prompt("one");
      const lost = session.prompt("wait");
      for await (const update of lost) if (update.sessionUpdate === "agent_message_chunk") break;
      // Leaving the loop cancels the turn: another one is lost with the process.
      const killed = Promise.resolve(session.prompt("wait")).catch((error: unknown) => error);
      await wait(50);
      const node = nodes.get(name)!;
      await stop(node.child, "SIGKILL");
      expect(await killed).toBeInstanceOf(Error);
      await first.closed;
      for (const history of ["replay", "known"] as const) {
        const second = await client.connect(await open());
        expect(second.handshake.response.agentInfo!.name).toBe(other);
        const found = await second.continueSession(
          { sessionId: session.id, cwd: "/" },
          { history },
        );
        expect(found.how).toBe("load");
        const { state } = found.session;
        expect(textOf(state)).toContain(`one on ${name};`);
        await found.session.prompt("two");
        expect(textOf(state)).toMatch(new RegExp(`^one on ${name};.*two on ${other};$`));
        second.close();
        await second.closed;
      }
      node.child = await startNode(name, node.port);
    },
  );
});

/** Cookies that name the process, as `sticky` does in later versions of nginx. */
const sticky = (port: number, nodes: readonly number[]): string => `
map $cookie_acp_node $acp_node {
  ~^127\\.0\\.0\\.1:\\d+$ $cookie_acp_node;
  default                acp_any;
}
upstream acp_any {
  ${nodes.map((node) => `server 127.0.0.1:${node};`).join("\n  ")}
}
server {
  listen 127.0.0.1:${port};
  location /acp {
    proxy_pass http://$acp_node;
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header Connection "";
    proxy_buffering off;
    add_header Set-Cookie "acp_node=$upstream_addr; Path=/; HttpOnly" always;
  }
}`;

describe.skipIf(!hasNginx)("two processes behind an nginx with cookies", () => {
  let url: string;

  beforeAll(async () => {
    const [a, b, port] = await Promise.all([freePort(), freePort(), freePort()]);
    await Promise.all([startNode("a", a), startNode("b", b)]);
    await startNginx("cookies", sticky(port, [a, b]), port);
    url = `http://127.0.0.1:${port}/acp`;
  }, 60_000);

  test("a client stays with its process, and one that drops the cookie does not", async () => {
    const names = new Set<string>();
    for (let index = 0; index < 4; index++) {
      const connection = await client.connect(httpTransport(url));
      names.add(connection.handshake.response.agentInfo!.name);
      const session = await connection.newSession({ cwd: "/" });
      for (const text of ["one", "two", "three"]) await session.prompt(text);
      connection.close();
      await connection.closed;
    }
    expect([...names].sort()).toEqual(["a", "b"]);
    const forgetful = httpTransport(url, {
      fetch: async (...given) => {
        const { body, status, headers } = await fetch(...given);
        const kept = [...headers].filter(([name]) => name !== "set-cookie");
        return new Response(body, { status, headers: kept });
      },
    });
    await expect(client.connect(forgetful)).rejects.toThrow();
  });

  remoteTest("a client in Python stays with its process", async () => {
    const args = ["test/python/runtime/remote_work.py", "take", url, "{}"];
    for (let index = 0; index < 4; index++)
      expect(JSON.parse(runPython(args).out)).toMatchObject({ stopReason: "end_turn" });
  });
});

describe.skipIf(!HAS_REDIS)("a router with a directory in Redis", () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());
  afterEach(stopAll);

  test("finds the process of a connection, until the process is gone", async () => {
    const nodes = await Promise.all([startListedNode(redis.redis), startListedNode(redis.redis)]);
    const url = await startRouter(redis.redis, nodes);
    const connections: ClientConnection[] = [];
    for (let index = 0; index < 4; index++)
      connections.push(await client.connect(httpTransport(url)));
    expect(nodes.map(({ handler }) => handler.size)).toEqual([2, 2]);
    const takeTurn = async (connection: ClientConnection): Promise<void> => {
      const session = await connection.newSession({ cwd: "/" });
      await session.prompt(JSON.stringify({ chunks: 3 }));
      expect(textOf(session.state)).toBe("012");
    };
    for (const connection of connections) await takeTurn(connection);
    await nodes[0]!.handler.drain(0);
    await redis.redis.del(nodes[0]!.listed);
    const [first, second, third, fourth] = connections;
    for (const connection of [first!, third!]) await connection.closed;
    for (const connection of [second!, fourth!]) await takeTurn(connection);
  });
});

test("the object of the page has one connection, which is found by its id", async () => {
  const program = PAGE.split("```ts\n").find((text) => text.includes("class AgentObject"))!;
  const { outputText } = ts.transpileModule(program.split("```")[0]!, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  // Inside the repository, so that the package is found by its name.
  const file = join(modules, "objects.mjs");
  writeFileSync(file, outputText);
  Object.assign(globalThis, { agent });
  const { default: worker, AgentObject } = (await import(/* @vite-ignore */ file)) as Program;
  const objects = new Map<string, InstanceType<typeof AgentObject>>();
  const AGENTS = {
    idFromName: (name: string) => name,
    get: (name: string) => {
      const object = objects.get(name) ?? new AgentObject({ id: { name } });
      objects.set(name, object);
      return object;
    },
  };
  const route: typeof fetch = (input, init) => worker.fetch(new Request(input, init), { AGENTS });
  const connections = await Promise.all(
    [1, 2].map(() => client.connect(httpTransport("http://agents.example/acp", { fetch: route }))),
  );
  for (const connection of connections) {
    const session = await connection.newSession({ cwd: "/" });
    await session.prompt(JSON.stringify({ chunks: 3 }));
    expect(textOf(session.state)).toBe("012");
    connection.close();
    await connection.closed;
  }
  expect(objects.size).toBe(2);
});

/** The exports of the page's program. */
interface Program {
  readonly default: {
    fetch(request: Request, bindings: object): Promise<Response>;
  };
  readonly AgentObject: new (state: object) => { fetch(request: Request): Promise<Response> };
}

function textOf({
  messages,
}: {
  readonly messages: readonly { readonly kind: string; readonly content: readonly object[] }[];
}): string {
  return messages
    .filter(({ kind }) => kind === "agent_message")
    .flatMap(({ content }) => content.map((block) => ("text" in block ? block.text : "")))
    .join("");
}

async function startNode(name: string, port: number): Promise<ChildProcess> {
  const file = join(ROOT, "test/use/remote/stored-agent.mjs");
  const child = spawn(process.execPath, [file, name, String(port), join(folder, "sessions")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  await once(child.stdout, "data");
  return child;
}

/** Starts nginx with a configuration that listens on a port. */
async function startNginx(name: string, text: string, port: number): Promise<void> {
  const place = join(folder, name);
  mkdirSync(place);
  chmodSync(folder, 0o755);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${place}/${name};`)
    .join("\n");
  writeFileSync(
    join(place, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${place}/pid; error_log stderr error;
events { worker_connections 100; }
http { access_log off; ${temporary}\n${text} }`,
  );
  const child = spawn("nginx", ["-p", place, "-c", join(place, "nginx.conf"), "-e", "stderr"], {
    stdio: "ignore",
  });
  started.push(child);
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/acp`), { timeout: 10_000 });
}

/** Starts a server that writes its connections to the directory, as the page says. */
async function startListedNode(
  redis: RedisClientType,
): Promise<Remote & { readonly listed: string[] }> {
  const listed: string[] = [];
  const remote: Remote = await startRemote({
    serve: async (transport, { connectionId }) => {
      listed.push(`acp:node:${connectionId}`);
      await redis.set(`acp:node:${connectionId}`, remote.port, { EX: 60 });
      return agent.connect(transport);
    },
  });
  return { ...remote, listed };
}

/** Starts a router, which sends what names no connection to the servers in turn. */
async function startRouter(redis: RedisClientType, nodes: readonly Remote[]): Promise<string> {
  let count = 0;
  const router = createHttpServer((request, response) => void route(request, response));
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers["acp-connection-id"];
    const found = id === undefined ? nodes[count++ % 2]!.port : await redis.get(`acp:node:${id}`);
    if (found === null) return void response.writeHead(404).end();
    const { method, url, headers } = request;
    const options = { port: Number(found), method, path: url, headers };
    const passed = requestHttp(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers).flushHeaders();
      answer.pipe(response);
    });
    response.on("close", () => passed.destroy());
    request.pipe(passed.on("error", () => response.destroy()));
  };
  router.listen(0, "127.0.0.1");
  await once(router, "listening");
  routers.push(router);
  return `http://127.0.0.1:${(router.address() as AddressInfo).port}/acp`;
}

async function openSocket(url: string): Promise<Transport> {
  const socket = new WebSocket(url);
  await once(socket, "open");
  return webSocketTransport(socket);
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
