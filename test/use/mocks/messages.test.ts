import { memoryTransports, type MethodDescriptor, type RequestId } from "acp-bindings";
import type { TranscriptEntry } from "acp-bindings/conformance";
import type * as v1 from "acp-bindings/v1-full/mocks";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../../generators/schema/json-schema/json.js";
import { loadBindings, TRIED_PROFILES, type Profile } from "../samples/profiles.js";
import { reference } from "../values/verdicts.js";
import { recorded } from "./conversation.js";

type Mocks = typeof v1;
type Connection = Awaited<ReturnType<Mocks["connectMocks"]>>["client"];

/** The mocks of a profile and its table of methods; all profiles are treated alike. */
async function load(
  profile: Profile,
): Promise<{ mocks: Mocks; methods: readonly MethodDescriptor[] }> {
  const mocks = (await import(/* @vite-ignore */ `acp-bindings/${profile}/mocks`)) as Mocks;
  const { METHODS } = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as {
    METHODS: readonly MethodDescriptor[];
  };
  return { mocks, methods: METHODS };
}

/** Calls a method of a peer by its path. */
function call(peer: object, { handler }: MethodDescriptor, params: unknown): Promise<unknown> {
  const found = handler.reduce<unknown>((group, name) => (group as JsonObject)[name], peer);
  return (found as (params: unknown) => Promise<unknown>)(params);
}

/** Resolves when the client's mock has seen the work of a prompt end. */
function ended(mocks: Mocks): {
  client: ReturnType<Mocks["createMockClient"]>;
  idle: Promise<void>;
} {
  let resolve: () => void;
  const idle = new Promise<void>((settle) => (resolve = settle));
  const update = (params: unknown): void => {
    const { update } = params as { update: JsonObject };
    // Resuming tells that the session is idle, too, but not that work has ended.
    if (update["state"] === "idle" && update["stopReason"] !== undefined) resolve();
  };
  const options = { capabilities: "all", handlers: { session: { update } } } as const;
  return { client: mocks.createMockClient(options), idle };
}

/** Calls every method of both roles; gives everything that was sent. */
async function converse(
  profile: Profile,
  table: "SAMPLES" | "FULL_SAMPLES",
): Promise<{
  readonly transcript: readonly TranscriptEntry[];
  readonly agent: ReturnType<Mocks["createMockAgent"]>;
  readonly client: ReturnType<Mocks["createMockClient"]>;
  readonly methods: readonly MethodDescriptor[];
}> {
  const { mocks, methods } = await load(profile);
  const transcript: TranscriptEntry[] = [];
  const [near, far] = memoryTransports();
  const agent = mocks.createMockAgent({ capabilities: "all" });
  const { client, idle } = ended(mocks);
  const served = agent.connect(recorded(far, "agent", transcript));
  const connection: Connection = await client.connect(recorded(near, "client", transcript));
  const callAll = async (side: string, peer: object): Promise<void> => {
    for (const method of methods) {
      if (method.side !== side || method.name === "initialize") continue;
      const params = (mocks[table] as unknown as JsonObject)[method.params];
      await call(peer, method, params);
      if (method.name === "session/prompt" && profile.startsWith("v2")) await idle;
    }
  };
  // In this order, since questions to the user that follow session/cancel do not reach the mock.
  await callAll("client", served.client);
  await callAll("agent", connection.agent);
  // Messages before a response have been handled when it arrives.
  await served.client.request("_flush", {}).catch(() => {});
  await connection.agent.request("_flush", {}).catch(() => {});
  connection.close();
  return { transcript, agent, client, methods };
}

/** The definition of what every message of a transcript carries. */
function carried(
  transcript: readonly TranscriptEntry[],
  methods: readonly MethodDescriptor[],
): { readonly definition: string; readonly value: unknown }[] {
  const asked = new Map<string, MethodDescriptor>();
  const key = (from: string, id: RequestId): string => `${from} ${String(id)}`;
  return transcript.flatMap(({ from, message }) => {
    const {
      id,
      method: name,
      params,
      result,
    } = message as {
      readonly id?: RequestId;
      readonly method?: string;
      readonly params?: unknown;
      readonly result?: unknown;
    };
    if (name?.startsWith("_")) return [];
    const other = from === "agent" ? "client" : "agent";
    if (name === undefined) {
      const method = asked.get(key(other, id!));
      return method === undefined ? [] : [{ definition: method.result!, value: result }];
    }
    const kind = id === undefined ? "notification" : "request";
    const method = methods.find(
      (candidate) => candidate.name === name && candidate.kind === kind && candidate.side === other,
    )!;
    if (id !== undefined) asked.set(key(from, id), method);
    return [{ definition: method.params, value: params }];
  });
}

describe.each(TRIED_PROFILES)("a mock client and a mock agent of %s", (profile) => {
  test.each(["SAMPLES", "FULL_SAMPLES"] as const)(
    "call every method of each other with %s, and every message is valid",
    async (table) => {
      const { transcript, methods } = await converse(profile, table);
      const { bundle, schemaOf, encode } = await loadBindings(profile);
      const fits = reference(bundle);
      const messages = carried(transcript, methods);
      for (const { definition, value } of messages) {
        const text = `${definition}: ${JSON.stringify(value)}`;
        expect(schemaOf(definition).is(value), text).toBe(true);
        expect(fits(definition, value), text).toBe(true);
        expect(() => encode(definition, value), text).not.toThrow();
      }
      const seen = new Set(messages.map(({ definition }) => definition));
      const expected = methods
        .filter(({ side }) => side === "agent" || side === "client")
        .flatMap(({ params, result }) => [params, result ?? params]);
      expect(expected.filter((definition) => !seen.has(definition))).toEqual([]);
    },
  );

  test("record every call with its params", async () => {
    const { transcript, agent, client, methods } = await converse(profile, "SAMPLES");
    for (const [mock, from] of [
      [agent, "client"],
      [client, "agent"],
    ] as const) {
      const sent = transcript.flatMap((entry) => {
        const { method, params } = entry.message as { method?: string; params?: unknown };
        const isCall = entry.from === from && method !== undefined && !method.startsWith("_");
        return isCall && method !== "initialize" ? [{ method, params }] : [];
      });
      expect(mock.calls.map(({ method }) => method)).toEqual(sent.map(({ method }) => method));
      const role = from === "client" ? "agent" : "client";
      const own = methods.filter(({ side, name }) => side === role && name !== "initialize");
      const names = new Set<string>(mock.calls.map(({ method }) => method));
      expect(own.filter(({ name }) => !names.has(name))).toEqual([]);
    }
    expect(agent.calls.find(({ method }) => method === "session/prompt")?.params).toEqual(
      (await load(profile)).mocks.SAMPLES.PromptRequest,
    );
  });

  test("see every variant of session/update in one turn", async () => {
    const { bundle } = await loadBindings(profile);
    const { client } = await converse(profile, "SAMPLES");
    const variants = bundle.$defs!["SessionUpdate"]!;
    const tags = (variants.oneOf ?? variants.anyOf)!
      .map(({ properties }) => properties!["sessionUpdate"]!.const)
      .filter((tag) => tag !== undefined);
    const seen = client.calls
      .filter(({ method }) => method === "session/update")
      .map(({ params }) => (params as { update: JsonObject }).update["sessionUpdate"]);
    expect(new Set(seen)).toEqual(new Set(tags));
  });

  test("have samples that advertise every capability", async () => {
    const { mocks, methods } = await load(profile);
    const { bundle } = await loadBindings(profile);
    const initialize = methods.find(({ name }) => name === "initialize")!;
    const missing = [initialize.params, initialize.result!].flatMap((name) =>
      notSet(bundle.$defs!, name, (mocks.FULL_SAMPLES as unknown as JsonObject)[name], name),
    );
    expect(missing).toEqual([]);
  });
});

/** The places of properties that a value lacks, or that are false, null or empty lists. */
function notSet(
  definitions: NonNullable<Awaited<ReturnType<typeof loadBindings>>["bundle"]["$defs"]>,
  name: string,
  value: unknown,
  place: string,
): string[] {
  if (!isObject(value)) return [];
  return Object.entries(definitions[name]?.properties ?? {}).flatMap(([key, schema]) => {
    if (key === "_meta") return [];
    const at = `${place}.${key}`;
    const part = value[key];
    const isSet = part !== undefined && part !== null && part !== false && part !== 0;
    if (!isSet || (Array.isArray(part) && part.length === 0)) return [at];
    const inner = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
    return inner.flatMap(({ $ref }) =>
      $ref === undefined ? [] : notSet(definitions, $ref.slice("#/$defs/".length), part, at),
    );
  });
}
