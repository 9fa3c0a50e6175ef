import { type MethodDescriptor } from "acp-bindings";
import type { connectMocks, createMockAgent, createMockClient } from "acp-bindings/v1-full/mocks";
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
});

type Group = { [name: string]: unknown };
