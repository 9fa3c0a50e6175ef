import { CreateElicitationResponse, UsageUpdate } from "acp-bindings/v1/schemas";
import { describe, expect, it } from "vitest";
import { naming } from "../../../generators/emit/typescript/naming.js";
import { validate } from "../../../templates/typescript/runtime/validate/decode.js";
import type { Check } from "../../../templates/typescript/runtime/validate/check.js";
import { emitFile } from "../../generators/emit/small-protocol.js";

describe("an integer that a number cannot hold exactly", () => {
  const unsafe = Number.MAX_SAFE_INTEGER + 1;

  it("is kept and reported", () => {
    expect(UsageUpdate.decode({ used: unsafe, size: 1 })).toMatchObject({
      ok: true,
      value: { used: unsafe },
      notes: [{ kind: "kept", pointer: "/used", rule: "unsafe-integer" }],
    });
  });

  it("is reported in a union with numbers, beside a repair", () => {
    const response = { action: "accept", content: { count: unsafe, part: 1.5 }, _meta: 5 };
    expect(CreateElicitationResponse.decode(response)).toMatchObject({
      ok: true,
      notes: [
        { pointer: "/_meta", rule: "default-on-error" },
        { kind: "kept", pointer: "/content/count", rule: "unsafe-integer" },
      ],
    });
  });

  it("is not reported at the limit", () => {
    const limit = Number.MAX_SAFE_INTEGER;
    expect(UsageUpdate.decode({ used: limit, size: limit })).toMatchObject({
      ok: true,
      notes: [],
    });
  });
});

describe("names in snake_case", () => {
  const object = (...names: string[]) => ({
    type: "object" as const,
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  });
  const renames = async (...names: string[]): Promise<string> => {
    const text = await emitFile(naming, "naming.ts", { definitions: { Thing: object(...names) } });
    return /RENAMES = (\{.*?\}) as const/s.exec(text)![1]!.replace(/\s/g, "");
  };

  it("are left out where two names would become one", async () => {
    expect(await renames("fooBar", "plainName")).toBe('{fooBar:"foo_bar",plainName:"plain_name"}');
    expect(await renames("fooBar", "FooBar", "plainName")).toBe('{plainName:"plain_name"}');
  });

  it("are left out where another property has the name already", async () => {
    expect(await renames("fooBar", "foo_bar")).toBe("{}");
  });
});

describe("nesting", () => {
  const check: Check = { is: () => false, node: () => ["list", check] };
  const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);

  it("of 256 levels is valid", () => {
    expect(validate(check, nested(255))).toEqual([]);
  });

  it("of 257 levels is rejected at the deepest", () => {
    const [first] = validate(check, nested(256));
    expect(first).toMatchObject({ pointer: "/0".repeat(256), rule: "depth" });
  });
});
