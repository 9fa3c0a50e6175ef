import { asSchema } from "ai";
import { InvalidValueError, type StandardProperties } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import {
  ContentBlock,
  PromptRequest,
  SessionNotification,
  byMethod,
} from "acp-bindings/v1/schemas";
import * as v2 from "acp-bindings/v2-full/schemas";
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import { ROOT } from "../../support/paths.js";

const valid = { sessionId: "s", update: { sessionUpdate: "plan", entries: [] } };
const repairable = { sessionId: "s", update: { sessionUpdate: "plan", entries: [5] } };
const invalid = { sessionId: 5, update: { sessionUpdate: "plan", entries: [] } };

describe("a schema", () => {
  test("throws an error that names the definition, the place and what was found", () => {
    const messageOf = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidValueError);
        const { definition, issues, message } = error as InvalidValueError;
        return [definition, issues[0]?.rule, message];
      }
    };
    const expected = [
      "SessionNotification",
      "type",
      "SessionNotification at /sessionId: expected string, found 5",
    ];
    expect(messageOf(() => SessionNotification.parse(invalid))).toEqual(expected);
    expect(messageOf(() => SessionNotification.encode(invalid as never))).toEqual(expected);
  });

  test("is found by the name of a method", () => {
    expect(byMethod["session/update"].params).toBe(SessionNotification);
    expect(byMethod["session/prompt"].params).toBe(PromptRequest);
    expectTypeOf(byMethod["session/prompt"].params).toEqualTypeOf(PromptRequest);
    const twins = Object.values(v2.byMethod).filter((messages) => "notification" in messages);
    for (const { params } of Object.values(v2.byMethod))
      expect(params.definition).toBeTypeOf("string");
    expect(twins.every((messages) => "result" in messages)).toBe(true);
  });
});

describe("Standard Schema", () => {
  test("is accepted by the AI SDK", async () => {
    const { validate } = asSchema(PromptRequest);
    const prompt = { sessionId: "s", prompt: [{ type: "text", text: "Hi" }] };
    expect(await validate!(prompt)).toEqual({ success: true, value: prompt });
    const refused = await validate!({ ...prompt, sessionId: 5 });
    expect(refused.success).toBe(false);
    expect(String((refused as { error: Error }).error)).toContain("expected string, found 5");
  });

  test("repairs as decoding does and reports the keys around an invalid value", () => {
    const { validate } = SessionNotification["~standard"];
    expect(validate(repairable)).toEqual({ value: valid });
    expect(validate(invalid)).toEqual({
      issues: [{ message: "expected string, found 5", path: ["sessionId"] }],
    });
  });

  test("has the types of what is sent and of what is received", () => {
    type Types = NonNullable<(typeof ContentBlock)["~standard"]["types"]>;
    expectTypeOf<Types["input"]>().toEqualTypeOf<v1.ContentBlock>();
    expectTypeOf<Types["output"]>().toEqualTypeOf<v1.received.ContentBlock>();
    expectTypeOf(ContentBlock["~standard"]).toExtend<StandardProperties<unknown, unknown>>();
  });
});

test("one schema in a program brings its own checks only", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { SessionNotification } from ${JSON.stringify(join(ROOT, "out/typescript/dist/v1/schemas.js"))}`,
      resolveDir: ROOT,
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(8_300);
});
