import { describe, expect, it } from "vitest";
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

describe("types", () => {
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

  it("never break a link over two lines", async () => {
    const printed = await lines({
      // The line is full in the middle of the link.
      Id: { type: "string", description: `${"x".repeat(85)} \`Note\` and more.` },
      Note: {},
    });
    expect(printed.join("\n")).toContain("{@link Note}");
  });
});
