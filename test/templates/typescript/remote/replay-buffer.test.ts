import { describe, expect, test } from "vitest";
import { ReplayBuffer } from "../../../../templates/typescript/runtime/remote/server/replay-buffer.js";

function filled(limit: number, ...sent: readonly (readonly [stream: string, number: number])[]) {
  const buffer = new ReplayBuffer<string>(limit);
  for (const [stream, number] of sent) buffer.add(stream, { number, text: `${number}` });
  return (stream: string, last: number): number[] | undefined =>
    buffer.takeAfter(stream, last)?.map(({ number }) => number);
}

describe("the kept messages of a connection", () => {
  test("are returned for one stream, behind the last that the client has received", () => {
    const takeAfter = filled(1000, ["a", 1], ["b", 2], ["a", 3], ["a", 4]);
    expect(takeAfter("a", 1)).toEqual([3, 4]);
    expect(takeAfter("b", 0)).toEqual([2]);
  });

  test("are in the order of sending, which need not be that of their numbers", () => {
    expect(filled(1000, ["a", 3], ["a", 1], ["a", 2])("a", 3)).toEqual([1, 2]);
  });

  test("can be asked for again from the same place when nothing was sent", () => {
    const takeAfter = filled(1000, ["a", 1], ["a", 2]);
    expect([takeAfter("a", 2), takeAfter("a", 2), takeAfter("a", 1)]).toEqual([[], [], undefined]);
  });

  test("are not returned when some of them were dropped, or the last is unknown", () => {
    const sent = [1, 2, 3].map((number) => ["a", number] as const);
    expect(filled(140, ...sent)("a", 0)).toBeUndefined();
    expect(filled(140, ...sent)("a", 1)).toEqual([2, 3]);
    expect(filled(140, ...sent)("a", 7)).toBeUndefined();
    expect(filled(0, ...sent)("a", 3)).toEqual([]);
  });
});
