import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../../generators/compile.js";
import { roles } from "../../../../generators/emit/typescript/roles/roles.js";
import { schemas } from "../../../../generators/emit/typescript/schemas/schemas.js";
import { types } from "../../../../generators/emit/typescript/types/types.js";
import type * as acp from "../../../../out/typescript/src/v1-full/index.js";
import type { MethodDescriptor } from "../../../../templates/typescript/runtime/methods.js";
import type { Transport } from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import { createCodeFolder } from "../../../support/code-folder.js";
import { renamedProtocol } from "../renamed.js";

/** The functions of generated roles, whose handlers have other names than those of `out`. */
interface Bindings {
  readonly createAgent: (options: object) => acp.Agent;
  readonly createClient: (options: object) => acp.Client;
  readonly createProxy: (options: object) => acp.Proxy;
}

interface Transports {
  readonly memoryTransports: () => [Transport, Transport];
}

type Work = (session: acp.AgentSession) => Promise<unknown>;

const VERSIONS = ["v1", "v2"] as const;
const info = { name: "test", version: "1" };
const place = { cwd: "/", mcpServers: [] };
const prompt = [{ type: "text", text: "Go" } as const];
const CANCELLED = { outcome: { outcome: "cancelled" } };

const folder = createCodeFolder();
const sourceOf = (version: string, name: string): string =>
  `typescript/src/${version}-renamed/${name}`;
let texts: ReadonlyMap<string, string>;

beforeAll(async () => {
  const emitted = await compile(
    VERSIONS.map(renamedProtocol),
    [types, schemas, roles],
    {},
    {
      templates: new Map(),
      version: "0.0.0",
    },
  );
  texts = new Map(emitted.map(({ path, text }) => [path.replace(/^out\//, ""), text]));
  folder.write([...texts].map(([path, text]) => ({ path, text })));
}, 120_000);

/** Connects an agent whose turns do some work with a client. */
async function connect(version: string, work: Work, options: Partial<Options> = {}) {
  const { createAgent, createClient } = await folder.load<Bindings>(sourceOf(version, "roles.ts"));
  const { memoryTransports } = await folder.load<Transports>(
    "typescript/src/runtime/rpc/transports/transport.ts",
  );
  const [near, far] = memoryTransports();
  const run = (_: unknown, { session }: { session: acp.AgentSession }): unknown =>
    version === "v1" ? work(session) : (session as never as Turns).startTurn(work);
  const agent = createAgent({
    info,
    checkOutgoing: false,
    ...options.agentOptions,
    handlers: {
      session: {
        otherNew: () => ({ sessionId: "s" }),
        otherList: () => ({}),
        otherResume: () => ({}),
        otherClose: () => ({}),
        otherPrompt: run,
        ...options.agent,
      },
      ...options.agentGroups,
    },
  });
  agent.connect(far);
  const client = createClient({
    info,
    ...options.clientOptions,
    handlers: {
      session: {
        otherUpdate: () => {},
        otherRequestPermission: () => CANCELLED,
        ...options.client,
      },
    },
  });
  return client.connect(near);
}

interface Options {
  readonly agent: object;
  readonly agentGroups: object;
  readonly agentOptions: object;
  readonly client: object;
  readonly clientOptions: object;
}

interface Turns {
  startTurn(work: Work): unknown;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const calledBy = (holder: object, ...path: string[]): ((params: object) => Promise<unknown>) =>
  path.reduce<unknown>((inner, name) => (inner as never)[name], holder) as never;

describe.each(VERSIONS)("the runtime of %s, where all methods have other names,", (version) => {
  test("has only other names in its table", async () => {
    const { METHODS } = await folder.load<{ METHODS: readonly MethodDescriptor[] }>(
      sourceOf(version, "methods.ts"),
    );
    const same = METHODS.filter(({ name }) => !name.includes("other_")).map(({ name }) => name);
    expect(same.toSorted()).toEqual(["$/cancel_request", "initialize"]);
    expect(METHODS.length).toBeGreaterThan(40);
  });

  test("ends the work and the state of a session that is closed", async () => {
    let isAborted = false;
    let start = (): void => {};
    const started = new Promise<void>((resolve) => (start = resolve));
    const connection = await connect(
      version,
      async (session) => {
        start();
        await aborted(session.signal);
        isAborted = true;
      },
      { agentOptions: { onError: () => {} } },
    );
    const session = await connection.newSession(place);
    session.prompt(prompt).catch(() => {});
    await started;
    await calledBy(session.agent, "otherClose")({});
    expect(isAborted).toBe(true);
    await expect(session.prompt(prompt)).rejects.toThrow(
      'session/other_prompt was not sent: the session "s" is closed',
    );
    await calledBy(session.agent, "otherResume")(place);
    await expect(calledBy(connection.agent, "session", "otherList")({})).resolves.toBeDefined();
    expect(session.state).toBeDefined();
  });

  test("logs in once for the calls that need it, and never for a login itself", async () => {
    let isKnown = false;
    const asked: string[] = [];
    const login = version === "v1" ? "otherAuthenticate" : "otherLogin";
    const { RpcError } = await folder.load<typeof acp>("typescript/src/runtime/rpc/errors.ts");
    const authenticate = ({ methodId }: { methodId: string }): object => {
      if (methodId === "bad") throw RpcError.authRequired();
      isKnown = true;
      return {};
    };
    const connection = await connect(version, () => Promise.resolve(), {
      agent: {
        otherNew: () => {
          if (!isKnown) throw RpcError.authRequired();
          return { sessionId: "s" };
        },
      },
      agentGroups:
        version === "v1"
          ? { [login]: authenticate }
          : { auth: { [login]: authenticate, otherLogout: () => ({}) } },
      agentOptions: {
        authMethods: ["key", "bad"].map((id) =>
          version === "v1" ? { id, name: id } : { methodId: id, name: id, type: "agent" },
        ),
      },
      clientOptions: {
        onAuthRequired: async (_: unknown, context: { method: string; agent: object }) => {
          asked.push(context.method);
          await loginOf(context.agent)({ methodId: "key" });
          return true;
        },
      },
    });
    const loginOf = (agent: object) =>
      version === "v1" ? calledBy(agent, login) : calledBy(agent, "auth", login);
    await expect(loginOf(connection.agent)({ methodId: "bad" })).rejects.toMatchObject({
      code: -32000,
    });
    await connection.newSession(place);
    expect(asked).toEqual(["session/other_new"]);
  });

  test("wraps the messages of a proxy for its conductor", async () => {
    const { createProxy } = await folder.load<Bindings>(sourceOf(version, "roles.ts"));
    const { memoryTransports } = await folder.load<Transports>(
      "typescript/src/runtime/rpc/transports/transport.ts",
    );
    const [conductor, far] = memoryTransports();
    const proxy = createProxy({ onError: () => {} }) as acp.Proxy & {
      connectConductor(transport: Transport): void;
    };
    proxy.connectConductor(far);
    const received = new Promise((resolve) =>
      conductor.start({ message: resolve, invalid: () => {}, close: () => {} }),
    );
    const params = { protocolVersion: Number(version.slice(1)), info };
    void conductor.send({ jsonrpc: "2.0", id: 1, method: "proxy/other_initialize", params });
    expect(await received).toMatchObject({
      method: "proxy/other_successor",
      params: { method: "initialize" },
    });
  });
});
