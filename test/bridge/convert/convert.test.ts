import * as bridge from "acp-bindings/bridge";
import type { Converted } from "acp-bindings/bridge";
import * as v1 from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2-full/schemas";
import { describe, expect, test } from "vitest";
import { buildBridge } from "../../../generators/model/bridge/build-bridge.js";
import { loadBridge } from "../../../generators/schema/bridge/load-bridge.js";
import type { Json } from "../../../generators/schema/json-schema/json.js";
import { corpusOf, protocolOf, SCHEMA } from "../corpus.js";

const { bridge: mapping } = buildBridge(
  loadBridge(SCHEMA)!,
  protocolOf("v1-full"),
  protocolOf("v2-full"),
);
const corpora = { v1: corpusOf(mapping.v1), v2: corpusOf(mapping.v2) };

type Convert = (value: unknown) => Converted<Json>;
type Schemas = {
  readonly [name: string]: {
    readonly is: (value: unknown) => boolean;
    readonly parse: (value: unknown) => unknown;
  };
};

/** Its properties that other definitions of version 1 have are converted with those. */
const MOVED: ReadonlySet<string> = new Set(["SessionCapabilities of v2"]);

/** A converter, what it takes and what it gives. */
interface Way {
  readonly name: string;
  readonly convert: Convert;
  readonly back: Convert | undefined;
  readonly samples: readonly Json[];
  readonly changed: () => readonly Json[];
  /** Inserts the defaults. */
  readonly complete: (value: Json) => Json;
  readonly isOwn: (value: unknown) => boolean;
  readonly isOther: (value: unknown) => boolean;
}

const functions = bridge as unknown as { readonly [name: string]: Convert };
const schemas = { v1: v1 as unknown as Schemas, v2: v2 as unknown as Schemas };

const ways = mapping.pairs.flatMap(({ v1: one, v2: two, key, only }): Way[] => {
  const named = (prefix: string, own: string): Convert | undefined =>
    functions[`${prefix}${own}As${key}`] ?? functions[`${prefix}${own}`];
  const there = only === "toV1" ? undefined : named("v1ToV2", one);
  const back = only === "toV2" ? undefined : named("v2ToV1", two);
  const way = (
    version: "v1" | "v2",
    own: string,
    other: string,
    convert: Convert | undefined,
    reverse: Convert | undefined,
  ): Way[] =>
    convert === undefined
      ? []
      : [
          {
            name: `${own} of ${version}`,
            convert,
            back: reverse,
            samples: corpora[version].samples(own),
            changed: () => corpora[version].changed(own),
            complete: (value) => schemas[version][own]!.parse(value) as Json,
            isOwn: (value) =>
              schemas[version][own]!.is(value) && (version === "v2" || !isAmbiguous(value)),
            isOther: (value) => schemas[version === "v1" ? "v2" : "v1"][other]!.is(value),
          },
        ];
  return [...way("v1", one, two, there, back), ...way("v2", two, one, back, there)];
});

/**
 * Checks for an object of version 1 that has a tag and passes as the variant without one, because
 * its other properties are not those of the tag.
 */
function isAmbiguous(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { type, id, name, command, configId } = value as { readonly [key: string]: unknown };
  const isMistaken =
    type !== undefined &&
    ((id !== undefined &&
      name !== undefined &&
      configId === undefined &&
      !(type === "terminal" && v1.AuthMethodTerminal.is(value)) &&
      !v1.SessionConfigOption.is(value)) ||
      command !== undefined ||
      (configId !== undefined &&
        !(type === "boolean" && typeof (value as { value?: unknown }).value === "boolean")));
  return isMistaken || Object.values(value).some(isAmbiguous);
}

/**
 * A value without null, false, empty lists and objects of nothing else, which mean the same as their
 * absence; with the same protocol version, every tool call as an update of it, and every plan as an
 * update of the main one: only a conversation tells which is the first, and which the client shows.
 */
function plain(value: Json): Json {
  if (value === "tool_call") return "tool_call_update";
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { protocolVersion: _, ...rest } = value as { readonly [key: string]: Json };
  if (rest["sessionUpdate"] === "plan") {
    const { entries, ...others } = rest;
    const plan = { type: "items", planId: "main", entries: entries! };
    return plain({ ...others, sessionUpdate: "plan_update", plan });
  }
  const isMeant = (item: Json): boolean =>
    item !== null && item !== false && !(Array.isArray(item) && item.length === 0);
  const entries = Object.entries(rest).flatMap(([key, item]): [string, Json][] => {
    const own = plain(item);
    const isEmptied =
      JSON.stringify(own) === "{}" && (key === "auth" || JSON.stringify(item) !== "{}");
    return isMeant(item) && !isEmptied ? [[key, own]] : [];
  });
  return Object.fromEntries(entries);
}

describe("a converter", () => {
  test.each(ways)("gives valid values: $name", ({ convert, samples, changed, isOwn, isOther }) => {
    for (const value of [...samples, ...changed()]) {
      if (!isOwn(value)) continue;
      const before = JSON.stringify(value);
      const { value: converted, losses } = convert(value);
      expect(JSON.stringify(value)).toBe(before);
      if (converted === undefined) expect(losses, before).not.toEqual([]);
      else expect(isOther(converted), `${before}\n${JSON.stringify(converted)}`).toBe(true);
    }
  });

  test.each(ways)(
    "keeps everything where it reports no loss: $name",
    ({ name, convert, back, complete, samples, changed, isOwn }) => {
      if (back === undefined || MOVED.has(name)) return;
      for (const value of [...samples, ...changed()]) {
        if (!isOwn(value)) continue;
        const there = convert(value);
        if (there.value === undefined || there.losses.length > 0) continue;
        const again = back(there.value);
        if (again.losses.length > 0 || again.value === undefined) continue;
        expect(plain(complete(again.value)), JSON.stringify(there.value)).toEqual(
          plain(complete(value)),
        );
      }
    },
  );
});

test("every loss of the mapping happens to some value", () => {
  const seen = new Set<string>();
  const request = corpora.v2.samples("RequestPermissionRequest")[0] as object;
  const subject = { type: "command", command: "npm test", cwd: "/home/ana/shop" };
  for (const { to, place, when } of functions["v2ToV1RequestPermissionRequest"]!({
    ...request,
    subject,
  }).losses)
    seen.add(`${to} ${place} ${when}`);
  for (const { convert, samples, changed, isOwn } of ways)
    for (const value of [...samples, ...changed()])
      if (isOwn(value))
        for (const { to, place, when } of convert(value).losses) seen.add(`${to} ${place} ${when}`);
  const declared = (["toV1", "toV2"] as const).flatMap((direction) => {
    const isMethod = new Set(Object.values(mapping[direction].methods).map(({ loss }) => loss));
    return mapping[direction].losses
      .filter((_, index) => !isMethod.has(index))
      .map(({ place, when }) => `${direction === "toV1" ? "v1" : "v2"} ${place} ${when}`);
  });
  expect(declared.filter((loss) => !seen.has(loss))).toEqual([]);
});
