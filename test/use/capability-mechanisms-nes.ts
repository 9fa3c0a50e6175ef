import { expect } from "vitest";
import { checkConformance } from "../../templates/runtime/conformance/index.js";
import { agreedPositionEncoding, cutContext } from "../../templates/runtime/nes/index.js";
import { advertisement, type Mechanism } from "./capability-rows.js";

export const positionEncoding: Mechanism = () => {
  expect(() => agreedPositionEncoding(["utf-8"], "utf-32")).toThrow(RangeError);
  expect(agreedPositionEncoding(["utf-8"], "utf-8")).toBe("utf-8");
  for (const [offered, declared] of [
    [undefined, "utf-8"],
    [["utf-8"], undefined],
  ] as const)
    expect(agreedPositionEncoding(offered, declared)).toBe("utf-16");
};

export const countLimit: Mechanism = ({ target, requires }) => {
  const [name, limit] = requires!.path.split(".").slice(-2);
  expect([name, limit]).toEqual([target.property, "maxCount"]);
  const cut = (maxCount?: number): unknown =>
    cutContext({ [name!]: [1, 2, 3] }, { [name!]: { maxCount } });
  expect(cut(2)).toEqual({ [name!]: [2, 3] });
  expect(cut()).toEqual({ [name!]: [1, 2, 3] });
};

export const conformanceRule: Mechanism = ({ requires }) => {
  const broken = (syncKind: string, range: object | null): boolean => {
    const result = { protocolVersion: 1, ...advertisement(requires!.path, syncKind) };
    const params = { sessionId: "s", contentChanges: [{ text: "", range }] };
    const transcript = [
      {
        from: "client",
        message: { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
      },
      { from: "agent", message: { jsonrpc: "2.0", id: 0, result } },
      { from: "client", message: { jsonrpc: "2.0", method: "document/didChange", params } },
    ] as const;
    return checkConformance(transcript, { version: 1 }).some(
      ({ rule }) => rule === "nes-sync-kind",
    );
  };
  expect([broken("full", {}), broken("full", null), broken("incremental", {})]).toEqual([
    true,
    false,
    false,
  ]);
};
