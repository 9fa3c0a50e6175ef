import { describe, expect, test } from "vitest";
import { printComparison, reaches } from "../../../../generators/cli/print/comparison.js";
import { compareSchemas, type Comparison } from "../../../../generators/schema/compare/changes.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { readReference } from "../../../reference/reference.js";

describe("upstream's own history", () => {
  test.each([
    ["v1", "v1-unstable"],
    ["v2", "v2-unstable"],
    ["v1", "v2"],
    ["v1-unstable", "v2-unstable"],
  ])("from %s to %s counts every definition once", (before, after) => {
    const [old, now] = [before, after].map((path) => Object.keys(readReference(path).$defs!)) as [
      string[],
      string[],
    ];
    const { counts, changes } = compareSchemas(readReference(before), readReference(after));
    const common = old.filter((name) => now.includes(name));
    const changed = common.filter((name) => changes.some(({ definition }) => definition === name));
    expect(counts).toMatchObject({
      common: common.length,
      changed: changed.length,
      identical: common.length - changed.length,
      added: now.length - common.length,
      removed: old.length - common.length,
    });
    expect(changed.length).toBeGreaterThan(0);
  });

  test("turns unstable on without breaking a sender, and receivers only by tags of a closed union", () => {
    const { sender, changes } = compareSchemas(readReference("v1"), readReference("v1-unstable"));
    expect(sender).toBe("safe");
    const breaking = changes.filter(({ receiver }) => receiver !== "safe");
    expect(new Set(breaking.map(({ definition }) => definition))).toEqual(
      new Set(["McpServer", "SessionUpdate"]),
    );
    expect(compareSchemas(readReference("v2"), readReference("v2-unstable"))).toMatchObject({
      sender: "safe",
      receiver: "safe",
    });
  });

  test("shows no change of order that follows from added or removed variants", () => {
    const { changes } = compareSchemas(readReference("v1"), readReference("v1-unstable"));
    expect(changes.filter(({ pointer }) => pointer.endsWith("/order"))).toEqual([]);
  });

  test("finds the definitions of v2 that only have a new name", () => {
    const { changes } = compareSchemas(readReference("v1"), readReference("v2"));
    const renames = changes.filter(({ kind }) => kind === "renamed");
    expect(renames.map(({ before, after }) => `${String(before)} > ${String(after)}`)).toContain(
      "CancelNotification > CancelSessionNotification",
    );
  });
});

const base: JsonSchema = {
  $defs: {
    Thing: {
      type: "object",
      properties: {
        a: { type: "integer", minimum: 1 },
        b: { type: "string", "x-deserialize-default-on-error": true },
      },
      required: ["a"],
    },
    Closed: {
      oneOf: [
        { type: "string", const: "x" },
        { type: "string", const: "y" },
      ],
    },
    Open: {
      anyOf: [
        { type: "string", const: "x" },
        { type: "string", title: "other" },
      ],
    },
    List: { type: "array", items: { $ref: "#/$defs/Thing" }, maxItems: 3 },
    Call: { type: "object", "x-method": "do/it", "x-side": "agent" },
  },
};
const { Thing, Closed, Open, List, Call } = base.$defs as { [name: string]: JsonSchema };
const compareWith = (changed: { readonly [name: string]: JsonSchema | undefined }): Comparison => {
  const entries = Object.entries({ ...base.$defs, ...changed }).filter(
    ([, value]) => value !== undefined,
  );
  return compareSchemas(base, {
    $defs: Object.fromEntries(entries) as { [name: string]: JsonSchema },
  });
};
const thing = (change: JsonSchema): { Thing: JsonSchema } => ({ Thing: { ...Thing, ...change } });

describe("a change", () => {
  test("a change of name only is reported as a rename, wherever the definition is used", () => {
    const { changes, counts } = compareSchemas(base, {
      $defs: {
        Item: Thing!,
        Closed: Closed!,
        Open: Open!,
        Call: Call!,
        List: { ...List, items: { $ref: "#/$defs/Item" } },
      },
    });
    expect(changes).toEqual([
      {
        pointer: "/$defs/Item",
        kind: "renamed",
        before: "Thing",
        after: "Item",
        definition: "Item",
        sender: "type-breaking",
        receiver: "type-breaking",
      },
    ]);
    expect(counts).toMatchObject({ added: 1, removed: 1, renamed: 1 });
  });

  test("breaks code if it gives the name of a constant to another integer", () => {
    const levels = (...titles: readonly string[]): JsonSchema => ({
      oneOf: titles.map((title, index) => ({ type: "integer", const: index, title })),
    });
    const { changes } = compareSchemas(
      { $defs: { Level: levels("Low", "High") } },
      { $defs: { Level: levels("High", "Low") } },
    );
    expect(changes).toMatchObject(
      [0, 1].map((value) => ({
        pointer: `/$defs/Level/oneOf/variants/${value}/title`,
        sender: "type-breaking",
        receiver: "type-breaking",
      })),
    );
  });

  test("is not a rename when two definitions match", () => {
    const two = (a: string, b: string): JsonSchema => ({ $defs: { [a]: Thing!, [b]: Thing! } });
    expect(compareSchemas(two("A", "B"), two("C", "D")).counts.renamed).toBe(0);
  });
});

describe("a printed comparison", () => {
  const comparison = compareWith({
    ...thing({ required: [] }),
    Pipe: { title: "x", const: "a|b`c" },
  });

  test("shows in text and Markdown whom it breaks", () => {
    const text = printComparison(comparison, "text");
    expect(text).toContain('  ~ /required: ["a"] -> [] (decode-breaking for receivers)');
    expect(text).toContain("worst for senders: safe, for receivers: decode-breaking");
    const markdown = printComparison(comparison, "markdown");
    expect(markdown).toContain(
      '| `Thing` | `/required` | `changed` | `["a"] -> []` | safe | decode-breaking |',
    );
    expect(markdown).toContain('`` {"const":"a\\|b`c"} ``');
    expect(JSON.parse(printComparison(comparison, "json"))).toEqual(comparison);
  });

  test("counts one difference in the singular", () => {
    const first = (made: Comparison): string =>
      printComparison(made, "text").match(/^\d+ differences?;/m)?.[0] ?? "";
    expect(first(compareWith(thing({ required: [] })))).toBe("1 difference;");
    expect(first(comparison)).toBe("2 differences;");
    expect(first(compareWith({}))).toBe("0 differences;");
  });

  test("fails from the requested impact on", () => {
    expect(reaches(comparison, "safe")).toBe(true);
    expect(reaches(comparison, "decode-breaking")).toBe(true);
    expect(reaches(comparison, "wire-breaking")).toBe(false);
    expect(reaches(comparison, "never")).toBe(false);
    expect(reaches(compareWith({}), "safe")).toBe(false);
  });
});
