import * as bridge from "acp-bindings/bridge";
import type { Converted } from "acp-bindings/bridge";
import * as stable1 from "acp-bindings/v1/schemas";
import * as unstable1 from "acp-bindings/v1-unstable/schemas";
import * as full1 from "acp-bindings/v1-full/schemas";
import * as stable2 from "acp-bindings/v2/schemas";
import * as unstable2 from "acp-bindings/v2-unstable/schemas";
import * as full2 from "acp-bindings/v2-full/schemas";
import { describe, expect, test } from "vitest";
import { buildBridge } from "../../../generators/model/bridge/build-bridge.js";
import { loadBridge } from "../../../generators/schema/bridge/load-bridge.js";
import { corpusOf, protocolOf, SCHEMA } from "../corpus.js";

type Convert = (value: unknown) => Converted<unknown>;
type Schemas = { readonly [name: string]: { readonly is: (value: unknown) => boolean } };

const functions = bridge as unknown as { readonly [name: string]: Convert };

/** The schemas of both versions, by the name that the profiles share. */
const PROFILES: readonly (readonly [string, unknown, unknown])[] = [
  ["", stable1, stable2],
  ["-unstable", unstable1, unstable2],
  ["-full", full1, full2],
];

/** In a conversation, a client of version 1 without the capability gets a `plan` instead. */
const NEEDS_CAPABILITY = "plan_update";

// The package has one set of converters, of the profiles with most features.
describe.each(PROFILES)("between the profiles v1%s and v2 of that name", (profile, one, two) => {
  const built = buildBridge(
    loadBridge(SCHEMA)!,
    protocolOf(`v1${profile}`),
    protocolOf(`v2${profile}`),
  );
  const schemas = { v1: one, v2: two } as { readonly v1: Schemas; readonly v2: Schemas };
  const corpora = { v1: corpusOf(built.bridge.v1), v2: corpusOf(built.bridge.v2) };

  test.each(["toV2", "toV1"] as const)(
    "every sample converts to a valid value, %s",
    (direction) => {
      const [from, to] = direction === "toV2" ? (["v1", "v2"] as const) : (["v2", "v1"] as const);
      const invalid: string[] = [];
      let count = 0;
      for (const { key, v1, v2, only } of built.bridge.pairs) {
        if (only !== undefined && only !== direction) continue;
        const [own, other] = direction === "toV2" ? [v1, v2] : [v2, v1];
        const prefix = direction === "toV2" ? "v1ToV2" : "v2ToV1";
        const convert = functions[`${prefix}${own}As${key}`] ?? functions[`${prefix}${own}`];
        for (const sample of corpora[from].samples(own)) {
          const { value, losses } = convert!(sample);
          if (profile === "" && tagOf(value) === NEEDS_CAPABILITY && direction === "toV1") continue;
          count++;
          if (value === undefined ? losses.length === 0 : !schemas[to][other]!.is(value))
            invalid.push(`${own}: ${JSON.stringify(sample)} -> ${JSON.stringify(value)}`);
        }
      }
      expect(invalid).toEqual([]);
      expect(count).toBeGreaterThan(200);
    },
  );
});

function tagOf(value: unknown): unknown {
  return (value as { readonly sessionUpdate?: unknown } | undefined)?.sessionUpdate;
}
