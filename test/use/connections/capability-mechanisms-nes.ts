import { expect } from "vitest";
import { agreedPositionEncoding, cutContext } from "../../../templates/runtime/nes/index.js";
import type { Mechanism } from "./capability-rows.js";

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
