import type { MethodDescriptor, RequestId } from "acp-bindings";
import type { TranscriptEntry } from "acp-bindings/conformance";
import type * as v1 from "acp-bindings/v1-full/mocks";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../../generators/schema/json-schema/json.js";
import { loadBindings, TRIED_PROFILES } from "../samples/profiles.js";
import { reference } from "../values/verdicts.js";
import { converse } from "./conversation.js";

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

describe.each(TRIED_PROFILES)("the mocks of %s", (profile) => {
  test.each(["SAMPLES", "FULL_SAMPLES"] as const)("send only valid messages: %s", async (table) => {
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
    const variants = bundle.$defs!["SessionUpdate"]!;
    const tags = (variants.oneOf ?? variants.anyOf)!.flatMap(
      ({ properties }) => properties!["sessionUpdate"]!.const ?? [],
    );
    const updates = messages.flatMap(({ value }) => (value as JsonObject)["update"] ?? []);
    const sent = new Set(updates.map((update) => (update as JsonObject)["sessionUpdate"]));
    expect(tags.filter((tag) => !sent.has(tag))).toEqual([]);
  });

  test("have samples that advertise every capability", async () => {
    const { FULL_SAMPLES } = (await import(
      /* @vite-ignore */ `acp-bindings/${profile}/mocks`
    )) as typeof v1;
    const { methods } = await converse(profile);
    const { bundle } = await loadBindings(profile);
    const initialize = methods.find(({ name }) => name === "initialize")!;
    const missing = [initialize.params, initialize.result!].flatMap((name) =>
      notSet(bundle.$defs!, name, (FULL_SAMPLES as unknown as JsonObject)[name], name),
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
