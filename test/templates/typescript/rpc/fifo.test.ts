import { expect, test } from "vitest";
import { Fifo } from "../../../../templates/typescript/runtime/rpc/transports/fifo.js";

test("returns items in their order while others are added, also across its own compactions", () => {
  const queue = new Fifo<number>();
  let pushed = 0;
  let shifted = 0;
  while (shifted < 20_000) {
    for (let index = 0; index < 7 && pushed < 20_000; index++) queue.push(pushed++);
    for (let index = 0; index < 5 && queue.size > 0; index++) expect(queue.shift()).toBe(shifted++);
    expect(queue.size).toBe(pushed - shifted);
  }
  expect(queue.shift()).toBeUndefined();
  queue.push(1);
  queue.clear();
  expect(queue.size).toBe(0);
});
