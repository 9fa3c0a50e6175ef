import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import { IS_DEEP } from "../../../../support/deep.js";
import { TO_V1, TO_V2 } from "../../../../../out/typescript/src/bridge/tables.js";
import { foreignValues, hasMarker, markedValues, type Marked } from "../markers.js";
import { bridgeOf, namesIn, PROFILES, waysOf, type Way } from "./ways.js";

/** The conversions that ship are those between the profiles with most features; other profiles need no others. */
const SHIPPED = { toV1: TO_V1, toV2: TO_V2 };
const CONVERSIONS = PROFILES.flatMap((profile) => [
  { profile, tables: "of their own", ways: waysOf(profile, bridgeOf(profile)) },
  { profile, tables: "that ship", ways: waysOf(profile, SHIPPED) },
]);

/** In a conversation, a client of version 1 without the capability gets a `plan` instead. */
const NEEDS_CAPABILITY = "plan_update";

const SEED = Number(process.env["SEED"] ?? 1);

/** Takes every value in a deep run, and some of them in a quick one. */
function some<T>(values: Iterable<T>, every: number): T[] {
  const all = [...values];
  return IS_DEEP ? all : all.filter((_, index) => (index + SEED) % every === 0);
}

/** Lists that only one version requires, or has; an empty one has nothing to lose. */
const OPTIONAL_LISTS = new Set([
  "args",
  "availableCommands",
  "background",
  "env",
  "headers",
  "icons",
  "mcpServers",
]);
/** Lists of a tool call, which null empties in version 2. */
const EMPTIED_LISTS = new Set(["content", "locations"]);

/**
 * A value with the same protocol version, every tool call as an update of it, and every plan as an
 * update of the main one: only a conversation tells which is the first, and which the client shows.
 * Null means the same as absence; in capabilities, false and objects without members do so as well.
 */
function plain(value: Json, { version, isCapability }: Place): Json {
  if (value === "tool_call") return "tool_call_update";
  if (Array.isArray(value))
    return value.map((item: Json) => plain(item, { version, isCapability }));
  if (typeof value !== "object" || value === null) return value;
  const { protocolVersion: _, ...rest } = value as { readonly [key: string]: Json };
  if (rest["sessionUpdate"] === "plan") {
    const { entries, ...others } = rest;
    const plan = { type: "items", planId: "main", entries: entries! };
    return plain({ ...others, sessionUpdate: "plan_update", plan }, { version, isCapability });
  }
  const members = Object.entries(rest).flatMap(([key, item]): [string, Json][] => {
    if (item === null) return version === "v2" && EMPTIED_LISTS.has(key) ? [[key, []]] : [];
    const isInside = isCapability || /[cC]apabilities$/.test(key);
    const own = plain(item, { version, isCapability: isInside });
    const isNothing = isEmpty(own) && (isCapability || OPTIONAL_LISTS.has(key));
    return isNothing || (isCapability && own === false) ? [] : [[key, own]];
  });
  return Object.fromEntries(members);
}

interface Place {
  readonly version: "v1" | "v2";
  readonly isCapability: boolean;
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && JSON.stringify(value).length === 2;
}

/** Returns what is wrong with a conversion, which is valid or reported as impossible. */
function invalid({ name, convert, isOther }: Way, value: Json, skips = false): readonly string[] {
  const before = JSON.stringify(value);
  const { value: converted, losses } = convert(value);
  const { sessionUpdate } = (converted ?? {}) as { readonly sessionUpdate?: Json };
  if (skips && sessionUpdate === NEEDS_CAPABILITY) return [];
  const isRight = converted === undefined ? losses.length > 0 : isOther(converted);
  if (isRight && JSON.stringify(value) === before) return [];
  return [`${name}: ${before} became ${JSON.stringify(converted)}`];
}

/** Returns what is wrong with a value that comes back, where both ways report no loss. */
function changed({ name, to, convert, back, complete }: Way, value: Json): readonly string[] {
  const there = convert(value);
  if (back === undefined || there.value === undefined || there.losses.length > 0) return [];
  const again = back(there.value);
  if (again.losses.length > 0 || again.value === undefined) return [];
  const version = to === "v1" ? "v2" : "v1";
  const isCapability = /Capabilities of/.test(name);
  const [own, first] = [again.value, value].map((one) =>
    plain(complete(one), { version, isCapability }),
  );
  if (isDeepStrictEqual(own, first)) return [];
  return [`${name}: ${JSON.stringify(first)} came back as ${JSON.stringify(own)}`];
}

/** Returns a marked property that neither arrives nor is reported. */
function vanished({ name, convert }: Way, sample: Json, marked: Marked): readonly string[] {
  const { value, losses } = convert(marked.value);
  if (value === undefined || hasMarker(value)) return [];
  const before = new Set(convert(sample).losses.map((loss) => JSON.stringify(loss)));
  if (losses.some((loss) => !before.has(JSON.stringify(loss)))) return [];
  const isLost = losses.some(
    ({ kind, path }) =>
      kind !== "approximate" && (marked.pointer === path || marked.pointer.startsWith(`${path}/`)),
  );
  return isLost ? [] : [`${name}: ${marked.pointer}/${marked.property} vanished`];
}

describe.each(CONVERSIONS)(
  "between v1$profile and v2$profile, with the tables $tables",
  ({ profile, tables, ways }) => {
    const isOwnTable = tables === "of their own";
    const every = isOwnTable ? 7 : 23;

    test("every value stays valid, and comes back where no loss is reported", () => {
      const found = ways.flatMap((way) =>
        [...way.samples, ...some(way.changed(), every)].flatMap((value) =>
          way.isOwn(value)
            ? [...invalid(way, value, profile === "" && !isOwnTable), ...changed(way, value)]
            : [],
        ),
      );
      expect(found).toEqual([]);
    });

    test("metadata and unknown properties arrive or are reported", () => {
      const found = ways.flatMap((way) =>
        some(way.samples, isOwnTable ? 1 : 5).flatMap((sample) =>
          [...markedValues(sample)].flatMap((marked) =>
            way.isOwn(marked.value)
              ? [
                  ...invalid(way, marked.value, profile === "" && !isOwnTable),
                  ...vanished(way, sample, marked),
                ]
              : [],
          ),
        ),
      );
      expect(found).toEqual([]);
    });

    test("properties that only the other version has get no meaning", () => {
      const names = { v1: namesIn(profile, "v1"), v2: namesIn(profile, "v2") };
      const found = ways.flatMap((way) =>
        some(way.samples, 5).flatMap((sample) =>
          some(foreignValues(sample, names[way.to]), 3).flatMap((marked) =>
            way.isOwn(marked.value)
              ? [
                  ...invalid(way, marked.value, profile === "" && !isOwnTable),
                  ...vanished(way, sample, marked),
                ]
              : [],
          ),
        ),
      );
      expect(found).toEqual([]);
    });
  },
);

test("every loss of the mapping happens to some value", () => {
  const seen = new Set<string>();
  const full = CONVERSIONS.at(-1)!.ways;
  const { toV1, toV2 } = bridgeOf("-full");
  for (const { convert, samples, changed, isOwn } of full)
    for (const value of [...samples, ...changed()])
      if (isOwn(value))
        for (const { to, place, when } of convert(value).losses) seen.add(`${to} ${place} ${when}`);
  const declared = [
    ["v1", toV1],
    ["v2", toV2],
  ] as const;
  const missing = declared.flatMap(([version, { losses, methods }]) => {
    const isMethod = new Set(Object.values(methods).map(({ loss }) => loss));
    return losses
      .filter((_, index) => !isMethod.has(index))
      .map(({ place, when }) => `${version} ${place} ${when}`)
      .filter((loss) => !seen.has(loss));
  });
  expect(missing).toEqual([]);
});
