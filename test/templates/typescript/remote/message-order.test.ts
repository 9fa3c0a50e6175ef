import { describe, expect, test, vi } from "vitest";
import { MessageOrder } from "../../../../templates/typescript/runtime/remote/client/message-order.js";

function createOrder() {
  const delivered: unknown[] = [];
  const overflow = vi.fn();
  const order = new MessageOrder(overflow);
  return {
    delivered,
    overflow,
    take: (number: number, length = 1) => order.take(number, () => delivered.push(number), length),
  };
}

describe("the messages of several streams", () => {
  test("are delivered once each, in the order of their numbers", () => {
    const { delivered, take } = createOrder();
    for (const number of [2, 1, 1, 5, 3, 2, 5, 4, 6]) take(number);
    expect(delivered).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("wait for an earlier one up to a limit, which those that were delivered do not count for", () => {
    const { delivered, overflow, take } = createOrder();
    // A message takes 64 bytes besides its text.
    const most = 32 * 1024 * 1024 - 64;
    take(2, most);
    take(1);
    take(4, most);
    expect([delivered, overflow.mock.calls.length]).toEqual([[1, 2], 0]);
    take(5);
    expect(overflow).toHaveBeenCalledOnce();
  });
});
