import { describe, expect, test } from "vitest";
import {
  findMethods,
  type MethodDecisions,
} from "../../../../generators/schema/import/find-methods.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: JsonSchema["properties"] = {}): JsonSchema => ({
  type: "object",
  properties,
});

function message(method: string, params?: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      method: { type: "string", const: method },
      ...(params !== undefined && { params }),
    },
    required: ["method"],
  };
}

function anyOf(...names: readonly string[]): JsonSchema {
  return { anyOf: names.map(ref) };
}

/** Two senders, with a method of each kind, one of both sides, and forms of params and results. */
const PROTOCOL: { readonly [name: string]: JsonSchema } = {
  RunParams: object({ text: { type: "string" } }),
  RunRequest: message("run", ref("RunParams")),
  RunResult: object(),
  PingRequest: message("ping"),
  AskRequest: message("ask", object({ question: { type: "string" } })),
  AskResponse: object(),
  TickNotification: message("tick", { anyOf: [ref("RunParams"), { type: "null" }] }),
  LogNotification: {
    ...object({ method: { type: "string", enum: ["log"] }, params: ref("RunParams") }),
    required: ["method"],
  },
  ClientRequest: anyOf("RunRequest", "PingRequest"),
  ServerRequest: anyOf("AskRequest", "PingRequest"),
  ClientNotification: ref("TickNotification"),
  ServerNotification: anyOf("TickNotification", "LogNotification"),
};

/** Prints what was found: side, kind, method, params, result. */
function found(
  $defs: { readonly [name: string]: JsonSchema },
  decisions: MethodDecisions = {},
): { readonly rows: readonly string[]; readonly undecided: object } {
  const { methods, undecided } = findMethods({ $defs }, decisions);
  const rows = methods.map(({ side, kind, name, params, result = "-" }) =>
    [side, kind, name, params, ...(kind === "request" ? [result] : [])].join(" "),
  );
  return { rows, undecided };
}

describe("methods that messages name by constants", () => {
  test("have the side that does not send them, params, and results by name", () => {
    expect(found(PROTOCOL)).toEqual({
      rows: [
        "agent request ping PingRequestParams -",
        "agent request run RunParams RunResult",
        "agent notification tick RunParams",
        "client request ask AskRequestParams AskResponse",
        "client request ping PingRequestParams -",
        "client notification log RunParams",
        "client notification tick RunParams",
      ],
      undecided: { result: ["ping"] },
    });
  });

  test("have a definition for params that their message has inline", () => {
    const taken = { ...PROTOCOL, AskRequestParams: { type: "string" } };
    const { document, made } = findMethods({ $defs: taken });
    expect(document.$defs!["AskRequest"]!.properties!["params"]).toEqual(ref("AskRequestParams2"));
    expect(document.$defs!["AskRequestParams2"]).toEqual(
      PROTOCOL["AskRequest"]!.properties!["params"],
    );
    expect(made.get("AskRequestParams2")).toEqual(["$defs", "AskRequest", "properties", "params"]);
    expect(document.$defs!["PingRequest"]).toBe(PROTOCOL["PingRequest"]);
  });

  const one = { ClientRequest: anyOf("ARequest"), RunParams: PROTOCOL["RunParams"]! };
  const cases: {
    readonly [title: string]: readonly [
      { readonly [name: string]: JsonSchema },
      MethodDecisions,
      readonly string[],
      object,
    ];
  } = {
    "of no union are left out": [{ ARequest: message("a", object()) }, {}, [], { side: ["a"] }],
    "of no union have the side that a mapping says": [
      { ARequest: message("a", object()) },
      { a: { side: "both" } },
      ["agent request a ARequestParams -", "client request a ARequestParams -"],
      { result: ["a"] },
    ],
    "with params of another type are left out": [
      { ...one, ARequest: message("a", { type: "string" }) },
      {},
      [],
      { params: ["a"] },
    ],
    "with params of another type have those of a mapping": [
      { ...one, ARequest: message("a", { type: "string" }), Done: object() },
      { a: { params: "RunParams", result: "Done" } },
      ["agent request a RunParams Done"],
      {},
    ],
    "with two messages that differ are left out": [
      {
        ClientRequest: anyOf("ARequest", "BRequest"),
        RunParams: object(),
        ARequest: message("a", ref("RunParams")),
        BRequest: message("a", object()),
      },
      {},
      [],
      { messages: ["a"] },
    ],
    "whose messages are written in the union are found by the names of their params": [
      {
        ClientRequest: { oneOf: [message("thread/start", ref("StartParams"))] },
        ServerNotification: { oneOf: [message("thread/end", object())] },
        StartParams: object(),
        StartResponse: object(),
      },
      {},
      [
        "agent request thread/start StartParams StartResponse",
        "client notification thread/end ThreadEndNotificationParams",
      ],
      {},
    ],
    "have no result from a response that is a whole message": [
      {
        ...one,
        ARequest: message("a", ref("RunParams")),
        AResponse: anyOf("ASuccess"),
        ASuccess: object({ jsonrpc: { const: "2.0" }, result: object() }),
      },
      {},
      ["agent request a RunParams -"],
      { result: ["a"] },
    ],
    "are not those of objects that only have a property of that name": [
      { Login: message("oauth"), PaymentRequest: message("card") },
      {},
      [],
      {},
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [$defs, decisions, rows, undecided]) => {
    expect(found($defs, decisions)).toEqual({ rows, undecided });
  });
});
