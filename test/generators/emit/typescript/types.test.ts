import { describe, expect, it } from "vitest";
import { schemas } from "../../../../generators/emit/typescript/schemas/schemas.js";
import { types } from "../../../../generators/emit/typescript/types/types.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { emitFile } from "../small-protocol.js";

type Definitions = { readonly [name: string]: JsonSchema };

/** The lines of `types.ts`, without indentation and empty ones. */
async function lines(definitions: Definitions): Promise<string[]> {
  return toLines(await emitFile(types, "types.ts", { definitions }));
}

function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function variant(tag: string, rest: JsonSchema = {}): JsonSchema {
  return {
    type: "object",
    properties: { type: { type: "string", const: tag }, ...rest.properties },
    required: ["type", ...(rest.required ?? [])],
  };
}

const OPEN: JsonSchema = {
  title: "other",
  type: "object",
  properties: { type: { type: "string" } },
  required: ["type"],
};

describe("types", () => {
  it("print an object without properties as any object that is not an array", async () => {
    const marker = "object & { readonly [Symbol.iterator]?: never }";
    const printed = await lines({
      Mark: { type: "object" },
      Marks: { type: "array", items: { type: "object" } },
      Marked: {
        type: "object",
        properties: { mark: { anyOf: [{ $ref: "#/$defs/Mark" }, { type: "null" }] } },
      },
    });
    expect(printed).toEqual([
      `export type Mark = ${marker};`,
      "export interface Marked {",
      "mark?: Mark | null | undefined;",
      "}",
      `export type Marks = readonly (${marker})[];`,
    ]);
  });

  it("print an object as an interface without an index signature", async () => {
    const printed = await lines({
      Point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
    });
    expect(printed).toEqual(["export interface Point {", "x: number;", "}"]);
  });

  it("distinguish optional and nullable properties", async () => {
    const printed = await lines({
      Point: {
        type: "object",
        properties: {
          optional: { type: "string" },
          nullable: { type: ["string", "null"] },
          both: { type: ["string", "null"] },
        },
        required: ["nullable"],
      },
    });
    expect(printed).toEqual(
      expect.arrayContaining([
        "optional?: string | undefined;",
        "nullable: string | null;",
        "both?: string | null | undefined;",
      ]),
    );
  });

  it("leave a property with a default optional, and document the default", async () => {
    const printed = await lines({
      Point: { type: "object", properties: { x: { type: "integer", default: 7 } } },
    });
    expect(printed).toEqual([
      "export interface Point {",
      "/** @default 7 */",
      "x?: number | undefined;",
      "}",
    ]);
  });

  it("describe in words what a type cannot express", async () => {
    const printed = await lines({
      Port: { type: "integer", format: "uint16", minimum: 1, maximum: 65535 },
    });
    expect(printed).toEqual([
      "/** Minimum: 1. Maximum: 65535. Format: `uint16` (not checked). */",
      "export type Port = number;",
    ]);
  });

  it("print a closed enumeration as its literals", async () => {
    const printed = await lines({
      Mood: {
        oneOf: [
          { type: "string", const: "happy" },
          { type: "string", const: "sad" },
        ],
      },
    });
    expect(printed).toContain('export type Mood = "happy" | "sad";');
  });

  it("let an open enumeration be sent with custom names, and received with any", async () => {
    const source = {
      definitions: {
        Mood: {
          anyOf: [
            { type: "string", const: "happy" },
            { title: "other", type: "string" },
          ],
        },
      },
    };
    const sent = await emitFile(types, "types.ts", source);
    expect(sent).toContain('export type Mood = "happy" | `_${string}`;');
    const received = await emitFile(types, "received.ts", source);
    expect(received).toContain('export type Mood = "happy" | (string & {});');
  });

  it("keep the literals of an enumeration beside any text, inline or referred to", async () => {
    const listed: JsonSchema = { type: "string", enum: ["happy", "sad", "happy"] };
    const printed = await lines({
      Listed: listed,
      Inline: { anyOf: [listed, { type: "string" }] },
      Referred: { anyOf: [{ $ref: "#/$defs/Listed" }, { type: "string" }, { type: "null" }] },
      Other: { anyOf: [listed, { type: "integer" }] },
    });
    expect(printed).toContain('export type Listed = "happy" | "sad";');
    expect(printed).toContain('export type Inline = ("happy" | "sad") | (string & {});');
    expect(printed).toContain("export type Referred = Listed | (string & {}) | null;");
    expect(printed).toContain('export type Other = ("happy" | "sad") | number;');
  });

  it("accept other integers in an open enumeration and keep its literals", async () => {
    const printed = await lines({
      Code: {
        anyOf: [
          { title: "Lost", type: "integer", const: -1 },
          { title: "Other", type: "integer" },
        ],
      },
    });
    expect(printed).toContain("export type Code = -1 | (number & {});");
  });

  it("print a map with an index signature and a list as an array", async () => {
    const printed = await lines({
      Scores: { type: "object", additionalProperties: { type: ["number", "null"] } },
      Names: { type: "array", items: { type: "string" } },
    });
    expect(printed).toEqual(
      expect.arrayContaining([
        "[k: string]: number | null;",
        "export type Names = readonly string[];",
      ]),
    );
  });

  it("open an enumeration that both sides receive, and keep others closed", async () => {
    const one = (value: string): JsonSchema => ({
      oneOf: [{ type: "string", const: value }],
    });
    const holder = (...names: string[]): JsonSchema => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    });
    const source = {
      definitions: {
        Both: one("both"),
        BothOpen: {
          anyOf: [
            { type: "string", const: "both" },
            { title: "other", type: "string" },
          ],
        },
        Asked: one("asked"),
        Answered: one("answered"),
        Ask: holder("Both", "BothOpen", "Asked"),
        Answer: holder("Both", "BothOpen", "Answered"),
      },
      methods: [{ name: "ask", params: "Ask", result: "Answer" }],
    };
    const sent = await emitFile(types, "types.ts", source);
    expect(sent).toContain('export type Both = "both" | (string & {});');
    expect(sent).toContain('export type BothOpen = "both" | (string & {});');
    expect(sent).toContain('export type Asked = "asked";');
    expect(sent).toContain('export type Answered = "answered";');
    const received = await emitFile(types, "received.ts", source);
    expect(received).toContain('export type Asked = "asked" | (string & {});');
    expect(received).not.toContain("export type Both");
  });

  it("print a reference as the name of its definition", async () => {
    const printed = await lines({ Id: { type: "string" }, NoteId: { $ref: "#/$defs/Id" } });
    expect(printed).toEqual(["export type Id = string;", "export type NoteId = Id;"]);
  });

  it("intersect a variant's body with the literal of its tag", async () => {
    const printed = await lines({
      Shape: {
        oneOf: [{ ...variant("circle"), allOf: [{ $ref: "#/$defs/Circle" }] }, variant("dot")],
      },
      Circle: { type: "object", properties: { r: { type: "number" } }, required: ["r"] },
    });
    expect(printed.join(" ")).toContain(
      'export type Shape = | ({ type: "circle"; } & Circle) | { type: "dot"; };',
    );
  });

  it("give the open variant a tag that excludes the known ones", async () => {
    const printed = await lines({ Shape: { anyOf: [variant("dot"), OPEN] } });
    expect(printed.join(" ")).toContain(
      '| { type: "dot"; } | { type: `_${string}`; [k: string]: unknown; };',
    );
  });

  it("forbid the tag in the variant without one", async () => {
    const untagged: JsonSchema = {
      title: "box",
      type: "object",
      properties: { side: { type: "number" } },
      required: ["side"],
    };
    const printed = await lines({ Shape: { anyOf: [variant("dot"), untagged] } });
    expect(printed.join(" ")).toContain("| { type?: never; side: number; }");
  });

  it("intersect shared properties with the alternatives", async () => {
    const printed = await lines({
      Shape: {
        type: "object",
        properties: { color: { type: "string" } },
        required: ["color"],
        oneOf: [variant("dot"), variant("line")],
      },
    });
    expect(printed.join(" ")).toContain(
      'export type Shape = { color: string; } & ( | { type: "dot"; } | { type: "line"; } );',
    );
  });

  it("assign an identifier to a definition whose name is not one", async () => {
    const printed = await lines({
      "tool-call": { type: "string" },
      string: { $ref: "#/$defs/tool-call" },
    });
    expect(printed).toEqual(["export type String = ToolCall;", "export type ToolCall = string;"]);
  });

  it("keep the wire name of every property", async () => {
    const names = ["odd-key", "with space", "1st", "__proto__", "constructor", "KEY_0_", 'a"b'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const printed = await lines({ Odd: { type: "object", properties } });
    expect(printed.slice(1, -1)).toEqual([
      '"odd-key"?: string | undefined;',
      '"with space"?: string | undefined;',
      '"1st"?: string | undefined;',
      "__proto__?: string | undefined;",
      "constructor?: string | undefined;",
      "KEY_0_?: string | undefined;",
      "'a\"b'?: string | undefined;",
    ]);
  });

  it("never let a schema's text end the comment", async () => {
    const printed = await lines({
      Id: { type: "string", description: "An id. */ export const evil = 1; /*" },
    });
    expect(printed).toEqual([
      "/** An id. *\\/ export const evil = 1; /* */",
      "export type Id = string;",
    ]);
  });

  it.each([
    ["at the start of a line", "@deprecated Nobody uses it."],
    ["within a line", "Names start with @deprecated in some places."],
    ["where a line is wrapped", `${"word ".repeat(19)}@deprecated since then.`],
    ["in braces", "See {@deprecated this}."],
    ["with a character that we use ourselves", "\uE000deprecated Nobody uses it."],
  ])("never let a schema's text start a tag %s", async (_, description) => {
    const printed = await lines({ Id: { type: "string", description } });
    // TypeScript takes an `@` behind any white space for a tag, and `{@` for an inline one.
    expect(printed.join("\n")).not.toMatch(/[\s{]@deprecated/);
    expect(printed.join("\n")).toContain("deprecated");
  });

  it("keep a schema's text that looks like a placeholder of the printer", async () => {
    const printed = await lines({
      Note: {
        type: "object",
        description: "TYPE_0_ and KEY_0_ and DOC_0_ are words.",
        properties: { kind: { type: "string", const: "x" } },
      },
    });
    expect(printed[0]).toBe("/** TYPE_0_ and KEY_0_ and DOC_0_ are words. */");
  });

  it("link the names of definitions in backticks", async () => {
    const printed = await lines({
      Id: { type: "string", description: "Identifies a `Note`, not a `Nota`." },
      Note: {},
    });
    expect(printed[0]).toBe("/** Identifies a {@link Note}, not a `Nota`. */");
  });

  it("never break a link over two lines", async () => {
    const printed = await lines({
      // The line is full in the middle of the link.
      Id: { type: "string", description: `${"x".repeat(85)} \`Note\` and more.` },
      Note: {},
    });
    expect(printed.join("\n")).toContain("{@link Note}");
  });

  it("name the feature of a vendor, which is not experimental", async () => {
    const printed = await emitFile(types, "types.ts", {
      definitions: { Note: { type: "object" } },
      feature: {
        status: "vendor",
        add: { Note: { properties: { sticker: { type: "string" } } } },
      },
    });
    expect(printed).toContain("/** Feature: Extra (vendor). */");
  });

  it("mark what a feature adds as experimental, with the feature's title and status", async () => {
    const printed = toLines(
      await emitFile(types, "types.ts", {
        definitions: { Note: { type: "object" } },
        feature: { add: { Note: { properties: { sticker: { type: "string" } } } } },
      }),
    );
    expect(printed).toEqual([
      "export interface Note {",
      "/** @experimental Feature: Extra (unstable). */",
      "sticker?: string | undefined;",
      "}",
    ]);
  });
});

describe("types of received values", () => {
  it("are open where the union is closed", async () => {
    const schema = { definitions: { Shape: { oneOf: [variant("dot"), variant("line")] } } };
    expect(await emitFile(types, "received.ts", schema)).toContain("type: `_${string}`");
    expect(await emitFile(types, "types.ts", schema)).not.toContain("_${string}");
  });
});

describe("schemas with isUnknown", () => {
  it("exist for unions that are open to unknown tags", async () => {
    const text = await emitFile(schemas, "schemas.ts", {
      definitions: { Shape: { anyOf: [variant("dot"), OPEN] } },
    });
    expect(text).toContain('_unknownSchema("Shape", _checks.Shape, "type", ["dot"]');
  });

  it("exist for closed unions as they are received", async () => {
    const schema = { definitions: { Shape: { oneOf: [variant("dot"), variant("line")] } } };
    const text = await emitFile(schemas, "schemas.ts", schema);
    expect(text).toContain("_UnknownSchema<_types.Shape, _received.Shape, ");
  });
});
