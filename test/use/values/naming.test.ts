import * as naming from "acp-bindings/v1-full/naming";
import * as v2 from "acp-bindings/v2-full/naming";
import { describe, expect, test } from "vitest";
import { corpus } from "../samples/corpus-lines.js";

type Convert = (value: unknown) => unknown;

function converter(module: object, name: string): Convert {
  return (module as { readonly [name: string]: Convert })[name]!;
}

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

  test("rename declared properties at any depth and leave everything else alone", () => {
    const renamed = naming.toSnakeCaseSessionNotification({ sessionId: "s", update } as never);
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
    expect(naming.toWireSessionNotification(renamed as never)).toEqual({ sessionId: "s", update });
  });

  test("leave the contents of maps alone, also where their values are declared", () => {
    const schema = { type: "object", properties: { minLength: { type: "string", minLength: 1 } } };
    const request = { mode: "form", sessionId: "s", message: "?", requestedSchema: schema };
    const renamed = naming.toSnakeCaseCreateElicitationRequest(request as never);
    expect(renamed).toEqual({
      mode: "form",
      session_id: "s",
      message: "?",
      requested_schema: schema,
    });
    expect(naming.toWireCreateElicitationRequest(renamed as never)).toEqual(request);
  });

  test("keep apart an unknown property that has the new name of a declared one", () => {
    const odd = { sessionId: "s", session_id: "other", update: { session_update: 1, plan: [] } };
    const renamed = naming.toSnakeCaseSessionNotification(odd as never);
    expect(renamed).toMatchObject({ session_id: "s", sessionId: "other" });
    expect(naming.toWireSessionNotification(renamed as never)).toEqual(odd);
  });

  test("keep the input, the order of keys, unknown variants and null", () => {
    const value = Object.freeze({
      update: Object.freeze({ sessionUpdate: "_new", toolCallId: null }),
      sessionId: "s",
    });
    const renamed = v2.toSnakeCaseUpdateSessionNotification(value as never);
    expect(JSON.stringify(renamed)).toBe(
      '{"update":{"session_update":"_new","toolCallId":null},"session_id":"s"}',
    );
    expect(JSON.stringify(v2.toWireUpdateSessionNotification(renamed))).toBe(JSON.stringify(value));
  });

  test("have one table a profile, in which no name occurs twice", () => {
    for (const { RENAMES } of [naming, v2]) {
      const names = [...Object.keys(RENAMES), ...Object.values(RENAMES)];
      expect(new Set(names).size).toBe(names.length);
      expect(RENAMES).toMatchObject({ sessionId: "session_id", toolCallId: "tool_call_id" });
    }
  });

  test.each(["valid", "invalid", "lenient", "disagree"])(
    "are exact both ways on every %s value of the corpus",
    (name) => {
      const changed = corpus(name).filter(({ def, value }) => {
        const renamed = converter(naming, `toSnakeCase${def}`)(value);
        const back = converter(naming, `toWire${def}`)(renamed);
        expect(JSON.stringify(back), def).toBe(JSON.stringify(value));
        return JSON.stringify(renamed) !== JSON.stringify(value);
      });
      expect(changed.length).toBeGreaterThan(name === "disagree" ? 0 : 100);
    },
  );
});
