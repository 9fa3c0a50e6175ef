import { CapabilityError, memoryTransports, type MethodDescriptor } from "acp-bindings";
import type { connectMocks, createMockAgent, createMockClient } from "acp-bindings/v1-full/mocks";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { describe, expect, test } from "vitest";
import { PROFILES } from "../samples/profiles.js";

interface Mocks {
  readonly connectMocks: typeof connectMocks;
  readonly createMockAgent: typeof createMockAgent;
  readonly createMockClient: typeof createMockClient;
  readonly SAMPLES: { readonly [definition: string]: unknown };
}
interface Peer {
  readonly request: (method: string, params: unknown) => Promise<unknown>;
}

const info = { name: "test", version: "1" };

describe("a handler that returns nothing", () => {
  test.each(PROFILES)(
    "answers {} for every result without required members: %s",
    async (profile) => {
      const mocks = (await import(/* @vite-ignore */ `acp-bindings/${profile}/mocks`)) as Mocks;
      const main = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
        readonly METHODS: readonly MethodDescriptor[];
        readonly schemas: { readonly [name: string]: { readonly is: (value: unknown) => boolean } };
      };
      const methods = main.METHODS.filter(
        ({ name, side, kind, result }) =>
          kind === "request" &&
          (side === "agent" || side === "client") &&
          name !== "initialize" &&
          main.schemas[result!]!.is({}),
      );
      expect(methods.length).toBeGreaterThan(3);
      const handlersOf = (side: string): object => {
        const root: Group = {};
        for (const { handler } of methods.filter((method) => method.side === side)) {
          const group = handler
            .slice(0, -1)
            .reduce<Group>((at, name) => (at[name] ??= {}) as Group, root);
          group[handler.at(-1)!] = () => undefined;
        }
        return root;
      };
      const { agent, client } = await mocks.connectMocks(
        mocks.createMockAgent({ capabilities: "all", handlers: handlersOf("agent") }),
        { capabilities: "all", handlers: handlersOf("client") },
      );
      for (const { name, side, params } of methods) {
        const peer = (side === "agent" ? client.agent : agent.client) as unknown as Peer;
        expect([name, await peer.request(name, mocks.SAMPLES[params])]).toEqual([name, {}]);
      }
    },
  );

  test("fails where the result has required members", async () => {
    const errors: string[] = [];
    const agent = v1.createAgent({
      info,
      handlers: { session: { new: () => undefined as never, prompt: () => undefined as never } },
      onError: (error) => void errors.push((error as Error).message),
    });
    const { client } = await connected(agent, v1.createClient({ info, handlers: clientHandlers }));
    await expect(client.agent.session.new({ cwd: "/", mcpServers: [] })).rejects.toThrow("Invalid");
    expect(errors).toHaveLength(1);
  });
});

type Group = { [name: string]: unknown };

const clientHandlers: v1.ClientHandlers = {
  session: { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
};

/** Connects an agent and a client of one version, and sends `initialize`. */
async function connected<A, C>(
  agents: { connect(transport: ReturnType<typeof memoryTransports>[0]): A },
  clients: { connect(transport: ReturnType<typeof memoryTransports>[0]): Promise<C> },
): Promise<{ readonly agent: A; readonly client: C }> {
  const [left, right] = memoryTransports();
  const agent = agents.connect(left);
  return { agent, client: await clients.connect(right) };
}

describe("session/cancel and session/update", () => {
  test("need no handler in version 2", () => {
    const session = {
      new: () => ({ sessionId: "s" }),
      prompt: () => ({ messageId: "m" }),
      list: () => ({ sessions: [] }),
      resume: () => {},
      close: () => {},
    };
    expect(() =>
      v2.createAgent({ info, capabilities: { session: {} }, handlers: { session } }),
    ).not.toThrow();
    expect(() => v2.createClient({ info, handlers: {} })).not.toThrow();
    const { prompt: _, ...rest } = session;
    expect(() =>
      v2.createAgent({ info, capabilities: { session: {} }, handlers: { session: rest } }),
    ).toThrow("handlers.session.prompt is missing");
  });
});

describe("a call that needs a capability of the caller", () => {
  test("is present, and fails while the caller does not advertise it", async () => {
    const { agent } = await connected(
      v2.createAgent({ info, handlers: {} }),
      v2.createClient({ info, handlers: {} }),
    );
    const update = { sessionUpdate: "state_update", state: "running" } as const;
    await expect(agent.client.session.update({ sessionId: "s", update })).rejects.toBeInstanceOf(
      CapabilityError,
    );
    // A capability of the other side still makes the call absent.
    expect(agent.client.elicitation.create).toBeUndefined();
  });
});
