import type * as v1 from "acp-bindings/v1-full";
import type * as v2 from "acp-bindings/v2-full";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutContext, type NesContext } from "../../../../templates/typescript/runtime/nes/index.js";
import { deepFreeze } from "../session/snapshot.js";
import { IS_DEEP, SEED } from "../../../support/deep.js";

const RUN = {
  seed: Number(SEED),
  numRuns: IS_DEEP ? 20_000 : 500,
};

const KEYS = ["recentFiles", "relatedSnippets", "editHistory", "userActions"].concat([
  "openFiles",
  "diagnostics",
]);
const COUNTED = ["recentFiles", "editHistory", "userActions"] as const;

const uri = "file:///a.ts";
const edit = (diff: string): v1.NesEditHistoryEntry => ({ uri, diff });
const context: v1.NesSuggestContext = deepFreeze({
  recentFiles: ["old", "new"].map((text) => ({ uri, languageId: "typescript", text })),
  relatedSnippets: [{ uri, excerpts: [] }],
  editHistory: [edit("first"), edit("second"), edit("third")],
  userActions: [1719400000000, 1719400001200].map((timestampMs) => ({
    action: "insertChar",
    uri,
    position: { line: 0, character: 0 },
    timestampMs,
  })),
  openFiles: [{ uri, languageId: "typescript" }],
  diagnostics: [],
});

describe("maxCount is the maximum number that the agent can use", () => {
  test("and without a valid count there is no limit", () => {
    for (const maxCount of [null, -1, 1.5, NaN, "1" as unknown as number]) {
      expect(cutContext(context, { editHistory: { maxCount } })).toEqual({
        editHistory: context.editHistory,
      });
    }
    expect(cutContext(context, { editHistory: {} })).toEqual({ editHistory: context.editHistory });
  });
});

test("any context is cut to the keys and the counts, without other changes and without changing the input", () => {
  const list = fc.option(fc.array(fc.nat(), { maxLength: 6 }));
  const anyContext = fc.record(Object.fromEntries(KEYS.map((key) => [key, list])), {
    requiredKeys: [],
  });
  const counted = fc.option(fc.record({ maxCount: fc.option(fc.nat(6)) }, { requiredKeys: [] }));
  const anyWishes = fc.record(
    Object.fromEntries(
      KEYS.map((key) => [
        key,
        COUNTED.includes(key as never) ? counted : fc.option(fc.constant({})),
      ]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyContext, anyWishes, (given, wishes) => {
      const before = structuredClone({ given, wishes });
      const cut = cutContext(deepFreeze(given) as NesContext, deepFreeze(wishes)) as typeof given;
      expect({ given, wishes }).toEqual(before);
      for (const key of KEYS) {
        const [all, wish] = [given[key], wishes[key] as { maxCount?: number | null } | undefined];
        expect(key in cut).toBe(key in given && wish != null);
        if (wish == null || all == null) continue;
        const kept = cut[key]!;
        expect(kept).toHaveLength(Math.min(all.length, wish.maxCount ?? Infinity));
        expect(all.slice(all.length - kept.length)).toEqual(kept);
      }
      expect(cutContext(cut as NesContext, wishes)).toEqual(cut);
    }),
    RUN,
  );
});

test("a cut context has the type of the profile", () => {
  const capabilities: v1.NesContextCapabilities = { editHistory: { maxCount: 2 } };
  const one: v1.NesSuggestContext = cutContext(context, capabilities);
  const capabilitiesOf2: v2.NesContextCapabilities = { editHistory: { maxCount: 1 } };
  const contextOf2: v2.NesSuggestContext = { editHistory: [{ uri, diff: "" }] };
  const two: v2.NesSuggestContext = cutContext(contextOf2, capabilitiesOf2);
  expect([one.editHistory?.length, two.editHistory?.length]).toEqual([2, 1]);

  const agent: v1.NesCapabilities = { context: capabilities };
  // @ts-expect-error -- the capabilities of all of NES are not those of its context
  expect(cutContext(context, agent)).toEqual({});
  // @ts-expect-error -- an edit is no context
  expect(cutContext(edit(""), capabilities)).toEqual({});
});
