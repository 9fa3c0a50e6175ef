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

describe("the agent selects one encoding from the client's list", () => {
  test("in the client's order of preference, whatever the agent's order", () => {
    expect(choosePositionEncoding(["utf-32", "utf-16"], ALL)).toBe("utf-32");
    expect(choosePositionEncoding(["utf-32", "utf-8"], ["utf-8", "utf-32"])).toBe("utf-32");
    expect(choosePositionEncoding(["utf-32", "utf-8"], ["utf-8"])).toBe("utf-8");
  });

  test("where utf-16 is supported by all clients and agents, even if not listed", () => {
    expect(choosePositionEncoding(["utf-16", "utf-8"], ["utf-8"])).toBe("utf-16");
    expect(choosePositionEncoding(["utf-8", "utf-16"], [])).toBe("utf-16");
  });

  test("and utf-16 is the default if the client omits its list, or none of its encodings is supported", () => {
    for (const offered of [undefined, null, []]) {
      expect(choosePositionEncoding(offered, ALL)).toBe("utf-16");
    }
    expect(choosePositionEncoding(["utf-8"], ["utf-32"])).toBe("utf-16");
    expect(choosePositionEncoding(["utf-7" as PositionEncoding], ALL)).toBe("utf-16");
  });
});

describe("both sides default to utf-16", () => {
  test("if the client omits positionEncodings", () => {
    for (const offered of [undefined, null, []]) {
      expect(agreedPositionEncoding(offered, "utf-8")).toBe("utf-16");
    }
  });

  test("or the agent omits positionEncoding in its response", () => {
    expect(agreedPositionEncoding(["utf-8"], undefined)).toBe("utf-16");
    expect(agreedPositionEncoding(["utf-8"], null)).toBe("utf-16");
  });

  test("and otherwise use the encoding that the agent declares", () => {
    expect(agreedPositionEncoding(["utf-8", "utf-32"], "utf-32")).toBe("utf-32");
    expect(agreedPositionEncoding(["utf-8"], "utf-16")).toBe("utf-16");
  });

  test("while an encoding that was not offered is refused", () => {
    expect(() => agreedPositionEncoding(["utf-32", "utf-16"], "utf-8")).toThrow(
      new RangeError("the agent counts positions in utf-8, the client offered utf-32, utf-16"),
    );
  });

  test("so that the client uses the encoding that the agent selects", () => {
    const lists = [[], ...ALL.map((one) => [one]), ...pairs(), [...ALL], [...ALL].reverse()];
    for (const offered of lists) {
      for (const supported of lists) {
        const chosen = choosePositionEncoding(offered, supported);
        const declared = offered.includes(chosen) ? chosen : undefined;
        expect(agreedPositionEncoding(offered, declared)).toBe(chosen);
      }
    }
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

function pairs(): PositionEncoding[][] {
  return ALL.flatMap((one) => ALL.filter((other) => other !== one).map((other) => [one, other]));
}
