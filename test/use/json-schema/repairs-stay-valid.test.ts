import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../../generators/emit/small-protocol.js";
import { createCodeFolder } from "../../support/code-folder.js";
import { loadSchemas } from "./load-schemas.js";

const numbers: JsonSchema = { type: "array", items: { type: "integer" }, minItems: 1 };
const skips: JsonSchema = { ...numbers, "x-deserialize-skip-invalid-items": true };
const repairs: JsonSchema = { ...skips, "x-deserialize-default-on-error": true };
const withList = (list: JsonSchema, ...required: string[]): JsonSchema => ({
  type: "object",
  properties: { name: { type: "string" }, list },
  required: ["name", ...required],
});

/** A list that must not be empty, of objects with such lists. */
const withGroups = withList(
  { ...skips, items: withList({ ...skips, items: withList({ type: "string" }, "list") }, "list") },
  "list",
);

const either = (part: JsonSchema, ...required: string[]): JsonSchema => ({
  type: "object",
  properties: { name: { type: "string" }, part },
  required: ["name", ...required],
});

const folder = createCodeFolder();
const schemaOf = await loadSchemas(
  folder,
  smallProtocol({
    definitions: {
      Dropped: withList(repairs),
      Defaulted: withList({ ...repairs, default: [1, 2] }),
      Refused: withList(skips, "list"),
      Needed: withList({ ...repairs, "x-deserialize-default-on-null": true }, "list"),
      Around: {
        type: "object",
        properties: {
          all: {
            type: "array",
            items: { $ref: "#/$defs/Needed" },
            "x-deserialize-skip-invalid-items": true,
          },
        },
        required: ["all"],
      },
      Outer: {
        type: "object",
        properties: {
          options: {
            type: "array",
            items: withGroups,
            "x-deserialize-skip-invalid-items": true,
          },
        },
        required: ["options"],
      },
      Whole: {
        type: "object",
        properties: {
          part: { $ref: "#/$defs/Plain", "x-deserialize-default-on-null": true },
        },
        required: ["part"],
      },
      Plain: withList(numbers),
      Either: {
        oneOf: [
          either({ type: "integer", "x-deserialize-default-on-error": true }),
          either({ type: "string" }),
        ],
      },
      Completed: {
        oneOf: [either({ type: "integer", default: 1 }), either({ type: "integer" }, "part")],
      },
    },
  }),
);

describe("a list that repair would leave with fewer items than it needs", () => {
  it("is dropped where the property may be repaired and absent", () => {
    expect(schemaOf("Dropped").decode({ name: "n", list: ["x"] })).toMatchObject({
      value: { name: "n" },
      notes: [{ kind: "repaired", pointer: "/list", rule: "default-on-error" }],
    });
    expect(schemaOf("Dropped").parse({ name: "n", list: ["x"] })).toEqual({ name: "n" });
  });

  it("is replaced by the default where there is one", () => {
    expect(schemaOf("Defaulted").parse({ name: "n", list: ["x"] })).toEqual({
      name: "n",
      list: [1, 2],
    });
  });

  it("removes the item around it where that may be skipped", () => {
    const good = { name: "good", list: [1] };
    const all = [{ name: "bad", list: ["x"] }, good, { name: "short", list: [] }];
    const decoded = schemaOf("Around").decode({ all });
    expect(decoded).toMatchObject({ value: { all: [good] } });
    expect(decoded.ok && decoded.notes.map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ["/all/0", "skip-invalid-items"],
      ["/all/2", "skip-invalid-items"],
    ]);
  });

  it.each(["Refused", "Needed"])(
    "is refused where no part around it can be removed: %s",
    (name) => {
      expect(schemaOf(name).decode({ name: "n", list: ["x"] })).toMatchObject({
        issues: [
          {
            pointer: "/list",
            rule: "minItems",
            expected: "minItems 1 without the invalid items",
            found: "an array of 1",
          },
        ],
      });
    },
  );

  it("is repaired where enough items are left", () => {
    for (const name of ["Dropped", "Defaulted", "Refused", "Needed"])
      expect(schemaOf(name).parse({ name: "n", list: ["x", 1] })).toEqual({ name: "n", list: [1] });
  });

  it("takes what is around its list with it, and leaves the others", () => {
    const option = (name: string, value: object): object => ({
      name,
      list: [{ name: "group", list: [value] }],
    });
    const good = option("good", { name: "value", list: "v" });
    const outer = schemaOf("Outer");
    const decoded = outer.parse({ options: [option("bad", { name: "value", list: 5 }), good] });
    expect(decoded).toEqual({ options: [good] });
    expect(outer.is(decoded)).toBe(true);
    expect(outer.encode(decoded)).toBe(decoded);
  });
});

describe("null that counts as empty", () => {
  it("is refused where the empty list is invalid", () => {
    expect(schemaOf("Needed").decode({ name: "n", list: null })).toMatchObject({
      issues: [{ pointer: "/list", rule: "type" }],
    });
  });

  it("is refused where the empty object is invalid", () => {
    expect(schemaOf("Whole").decode({ part: null })).toMatchObject({
      issues: [{ pointer: "/part", rule: "type" }],
    });
  });
});

describe("a union whose value may match one variant only", () => {
  it("refuses what a repair would make match another one", () => {
    expect(schemaOf("Either").parse({ name: "n", part: 5 })).toEqual({ name: "n", part: 5 });
    expect(schemaOf("Either").decode({ name: "n", part: false })).toMatchObject({
      issues: [{ pointer: "", rule: "oneOf" }],
    });
  });

  it("inserts no default that would make a valid value match another one", () => {
    const value = { name: "n" };
    expect(schemaOf("Completed").is(value)).toBe(true);
    expect(schemaOf("Completed").parse(value)).toBe(value);
  });
});
