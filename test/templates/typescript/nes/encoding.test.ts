import type { ClientCapabilities } from "acp-bindings/v1-full";
import { describe, expect, test } from "vitest";
import {
  agreedPositionEncoding,
  choosePositionEncoding,
  offeredPositionEncodings,
  positionEncodingOf,
  type PositionEncoding,
} from "../../../../templates/typescript/runtime/nes/index.js";
import { declareEncoding } from "../../../../templates/typescript/runtime/nes/negotiation.js";

const ALL: readonly PositionEncoding[] = ["utf-8", "utf-16", "utf-32"];

type Encodings = readonly PositionEncoding[] | null | undefined;

test.each<readonly [string, Encodings, readonly PositionEncoding[], PositionEncoding]>([
  ["in the client's order of preference", ["utf-32", "utf-16"], ALL, "utf-32"],
  ["whatever the agent's order", ["utf-32", "utf-8"], ["utf-8", "utf-32"], "utf-32"],
  ["that it has", ["utf-32", "utf-8"], ["utf-8"], "utf-8"],
  ["as utf-16, which all have", ["utf-16", "utf-8"], ["utf-8"], "utf-16"],
  ["as utf-16, even if it is not listed", ["utf-8", "utf-16"], [], "utf-16"],
  ["or utf-16 without a list", undefined, ALL, "utf-16"],
  ["or utf-16 with null for a list", null, ALL, "utf-16"],
  ["or utf-16 with an empty list", [], ALL, "utf-16"],
  ["or utf-16 without a common one", ["utf-8"], ["utf-32"], "utf-16"],
  ["or utf-16 without a known one", ["utf-7" as PositionEncoding], ALL, "utf-16"],
])("the agent selects an encoding %s", (_, offered, supported, chosen) => {
  expect(choosePositionEncoding(offered, supported)).toBe(chosen);
});

describe("both sides use", () => {
  test.each<readonly [string, Encodings, PositionEncoding | null | undefined, PositionEncoding]>([
    ["utf-16 without a list of the client", undefined, "utf-8", "utf-16"],
    ["utf-16 with null for a list of the client", null, "utf-8", "utf-16"],
    ["utf-16 with an empty list of the client", [], "utf-8", "utf-16"],
    ["utf-16 without an encoding of the agent", ["utf-8"], undefined, "utf-16"],
    ["utf-16 with null for an encoding of the agent", ["utf-8"], null, "utf-16"],
    ["what the agent declares", ["utf-8", "utf-32"], "utf-32", "utf-32"],
    ["utf-16 if the agent declares it", ["utf-8"], "utf-16", "utf-16"],
  ])("%s", (_, offered, declared, agreed) => {
    expect(agreedPositionEncoding(offered, declared)).toBe(agreed);
  });

  test("no encoding that was not offered", () => {
    expect(() => agreedPositionEncoding(["utf-32", "utf-16"], "utf-8")).toThrow(
      new RangeError("the agent counts positions in utf-8, the client offered utf-32, utf-16"),
    );
  });
});

describe.each([
  ["1", { agent: "agentCapabilities", client: "clientCapabilities" }],
  ["2", { agent: "capabilities", client: "capabilities" }],
])("the encoding of a connection in version %s", (_, fields) => {
  const request = { [fields.client]: { positionEncodings: ["utf-32", "utf-8"] } };
  const declared = (own: object): object =>
    declareEncoding({ [fields.agent]: own }, request, fields, ["utf-8", "utf-32"]);

  test("is the one that the agent chooses", () => {
    const response = declared({ other: true });
    expect(response).toEqual({ [fields.agent]: { other: true, positionEncoding: "utf-32" } });
    expect(positionEncodingOf({ request, response })).toBe("utf-32");
  });

  test("is the one that the agent has declared itself", () => {
    const response = declared({ positionEncoding: "utf-8" });
    expect(positionEncodingOf({ request, response })).toBe("utf-8");
  });
});

describe("the client's offer", () => {
  const general = { positionEncodings: ["utf-8"] } satisfies ClientCapabilities["general"];

  test("is positionEncodings where both are present, also if empty", () => {
    const both: ClientCapabilities = { positionEncodings: ["utf-32"], general };
    expect(offeredPositionEncodings(both)).toEqual(["utf-32"]);
    expect(offeredPositionEncodings({ positionEncodings: [], general })).toEqual([]);
  });

  test("is general.positionEncodings without it, and empty without either", () => {
    expect(offeredPositionEncodings({ general })).toEqual(["utf-8"]);
    expect(offeredPositionEncodings({ general: null })).toEqual([]);
    expect(offeredPositionEncodings({})).toEqual([]);
    expect(offeredPositionEncodings(undefined)).toEqual([]);
  });
});
