import { describe, expect, test } from "vitest";
import { ReplayBuffer } from "../../../../templates/typescript/runtime/remote/server/replay-buffer.js";

function filled(limit: number, ...sent: readonly (readonly [stream: string, number: number])[]) {
  const buffer = new ReplayBuffer<string>(limit);
  for (const [stream, number] of sent) buffer.add(stream, { number, text: `${number}` });
  return (stream: string, last: number): number[] | undefined =>
    buffer.takeAfter(stream, last)?.map(({ number }) => number);
}

describe("the kept messages of a connection", () => {
  test("are not returned when some of them were dropped, or the last is unknown", () => {
    const sent = [1, 2, 3].map((number) => ["a", number] as const);
    expect(filled(140, ...sent)("a", 0)).toBeUndefined();
    expect(filled(140, ...sent)("a", 1)).toEqual([2, 3]);
    expect(filled(140, ...sent)("a", 7)).toBeUndefined();
    expect(filled(0, ...sent)("a", 3)).toEqual([]);
  });
});
