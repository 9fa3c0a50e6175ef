import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { requestOf } from "../../schema/sources.js";
import { EMPTY, attributes, plain, signature, smallSite } from "./small-site.js";

describe("properties", () => {
  test("explain how a lenient receiver treats them", async () => {
    const onError = { "x-deserialize-default-on-error": true } as const;
    const onNull = { "x-deserialize-default-on-null": true } as const;
    const skip = { "x-deserialize-skip-invalid-items": true } as const;
    const list = { type: "array", items: { type: "string" } } as const;
    const rule = async (schema: JsonSchema): Promise<string> => (await notes(schema)).join(": ");
    const notes = async (schema: JsonSchema): Promise<readonly string[]> => {
      const files = await smallSite({ T: { type: "object", properties: { x: schema } } });
      const short = /<span class="lenient">(.*?)<\/span>/.exec(files.get("types/T.html")!)?.[1];
      const [, long] =
        /Decoding: a lenient receiver (.*)\.$/m.exec(files.get("types/T.html.md")!) ?? [];
      return [short ?? "", (long ?? "").replaceAll("`", "")];
    };
    expect(await rule({ type: "string", ...onError })).toBe(
      "invalid → absent: treats an invalid value as absent",
    );
    expect(await rule({ type: "boolean", default: true, ...onError })).toBe(
      "invalid → default: takes the default for an invalid value",
    );
    expect(await rule({ ...list, ...onError, ...skip })).toBe(
      "invalid items → dropped, not a list → []: drops invalid items and keeps the others, and takes the empty list for a value that is not a list",
    );
    expect(await rule({ ...list, type: ["array", "null"], ...onError })).toBe(
      "invalid → absent: treats a list with any invalid item as absent",
    );
    expect(await rule({ ...list, ...onNull })).toBe("null → []: reads null as the empty list");
    expect(
      await rule({ type: "object", additionalProperties: { type: "string" }, ...onNull }),
    ).toBe("null → {}: reads null as the empty map");
    expect(await rule({ description: "Anything.", ...onError })).toBe(": ");
  });

  test("that are defined in place are shown inside the page", async () => {
    const files = await smallSite({
      T: {
        type: "object",
        properties: {
          x: {
            type: "array",
            items: { type: "object", properties: { deep: { $ref: "#/$defs/Other" } } },
          },
        },
      },
      Other: { type: "string" },
    });
    expect(attributes(files.get("types/T.html")!, "id")).toContain("field-x.field-deep");
    expect(files.get("types/Other.html")).toContain(
      '<code><a href="T.html#field-x.field-deep">T.x.deep</a></code>',
    );
  });

  test("that are required come first, and _meta last", async () => {
    const files = await smallSite({
      T: {
        type: "object",
        properties: { _meta: { type: "object" }, a: { type: "string" }, b: { type: "string" } },
        required: ["_meta", "b"],
      },
    });
    const ids = attributes(files.get("types/T.html")!, "id").filter((id) =>
      id.startsWith("field-"),
    );
    expect(ids).toEqual(["field-b", "field-a", "field-_meta"]);
  });
});

describe("type pages", () => {
  test("show every variant of a union with its tag, its gate and its body", async () => {
    const gate = { agent: "capabilities.fly" };
    const tagged = (value: string, rest: JsonSchema): JsonSchema => ({
      ...rest,
      type: "object",
      properties: { ...rest.properties, type: { type: "string", const: value } },
      required: ["type"],
    });
    const files = await smallSite(
      {
        InitializeRequest: EMPTY,
        InitializeResponse: {
          type: "object",
          properties: { capabilities: { $ref: "#/$defs/Capabilities" } },
        },
        Capabilities: { type: "object", properties: { fly: { type: "boolean" } } },
        Body: EMPTY,
        U: {
          anyOf: [
            tagged("named", {
              allOf: [{ $ref: "#/$defs/Body" }],
              description: "By name.",
              "x-gate": gate,
            }),
            tagged("inline", { properties: { size: { type: "integer" } } }),
            {
              title: "rest",
              description: "All others.",
              type: "object",
              properties: { type: { type: "string" } },
              required: ["type"],
            },
          ],
        },
      },
      [requestOf("initialize", "agent", "InitializeRequest", "InitializeResponse")],
    );
    const html = files.get("types/U.html")!;
    expect(signature(html).slice(0, 2)).toEqual(["open tagged union", "2 variants"]);
    const variants = html
      .split('<h2 id="used-by">')[0]!
      .split('<div class="field" id="variant-')
      .slice(1)
      .map((text) => plain(text.split('<p class="head">')[1]!));
    expect(variants).toEqual([
      'type: "named" Body needs capabilities.fly By name.',
      'type: "inline"',
      "size integer optional",
      "any other type (rest) All others.",
    ]);
    expect(html).toContain('id="variant-inline.field-size"');
    expect(files.get("types/U.html.md")).toContain(
      "needs [`capabilities.fly`](Capabilities.html#field-fly)): By name.",
    );
    expect(files.get("types/Body.html")).toContain('<a href="U.html#variant-named">U » named</a>');
  });
});
