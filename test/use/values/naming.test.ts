import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Schema } from "acp-bindings";
import { createJiti } from "jiti";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { generate } from "../../../generators/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { corpus } from "../samples/corpus-lines.js";

interface Naming {
  readonly RENAMES: { readonly [name: string]: string };
  readonly toSnakeCase: (schema: Schema<unknown>, value: unknown) => unknown;
  readonly toCamelCase: (schema: Schema<unknown>, value: unknown) => unknown;
}

interface Schemas {
  readonly [definition: string]: Schema<unknown>;
}

// The target is generated on request only.
const folder = temporaryFolder();
const PROFILES = ["v1-full", "v2-full"];
await generate({ profiles: PROFILES, targets: ["naming"], out: folder });
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
const jiti = createJiti(import.meta.url, { fsCache: false });
const source = (path: string): string => join(folder, "typescript/src", path);
const naming = await jiti.import<Naming>(source("v1-full/naming.ts"));
const v2 = await jiti.import<Naming>(source("v2-full/naming.ts"));
const schemas = await jiti.import<Schemas>(source("v1-full/schemas.ts"));
const schemasV2 = await jiti.import<Schemas>(source("v2-full/schemas.ts"));

describe("the converters to snake_case and back", () => {
  const update = {
    sessionUpdate: "tool_call",
    toolCallId: "t",
    title: "Read",
    rawInput: { filePath: "/a", sessionId: [{ toolCallId: 1 }] },
    locations: [{ path: "/a", line: 1, _meta: { startLine: 1 } }],
    _meta: { sessionId: "kept" },
    newInLaterVersions: { toolCallId: "kept" },
  };

  test("rename only declared properties, at any depth", () => {
    const renamed = naming.toSnakeCase(schemas["SessionNotification"]!, { sessionId: "s", update });
    expect(renamed).toEqual({
      session_id: "s",
      update: {
        session_update: "tool_call",
        tool_call_id: "t",
        title: "Read",
        raw_input: { filePath: "/a", sessionId: [{ toolCallId: 1 }] },
        locations: [{ path: "/a", line: 1, _meta: { startLine: 1 } }],
        _meta: { sessionId: "kept" },
        newInLaterVersions: { toolCallId: "kept" },
      },
    });
    expect(naming.toCamelCase(schemas["SessionNotification"]!, renamed)).toEqual({
      sessionId: "s",
      update,
    });
  });

  test("do not change the contents of maps, also where their values are declared", () => {
    const schema = { type: "object", properties: { minLength: { type: "string", minLength: 1 } } };
    const request = { mode: "form", sessionId: "s", message: "?", requestedSchema: schema };
    const renamed = naming.toSnakeCase(schemas["CreateElicitationRequest"]!, request);
    expect(renamed).toEqual({
      mode: "form",
      session_id: "s",
      message: "?",
      requested_schema: schema,
    });
    expect(naming.toCamelCase(schemas["CreateElicitationRequest"]!, renamed)).toEqual(request);
  });

  test("keep apart an unknown property that has the new name of a declared one", () => {
    const odd = { sessionId: "s", session_id: "other", update: { session_update: 1, plan: [] } };
    const renamed = naming.toSnakeCase(schemas["SessionNotification"]!, odd);
    expect(renamed).toMatchObject({ session_id: "s", sessionId: "other" });
    expect(naming.toCamelCase(schemas["SessionNotification"]!, renamed)).toEqual(odd);
  });

  test("keep the input, the order of keys, unknown variants and null", () => {
    const value = Object.freeze({
      update: Object.freeze({ sessionUpdate: "_new", toolCallId: null }),
      sessionId: "s",
    });
    const renamed = v2.toSnakeCase(schemasV2["UpdateSessionNotification"]!, value);
    expect(JSON.stringify(renamed)).toBe(
      '{"update":{"session_update":"_new","toolCallId":null},"session_id":"s"}',
    );
    expect(JSON.stringify(v2.toCamelCase(schemasV2["UpdateSessionNotification"]!, renamed))).toBe(
      JSON.stringify(value),
    );
  });

  test("have one table for each profile, in which no name occurs twice", () => {
    for (const { RENAMES } of [naming, v2]) {
      const names = [...Object.keys(RENAMES), ...Object.values(RENAMES)];
      expect(new Set(names).size).toBe(names.length);
      expect(RENAMES).toMatchObject({ sessionId: "session_id", toolCallId: "tool_call_id" });
    }
  });

  test.each(["valid", "invalid", "lenient", "disagree"])(
    "are exact in both directions on every %s value of the corpus",
    (name) => {
      const changed = corpus(name).filter(({ def, value }) => {
        const renamed = naming.toSnakeCase(schemas[def]!, value);
        const back = naming.toCamelCase(schemas[def]!, renamed);
        expect(JSON.stringify(back), def).toBe(JSON.stringify(value));
        return JSON.stringify(renamed) !== JSON.stringify(value);
      });
      expect(changed.length).toBeGreaterThan(name === "disagree" ? 0 : 100);
    },
  );
});

test("their types have the names that the values have", () => {
  const file = source("v1-full/program.ts");
  writeFileSync(
    file,
    `import { RENAMES, toCamelCase, toSnakeCase, type SnakeCase } from "./naming.js";
import { SessionNotification, ToolCall } from "./schemas.js";

export const notification: SessionNotification = toCamelCase(SessionNotification, {
  session_id: "s",
  update: {
    session_update: "tool_call_update",
    tool_call_id: "t",
    raw_input: { anyName: 1 },
    _meta: { anyName: 1 },
  },
});

export function idOf(call: ToolCall): string {
  const { tool_call_id, locations } = toSnakeCase(ToolCall, call);
  return tool_call_id + (locations?.[0]?.line ?? "");
}

export const meta: SnakeCase<ToolCall>["_meta"] = undefined as ToolCall["_meta"];
export const table: "session_id" = RENAMES.sessionId;
export const wrong = toCamelCase(SessionNotification, {
  // @ts-expect-error
  sessionId: "s",
  update: { session_update: "plan", entries: [] },
});
`,
  );
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    types: [],
  });
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(messages).toEqual([]);
});
