import * as stable1 from "acp-bindings/v1/schemas";
import * as unstable1 from "acp-bindings/v1-unstable/schemas";
import * as full1 from "acp-bindings/v1-full/schemas";
import * as stable2 from "acp-bindings/v2/schemas";
import * as unstable2 from "acp-bindings/v2-unstable/schemas";
import * as full2 from "acp-bindings/v2-full/schemas";
import { buildBridge, type Bridge } from "../../../../../generators/model/bridge/build-bridge.js";
import { namesOf } from "../../../../../generators/model/bridge/foreign.js";
import { loadBridge } from "../../../../../generators/schema/bridge/load-bridge.js";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import {
  convertersOf,
  type Converted,
} from "../../../../../templates/typescript/runtime/bridge/convert/converters.js";
import type { ConversionTable } from "../../../../../templates/typescript/runtime/bridge/convert/table.js";
import { changesOf, corpusOf, protocolOf, SCHEMA, type Corpus } from "../corpus.js";

/** Values that samples do not have, because their texts mean something. */
const EXTRA: { readonly [definition: string]: readonly Json[] } = {
  "v2 Diff": [
    {
      changes: [{ operation: "modify", path: "/a\tb" }],
      patch: {
        format: "git_patch",
        text: 'diff --git "/a\\tb" "/a\\tb"\n--- "/a\\tb"\n+++ "/a\\tb"\n@@ -1 +1 @@\n-1\n+2\n',
      },
    },
  ],
  "v2 RequestPermissionRequest": [
    {
      sessionId: "s",
      title: "Run?",
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
      subject: { type: "command", command: "npm test", cwd: "/home/ana/shop" },
    },
  ],
  "v1 SetSessionConfigOptionRequest": [
    { sessionId: "s", configId: "c", type: "boolean", value: "on" },
    { sessionId: "s", configId: "c", type: "_own", value: "on" },
  ],
  "v1 AuthMethod": [{ type: "terminal", id: "a", name: "A", env: { HOME: 1 } }],
  "v1 McpServer": [
    { type: "sse", name: "m", url: 1, command: "/m", args: [], env: [] },
    { type: "http", name: "m", url: "u", headers: [1], command: "/m", args: [], env: [] },
  ],
};

type Schemas = {
  readonly [name: string]: {
    readonly is: (value: unknown) => boolean;
    readonly parse: (value: unknown) => unknown;
  };
};

/** The schemas of both versions, by what the names of the profiles end with. */
const SCHEMAS = {
  "": [stable1, stable2],
  "-unstable": [unstable1, unstable2],
  "-full": [full1, full2],
} as const;

export type Profile = keyof typeof SCHEMAS;

export const PROFILES = Object.keys(SCHEMAS) as readonly Profile[];

/** One direction of a pair of definitions: what is converted, and what results. */
export interface Way {
  /** For people, e.g. `ToolCall of v1`. */
  readonly name: string;
  /** The version of the result. */
  readonly to: "v1" | "v2";
  readonly convert: (value: unknown) => Converted<Json>;
  /** The conversion in the other direction; undefined where the pair has one only. */
  readonly back: ((value: unknown) => Converted<Json>) | undefined;
  /** Model-made values. */
  readonly samples: readonly Json[];
  /** The samples, each with one place changed. */
  readonly changed: () => readonly Json[];
  /** Inserts the defaults. */
  readonly complete: (value: Json) => Json;
  readonly isOwn: (value: unknown) => boolean;
  readonly isOther: (value: unknown) => boolean;
}

const bridges = new Map<Profile, Bridge>();

/** Returns the mapping between two profiles. */
export function bridgeOf(profile: Profile): Bridge {
  const known = bridges.get(profile);
  if (known !== undefined) return known;
  const { bridge, problems } = buildBridge(
    loadBridge(SCHEMA)!,
    protocolOf(`v1${profile}`),
    protocolOf(`v2${profile}`),
  );
  if (problems.length > 0) throw new Error(problems[0]!.message);
  bridges.set(profile, bridge);
  return bridge;
}

interface Tables {
  readonly toV1: ConversionTable;
  readonly toV2: ConversionTable;
}

/**
 * Lists the conversions of values of two profiles.
 *
 * @param tables the mapping to convert with, when it is not that of the profiles
 */
export function waysOf(profile: Profile, tables: Tables): readonly Way[] {
  const { v1, v2, pairs } = bridgeOf(profile);
  const corpora = { v1: corpusOf(v1), v2: corpusOf(v2) };
  const [schemas1, schemas2] = SCHEMAS[profile] as unknown as readonly [Schemas, Schemas];
  const toV2 = convertersOf(tables.toV2, "v2").convert;
  const toV1 = convertersOf(tables.toV1, "v1").convert;
  return pairs.flatMap(({ key, v1: name1, v2: name2, only }): Way[] => {
    const there = (value: unknown): Converted<Json> => toV2(key, value) as Converted<Json>;
    const back = (value: unknown): Converted<Json> => toV1(key, value) as Converted<Json>;
    const hasBoth = only === undefined;
    const one: Way = {
      name: `${name1} of v1`,
      to: "v2",
      convert: there,
      back: hasBoth ? back : undefined,
      ...valuesOf(corpora.v1, name1, EXTRA[`v1 ${name1}`]),
      complete: (value) => schemas1[name1]!.parse(value) as Json,
      isOwn: (value) => schemas1[name1]!.is(value),
      isOther: (value) => schemas2[name2]!.is(value),
    };
    const other: Way = {
      name: `${name2} of v2`,
      to: "v1",
      convert: back,
      back: hasBoth ? there : undefined,
      ...valuesOf(corpora.v2, name2, EXTRA[`v2 ${name2}`]),
      complete: (value) => schemas2[name2]!.parse(value) as Json,
      isOwn: (value) => schemas2[name2]!.is(value),
      isOther: (value) => schemas1[name1]!.is(value),
    };
    return [...(only === "toV1" ? [] : [one]), ...(only === "toV2" ? [] : [other])];
  });
}

/** @param extra values besides those of the corpus */
function valuesOf(
  { samples, changed }: Corpus,
  name: string,
  extra: readonly Json[] = [],
): Pick<Way, "samples" | "changed"> {
  return {
    samples: [...samples(name), ...extra],
    changed: () => [...changed(name), ...extra.flatMap((value) => [...changesOf(value)])],
  };
}

/** Returns the names of all properties of a version. */
export function namesIn(profile: Profile, version: "v1" | "v2"): readonly string[] {
  const { definitions } = bridgeOf(profile)[version];
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const all = definitions.flatMap(({ shape }) => namesOf(shape, byName));
  return [...new Set(all)].filter((name) => name !== "_meta");
}
